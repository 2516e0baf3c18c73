//! Section 5a, row by row: the shoe games with a reader.

use super::*;

/// The columns of the table.
const COLUMNS: [&str; 6] = ["581", "590", "672a", "20:18:15:30.14", "591", "685a"];

#[test]
fn six_may_sit_where_the_rule_says_a_number() {
    let seats = games(COLUMNS).map(|game| game.seats.map(|seats| seats.rule));
    assert_eq!(seats, [Some(6), Some(6), Some(6), None, Some(6), Some(6)]);
}

// SH-11: the batch is what a counting shuffler must find. Each row is 0 to 9 decks.
#[test]
fn batch_totals_are_those_of_the_lawful_decks() {
    let any = [0, 52, 104, 156, 208, 260, 312, 364, 416, 468];
    let six_or_eight = [0, 0, 0, 0, 0, 0, 312, 0, 416, 0];
    let expected = [
        [0, 0, 0, 0, 0, 0, 0, 0, 384, 0],
        any,
        six_or_eight,
        six_or_eight,
        any,
        [0, 0, 0, 0, 208, 260, 312, 0, 416, 0],
    ];
    let decks = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let totals = games(COLUMNS).map(|game| decks.map(|decks| game.batch_total(decks).unwrap_or(0)));
    assert_eq!(totals, expected);
    assert_eq!(games(COLUMNS)[1].batch_total(u8::MAX), Some(13_260), "no overflow");
}

#[test]
fn decks_have_52_cards_but_581_has_48_and_no_tens() {
    let decks = games(COLUMNS).map(|game| (game.pack.deck.cards(), game.pack.deck.has(Rank::Ten)));
    assert_eq!(decks, [(48, false), (52, true), (52, true), (52, true), (52, true), (52, true)]);
    let said = games(COLUMNS).map(|game| game.pack.deck_clause.is_some());
    assert_eq!(said, [true, true, true, false, true, true]);
}

#[test]
fn two_batches_alternate_by_the_shoe() {
    let batches =
        games(COLUMNS).map(|game| game.batches.map(|pair| (pair.two.rule, pair.alternation.rule)));
    let pair = Some((TwoBatches::Mandatory, Alternation::EveryOtherShoe));
    assert_eq!(batches, [pair, pair, pair, None, pair, pair]);
}

#[test]
fn decks_change_daily_and_a_cover_card_is_present() {
    let lives = games(COLUMNS).map(|game| game.deck_life.map(|life| life.rule));
    let day = Some(DeckLife::Hours(24));
    assert_eq!(lives, [day, day, day, None, day, day]);

    let covers = games(COLUMNS).map(|game| game.cover_cards.map(|cards| cards.rule));
    let one = Some(CoverCards::AtLeast(1));
    assert_eq!(covers, [one, one, one, None, one, one]);
}

fn kind(game: &Profile) -> &'static str {
    match game.reader().map(|reader| reader.kind) {
        None => "no clause",
        Some(ReaderKind::Peek { .. }) => "peek",
        Some(ReaderKind::Masque { .. }) => "Masque",
    }
}

// RD-23.
#[test]
fn four_games_peek_and_one_has_the_masque() {
    assert_eq!(games(COLUMNS).map(kind), ["peek", "peek", "peek", "no clause", "peek", "Masque"]);
}

// RD-03, RD-04.
#[test]
fn peek_is_called_for_by_aces_and_tens_and_masque_by_all() {
    use Rank::{Ace, Jack, King, Queen, Ten};
    let tens: &[Rank] = &[Ace, Ten, Jack, Queen, King];
    let expected: [&[Rank]; 6] = [&[Ace, Jack, Queen, King], tens, tens, &[], tens, &Rank::ALL];
    for (game, expected) in games(COLUMNS).into_iter().zip(expected) {
        let read = |rank: &Rank| game.reader().is_some_and(|reader| reader.kind.reads_under(*rank));
        let ranks: Vec<Rank> = Rank::ALL.into_iter().filter(read).collect();
        assert_eq!(ranks, expected, "{}", game.chapter);
    }
}

// RD-14.
#[test]
fn each_game_settles_its_own_bets_before_the_read() {
    use BeforeRead::*;
    let orders = games(COLUMNS).map(|game| game.reader().map(|reader| reader.before_read.rule));
    let expected: [Option<&[BeforeRead]>; 6] = [
        Some(&[DoubleAttack, Insurance]),
        Some(&[Insurance]),
        Some(&[InsuranceOrEvenMoney]),
        None,
        Some(&[PlayerBlackjacks, Insurance]),
        Some(&[MatchTheDealer, InsuranceOrEvenMoney]),
    ];
    assert_eq!(orders, expected);
}

// RD-12, RD-15. The Masque's own extra use, Large on Large, is in its `every_up_card`.
#[test]
fn surrender_waits_for_the_read_or_is_not_offered() {
    use Surrender::*;
    let surrender = games(COLUMNS).map(|game| shoe(game).surrender.rule);
    assert_eq!(surrender, [MayReadAgain, AfterRead, NotOffered, NotLate, AfterRead, NotOffered]);
}

// RD-05.
#[test]
fn wrong_up_card_is_told_to_the_floor_and_in_581_must_be_silent() {
    let steps = games(COLUMNS).map(|game| match game.reader()?.kind {
        ReaderKind::Peek { wrong_up_card, .. } => Some(wrong_up_card.rule),
        ReaderKind::Masque { .. } => None,
    });
    let told = Some(NextStep::TellFloorAndContinue);
    assert_eq!(steps, [Some(NextStep::TellFloorAndContinueIfSilent), told, told, None, told, None]);
}

// RD-11.
#[test]
fn wrong_light_has_a_cost_in_685a_alone() {
    let steps = games(COLUMNS).map(|game| match game.reader()?.kind {
        ReaderKind::Masque { wrong_light, .. } => Some(wrong_light.rule),
        ReaderKind::Peek { .. } => None,
    });
    assert_eq!(steps, [None, None, None, None, None, Some(NextStep::PlayOnOrDeadHandsWithRefund)]);
}

// RD-10.
#[test]
fn reader_malfunction_stops_the_table() {
    let steps = games(COLUMNS).map(|game| game.reader().map(|reader| reader.malfunction.rule));
    let stop = Some(NextStep::StopTable);
    assert_eq!(steps, [stop, stop, stop, None, stop, stop]);
}

// SH-22, SH-23.
#[test]
fn jam_means_reshuffle_and_unusable_means_cover_or_sign() {
    let steps = games(COLUMNS)
        .map(|game| game.shuffler.map(|shuffler| (shuffler.jam.rule, shuffler.unusable.rule)));
    let both = Some((NextStep::Reshuffle, NextStep::CoverOrSign));
    assert_eq!(steps, [both, both, both, None, both, both]);
}

// SH-25.
#[test]
fn stored_batch_outlives_an_idle_table_only_in_three_shoe_games() {
    let batches = games(COLUMNS).map(|game| game.shuffler.map(|shuffler| shuffler.idle_batch.rule));
    let no = Some(IdleBatch::SpreadAndReshuffle);
    let yes = Some(IdleBatch::UsableIfSingleAndSecure);
    assert_eq!(batches, [no, yes, yes, None, yes, no]);
}

// SH-05, SH-11, SH-12.
#[test]
fn shoe_games_shuffle_by_the_shoe_and_have_no_count_clause() {
    for game in games(["581", "590", "672a", "591", "685a"]) {
        let rules = shuffler(game);
        assert_eq!(rules.shuffle_after.rule, ShuffleAfter::Shoe, "{}", game.chapter);
        assert_eq!(rules.count_shown, None, "{}", game.chapter);
        assert_eq!(
            rules.wrong_count,
            WrongCount::ByAnalogy(Clause("583.5(b)")),
            "{}",
            game.chapter
        );
        assert_eq!(rules.relief.rule.subsections(), "(b)-(g)", "{}", game.chapter);
    }
    assert_eq!(games(COLUMNS)[3].shuffler, None);
}

// SH-26, SH-27.
#[test]
fn cover_card_gathers_the_shoe_and_new_batches_burn_a_card() {
    let cover = games(COLUMNS).map(|game| shoe(game).at_cover_card.map(|cover| cover.rule));
    let gather = Some(AtCoverCard::GatherAllAndReshuffle);
    assert_eq!(cover, [Some(AtCoverCard::Reshuffle), gather, gather, None, gather, gather]);

    let burns = games(COLUMNS).map(|game| shoe(game).burn.is_some());
    assert_eq!(burns, [true, true, true, false, true, true]);
}

// SH-28, SH-29.
#[test]
fn face_up_card_goes_to_the_rack_and_a_short_shoe_goes_on() {
    let face_up = games(COLUMNS).map(|game| shoe(game).face_up.unwrap().rule);
    let rack = FaceUpCard::Rack;
    let either = FaceUpCard::RackOrDoubleShoe;
    assert_eq!(face_up, [rack, either, either, rack, either, rack]);

    assert!(games(COLUMNS).iter().all(|game| shoe(game).short_shoe.is_some()));
}

// SH-14.
#[test]
fn preshuffled_packs_still_lose_tens_in_581_and_are_spread_in_685a() {
    let waived = games(COLUMNS).map(|game| shoe(game).preshuffled.map(|waived| waived.rule));
    let all = Some(Preshuffled::NothingLeft);
    let tens = Some(Preshuffled::TensStillRemoved);
    let spread = Some(Preshuffled::StillSpreadFaceUp);
    assert_eq!(waived, [tens, all, all, None, all, spread]);
}

#[test]
fn no_start_is_drawn_and_no_stack_dealt() {
    for game in games(COLUMNS) {
        assert_eq!(game.start_numbers(), None, "{}", game.chapter);
        assert!(game.stack_sizes(3).is_none(), "{}", game.chapter);
        assert_eq!(game.stub(3, Dealing::AutomatedShoe), None, "{}", game.chapter);
    }
}
