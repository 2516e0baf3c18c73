//! Section 5b, row by row: the single-deck games, which have no reader.

use super::*;

/// The columns of the table.
const COLUMNS: [&str; 5] = ["583", "587", "588", "589", "592"];

#[test]
fn seats_deck_and_cover_cards_are_the_tables() {
    assert_eq!(games(COLUMNS).map(|game| game.seats.unwrap().rule), [6, 6, 6, 5, 6]);
    assert_eq!(games(COLUMNS).map(|game| game.batch_total(1)), [52, 52, 53, 52, 52].map(Some));
    assert_eq!(games(COLUMNS).map(|game| game.pack.deck.jokers()), [0, 0, 1, 0, 0]);
    let covers = games(COLUMNS).map(|game| game.cover_cards.unwrap().rule);
    assert_eq!(covers, [2, 1, 2, 1, 1].map(CoverCards::Exactly));
}

#[test]
fn one_deck_makes_the_batch() {
    for game in games(COLUMNS) {
        for decks in (0..=u8::MAX).filter(|decks| *decks != 1) {
            assert_eq!(game.batch_total(decks), None, "{} with {decks}", game.chapter);
        }
    }
}

#[test]
fn no_single_deck_game_has_a_reader() {
    assert!(games(COLUMNS).iter().all(|game| game.reader().is_none()));
}

// SH-16, SH-17.
#[test]
fn second_deck_is_optional_and_alternates_by_the_round() {
    for game in games(COLUMNS) {
        let batches = game.batches.unwrap();
        assert_eq!(batches.two.rule, TwoBatches::Optional, "{}", game.chapter);
        assert_eq!(batches.alternation.rule, Alternation::EveryOtherRound, "{}", game.chapter);
        assert_eq!(shuffler(game).shuffle_after.rule, ShuffleAfter::Round, "{}", game.chapter);
    }
}

// SH-07, SH-08, SH-10.
#[test]
fn wrong_count_removes_the_deck_and_588_only_by_analogy() {
    let shown = games(COLUMNS).map(|game| shuffler(game).count_shown.map(|clause| clause.0));
    assert_eq!(
        shown,
        [Some("583.5(b)"), Some("587.5(b)"), None, Some("589.5(b)"), Some("592.5(b)")]
    );

    let wrong = games(COLUMNS).map(|game| shuffler(game).wrong_count);
    let said = |clause| WrongCount::Said(Clause(clause));
    let analogy = WrongCount::ByAnalogy(Clause("583.5(b)"));
    assert_eq!(
        wrong,
        [said("583.5(b)"), said("587.5(b)"), analogy, said("589.5(b)"), said("592.5(b)")]
    );
    for rule in wrong {
        assert_eq!(rule.next_step(), NextStep::RemoveDeck);
        assert!(rule.clause().0.ends_with(".5(b)"));
    }
}

// SH-09, SH-10.
#[test]
fn without_a_counting_shuffler_the_dealer_counts() {
    use HandCount::*;
    let counts = games(COLUMNS).map(|game| round(game).hand_count.rule);
    let stub = StubEveryFiveRounds;
    assert_eq!(counts, [stub, stub, StubEveryRound, AllCardsEveryFiveRounds, stub]);
}

fn sizes(game: &Profile, players: u8) -> Vec<u8> {
    game.stack_sizes(players).unwrap().collect()
}

// SH-30, SH-31.
#[test]
fn stacks_leave_the_shoe_in_the_games_order_and_size() {
    let [flop, raise, fortune, lunar, criss_cross] = games(COLUMNS);
    assert_eq!(sizes(flop, 1), [3, 3]);
    assert_eq!(sizes(flop, 6), [3, 3, 3, 3, 3, 3, 3]);
    assert_eq!(sizes(raise, 2), [3, 3, 3]);
    for players in 1..=6 {
        assert_eq!(sizes(fortune, players), [6, 6, 6, 6, 6, 6, 6]);
    }
    assert_eq!(sizes(lunar, 5), [5, 5, 5, 5, 5, 5]);
    assert_eq!(sizes(criss_cross, 3), [5, 2, 2, 2]);

    assert_eq!(round(flop).stacks.rule, [Stack::EachPlayer(3), Stack::Community(3)]);
    assert_eq!(round(raise).stacks.rule, [Stack::EachPlayer(3), Stack::Community(3)]);
    assert_eq!(round(fortune).stacks.rule, [Stack::AllSeven(6)]);
    assert_eq!(round(lunar).stacks.rule, [Stack::EachPlayer(5), Stack::Dealer(5)]);
    assert_eq!(round(criss_cross).stacks.rule, [Stack::Community(5), Stack::EachPlayer(2)]);
}

// SH-36, SH-39: one to six players; 0 where the table has no such seat.
#[test]
fn stub_is_what_the_rule_expects_for_every_number_of_players() {
    let automated = [
        [46, 43, 40, 37, 34, 31],
        [46, 43, 40, 37, 34, 31],
        [11, 11, 11, 11, 11, 11],
        [42, 37, 32, 27, 22, 0],
        [45, 43, 41, 39, 37, 35],
    ];
    let mut other = automated;
    other[0] = [45, 42, 39, 36, 33, 30];

    let stubs = |dealing| {
        let row = |game: &Profile| {
            [1, 2, 3, 4, 5, 6].map(|players| game.stub(players, dealing).unwrap_or(0))
        };
        games(COLUMNS).map(row)
    };
    assert_eq!(stubs(Dealing::AutomatedShoe), automated);
    assert_eq!(stubs(Dealing::ManualShoe), other);
    assert_eq!(stubs(Dealing::Hand), other);
}

#[test]
fn stacks_and_stub_make_the_pack() {
    for game in games(COLUMNS) {
        for players in 1..=game.seats.unwrap().rule {
            let stacks: u8 = game.stack_sizes(players).unwrap().sum();
            let stub = game.stub(players, Dealing::AutomatedShoe).unwrap();
            assert_eq!(
                Some(u16::from(stacks + stub)),
                game.batch_total(1),
                "{}, {players}",
                game.chapter
            );
        }
    }
}

#[test]
fn nobody_and_too_many_are_no_round() {
    for game in games(COLUMNS) {
        for players in [0, game.seats.unwrap().rule + 1, u8::MAX] {
            assert!(game.stack_sizes(players).is_none(), "{}, {players}", game.chapter);
            assert_eq!(game.stub(players, Dealing::Hand), None, "{}, {players}", game.chapter);
            assert_eq!(game.worst_shortage(players), None, "{}, {players}", game.chapter);
        }
    }
}

// SH-38: five players of Lunar Poker may ask for 56 cards of 52.
#[test]
fn only_lunar_poker_can_run_out_of_cards() {
    let shortage =
        |game: &Profile| [1, 2, 3, 4, 5].map(|players| game.worst_shortage(players).unwrap());
    assert_eq!(games(COLUMNS).map(shortage), [[0; 5], [0; 5], [0; 5], [0, 0, 0, 0, 4], [0; 5]]);
}

// SH-32, SH-35, SH-29.
#[test]
fn wrong_stack_shoe_jam_and_two_face_up_cards_void_the_round() {
    for game in games(COLUMNS) {
        let RoundRules { wrong_stack, shoe_jam, two_face_up, .. } = round(game);
        for irregularity in [wrong_stack, shoe_jam, two_face_up] {
            assert_eq!(irregularity.rule, NextStep::VoidRefundReshuffle, "{}", irregularity.clause);
        }
    }
}

// SH-37.
#[test]
fn wrong_stub_forks_on_the_misdeal_except_in_lunar_poker() {
    for game in games(COLUMNS) {
        let expected = match game.chapter {
            "589" => [NextStep::RemoveDeck, NextStep::RemoveDeck],
            _ => [NextStep::VoidAndRefund, NextStep::VoidRefundRemoveDeck],
        };
        let steps = [true, false].map(|misdealt| round(game).wrong_stub.rule.next_step(misdealt));
        assert_eq!(steps, expected, "{}", game.chapter);
    }
}

// SH-22, SH-23.
#[test]
fn jam_means_reshuffle_and_unusable_means_cover_or_sign() {
    for game in games(COLUMNS) {
        assert_eq!(shuffler(game).jam.rule, NextStep::Reshuffle, "{}", game.chapter);
        assert_eq!(shuffler(game).unusable.rule, NextStep::CoverOrSign, "{}", game.chapter);
    }
}

// SH-12, SH-25.
#[test]
fn only_588_keeps_its_stored_deck_and_waives_all_but_shuffling() {
    let idle = games(COLUMNS).map(|game| shuffler(game).idle_batch.rule);
    let no = IdleBatch::SpreadAndReshuffle;
    assert_eq!(idle, [no, no, IdleBatch::UsableIfSingleAndSecure, no, no]);

    let waived = games(COLUMNS).map(|game| shuffler(game).relief.rule.subsections());
    assert_eq!(waived, ["(d)-(f)", "(d)-(f)", "(b)-(g)", "(d)-(f)", "(d)-(f)"]);
}

#[test]
fn cards_start_at_the_left_except_in_588_and_592() {
    let starts = games(COLUMNS).map(|game| round(game).start.rule);
    let drawn = Start::Drawn(StartNumbers { first: 1, last: 7 });
    let left = Start::LeftOfDealer;
    assert_eq!(starts, [left, left, drawn, left, Start::CommunityThenLeft]);
}
