//! The clause behind each rule, by requirement row.
//!
//! A message that cites the wrong clause is worse than one that cites none. The rows' order of
//! chapters is kept, so that each list can be read against its row.

use super::*;

const TEN: [&str; 10] = ["581", "583", "587", "588", "589", "590", "591", "592", "672a", "685a"];
const SHOE: [&str; 5] = ["581", "590", "591", "672a", "685a"];
const SINGLE: [&str; 5] = ["583", "587", "588", "589", "592"];

/// The clauses of each chapter, written without the chapter, which is put in front of every one.
fn cited<const N: usize>(chapters: [&str; N], parts: [&str; N]) -> Vec<std::string::String> {
    let cite = |(chapter, part): (&str, &str)| {
        part.split(", ").map(|part| std::format!("{chapter}.{part}")).collect::<Vec<_>>().join(", ")
    };
    chapters.into_iter().zip(parts).map(cite).collect()
}

/// Asserts that `clause` finds, in each chapter's profile, the part given for it.
fn check<const N: usize>(chapters: [&str; N], clause: fn(&Profile) -> Clause, parts: [&str; N]) {
    let found: Vec<_> = games(chapters).into_iter().map(|game| clause(game).0).collect();
    assert_eq!(found, cited(chapters, parts));
}

fn reader(game: &Profile) -> &ReaderRules {
    game.reader().unwrap()
}

#[test]
fn table_and_pack_cite_sections_2_and_3() {
    check(TEN, |game| game.seats.unwrap().clause, ["2(a)"; 10]);
    check(TEN, |game| game.pack.decks.clause, ["3(a)"; 10]);
    check(TEN, |game| game.cover_cards.unwrap().clause, ["3(a)"; 10]);
    let deck = ["3(a)", "5(b)", "5(b)", "3(a)", "5(b)", "3(d)", "3(d)", "5(b)", "3(d)", "3(a)"];
    check(TEN, |game| game.pack.deck_clause.unwrap(), deck);
}

// SH-15 to SH-18, SH-40.
#[test]
fn batches_and_deck_life_cite_section_3() {
    check(TEN, |game| game.batches.unwrap().two.clause, ["3(b)"; 10]);
    check(SHOE, |game| game.batches.unwrap().alternation.clause, ["3(b)(4)"; 5]);
    check(SINGLE, |game| game.batches.unwrap().alternation.clause, ["3(b)(3)"; 5]);
    check(SHOE, |game| game.batches.unwrap().unmixed, ["3(b)(5)"; 5]);
    check(SINGLE, |game| game.batches.unwrap().unmixed, ["3(b)(4)"; 5]);
    check(TEN, |game| game.deck_life.unwrap().clause, ["3(c)"; 10]);
}

// RD-04, RD-05, RD-09, RD-10, RD-14.
#[test]
fn reader_rules_cite_their_clauses() {
    check(SHOE, |game| reader(game).inspection, ["2(d)"; 5]);
    check(
        SHOE,
        |game| reader(game).malfunction.clause,
        ["13(i)", "13(j)", "13(j)", "12(j)", "12(i)"],
    );
    let before = ["7(e)-(g)", "7(f)-(g)", "7(f)-(h)", "7(f)-(g)", "7(f)-(h)"];
    check(SHOE, |game| reader(game).before_read.clause, before);
    let surrender = ["9(b)(2)", "9(a)(2)", "9(a)(2)", "2(b)(3)(v)", "2(b)(4)(iv)"];
    check(SHOE, |game| shoe(game).surrender.clause, surrender);

    let peeks = games(["581", "590", "591", "672a"]).map(|game| match reader(game).kind {
        ReaderKind::Peek { up_cards, wrong_up_card } => (up_cards.clause.0, wrong_up_card.clause.0),
        ReaderKind::Masque { .. } => panic!("{} peeks", game.chapter),
    });
    let expected = [
        ("581.7(g)", "581.13(h)"),
        ("590.7(g)", "590.13(i)"),
        ("591.7(h)", "591.13(i)"),
        ("672a.7(g)", "672a.12(i)"),
    ];
    assert_eq!(peeks, expected);
}

// RD-02, RD-03, RD-11, SH-43.
#[test]
fn masque_and_match_the_dealer_cite_685a() {
    let [game] = games(["685a"]);
    let ReaderKind::Masque { ranges, every_up_card, wrong_light } = reader(game).kind else {
        panic!("685a has the Masque");
    };
    let clauses = [ranges, every_up_card, wrong_light.clause];
    assert_eq!(clauses.map(|clause| clause.0), ["685a.3(d)(1)-(3)", "685a.7(h)", "685a.12(h)"]);
    assert_eq!(shoe(game).match_the_dealer.unwrap().clause, Clause("685a.6(e)"));
}

// SH-05, SH-12, SH-22, SH-23, SH-25.
#[test]
fn shuffler_rules_cite_their_clauses() {
    check(TEN, |game| shuffler(game).shuffle_after.clause, ["5(a)"; 10]);
    let relief = ["5(h)", "5(g)", "5(g)", "5(h)", "5(g)", "5(h)", "5(h)", "5(g)", "5(h)", "5(h)"];
    check(TEN, |game| shuffler(game).relief.clause, relief);
    let idle = [
        "5(g)", "5(f)", "5(f)", "5(g)(2)", "5(f)", "5(g)(2)", "5(g)(2)", "5(f)", "5(g)(2)", "5(g)",
    ];
    check(TEN, |game| shuffler(game).idle_batch.clause, idle);
    let jam =
        ["13(j)", "13(d)", "13(e)", "13(l)", "13(e)", "13(k)", "13(k)", "13(e)", "12(k)", "12(j)"];
    check(TEN, |game| shuffler(game).jam.clause, jam);
    let unusable =
        ["13(k)", "13(f)", "13(g)", "13(n)", "13(g)", "13(l)", "13(l)", "13(g)", "12(l)", "12(k)"];
    check(TEN, |game| shuffler(game).unusable.clause, unusable);
}

// SH-14, SH-26 to SH-29.
#[test]
fn shoe_rules_cite_their_clauses() {
    check(SHOE, |game| shoe(game).burn.unwrap(), ["7(c)"; 5]);
    let cover = ["7(d)", "7(d)(1)", "7(d)(1)", "7(d)(1)", "7(d)(1)"];
    check(SHOE, |game| shoe(game).at_cover_card.unwrap().clause, cover);
    let face_up = ["13(a)", "13(a)", "13(a)", "12(a)", "12(a)"];
    check(SHOE, |game| shoe(game).face_up.unwrap().clause, face_up);
    let short = ["13(e)", "13(f)", "13(f)", "12(f)", "12(e)"];
    check(SHOE, |game| shoe(game).short_shoe.unwrap(), short);
    let opening = ["4(f)", "4(e)", "4(e)", "4(e)", "4(e)"];
    check(SHOE, |game| shoe(game).preshuffled.unwrap().clause, opening);
}

// SH-24, SH-29 to SH-32, SH-35.
#[test]
fn automated_shoe_rules_cite_their_clauses() {
    check(
        SINGLE,
        |game| round(game).stacks.clause,
        ["10(b)", "10(b)", "10(c)-(d)", "10(b)", "10(b)"],
    );
    let wrong_stack = ["13(c)", "13(c)", "13(h), 13(k)", "13(c)", "13(c)"];
    check(SINGLE, |game| round(game).wrong_stack.clause, wrong_stack);
    let jam = ["13(e)", "13(f)", "13(m)", "13(f)", "13(f)"];
    check(SINGLE, |game| round(game).shoe_jam.clause, jam);
    let face_up = ["13(a)", "13(a)", "13(f)", "13(a)", "13(a)"];
    check(SINGLE, |game| round(game).two_face_up.clause, face_up);
    check(SINGLE, |game| round(game).hand_needs_shuffler, ["9(a)(1)"; 5]);
    check(SINGLE, |game| round(game).start.clause, ["10(b)", "10(b)", "5(i)(2)", "10(b)", "10(b)"]);
}

// SH-09, SH-37 to SH-39.
#[test]
fn stubs_burns_and_draws_cite_their_clauses() {
    let counts = [
        "8(e), 9(e), 10(d)",
        "8(f), 9(d), 10(d)",
        "8(e), 9(d), 10(d)",
        "11(g)",
        "8(f), 9(d), 10(d)",
    ];
    check(SINGLE, |game| round(game).hand_count.clause, counts);
    let wrong = [
        "8(g), 9(g), 10(f)",
        "8(h), 9(f), 10(f)",
        "8(f), 9(e), 10(e)",
        "11(g)(2)",
        "8(h), 9(f), 10(f)",
    ];
    check(SINGLE, |game| round(game).wrong_stub.clause, wrong);

    let burns = games(SINGLE).map(|game| round(game).burn.map(|clause| clause.0));
    assert_eq!(burns, [Some("583.11(c)"), None, None, None, None]);
    let draws = games(SINGLE).map(|game| round(game).draws.map(|draws| draws.clause.0));
    assert_eq!(draws, [None, None, None, Some("589.11(d)(2), 589.11(e)(2)(ii)"), None]);
}

#[test]
fn south_dakota_has_its_own_numbers() {
    let [game] = games(["20:18:15:30.14"]);
    assert_eq!(game.pack.decks.clause, Clause("20:18:15:30.14(1)(j)"));
    assert_eq!(shoe(game).surrender.clause, Clause("20:18:15:30.14(1)(k)"));
    assert_eq!(shoe(game).face_up.unwrap().clause, Clause("20:18:15:28"));
    assert_eq!(shoe(game).short_shoe, Some(Clause("20:18:15:28")));
}
