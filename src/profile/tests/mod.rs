//! The profiles against the regulations, and what every profile has in common.
//!
//! The figures are in `regulations.txt`, in words and with their clauses, so that they can be read
//! beside the chapters by people who do not read Rust.

mod figures;
mod irregularities;
mod regulations;

use super::*;
use crate::cards::{Rank, Size};
use std::vec::Vec;

const CHAPTERS: [(u8, &str); 11] = [
    (1, "581"),
    (2, "590"),
    (3, "672a"),
    (4, "20:18:15:30.14"),
    (5, "591"),
    (6, "685a"),
    (7, "583"),
    (8, "587"),
    (9, "588"),
    (10, "589"),
    (11, "592"),
];

/// The games of these chapters.
fn games<const N: usize>(chapters: [&str; N]) -> [&'static Profile; N] {
    chapters.map(|chapter| Game::from_chapter(chapter).unwrap().profile())
}

/// The single-deck games.
const SINGLE: [&str; 5] = ["583", "587", "588", "589", "592"];

#[test]
fn each_game_is_found_by_its_chapter_and_its_code() {
    assert_eq!(CHAPTERS.len(), Game::ALL.len());
    for (code, chapter) in CHAPTERS {
        let game = Game::from_chapter(chapter).unwrap();
        assert_eq!(game.code(), code, "{chapter}");
        assert_eq!(Game::from_code(code), Some(game));
        assert_eq!(game.profile().game, game, "{chapter} has another game's profile");
    }
}

#[test]
fn what_is_no_game_is_refused() {
    for code in (0..=u8::MAX).filter(|code| !(1..=11).contains(code)) {
        assert_eq!(Game::from_code(code), None, "{code}");
    }
    for chapter in ["", "58", "585", "593", "672", "588a", "20:18:15:28"] {
        assert_eq!(Game::from_chapter(chapter), None, "{chapter}");
    }
}

// RD-23, CM-07: the display shows the game's name, so no two may share one.
#[test]
fn no_two_games_share_a_name() {
    for game in Game::ALL {
        let twins = Game::ALL.iter().filter(|other| other.profile().name == game.profile().name);
        assert_eq!(twins.count(), 1, "{}", game.profile().name);
    }
}

// SH-19: one batch circulates where the chapter speaks of a continuous machine, and none where not.
#[test]
fn one_batch_circulates_in_a_continuous_machine_in_games_that_allow_it() {
    const ALLOW: [&str; 5] = ["581", "590", "591", "672a", "685a"];
    for profile in Game::ALL.map(Game::profile) {
        let allowed = ALLOW.contains(&profile.chapter);
        assert_eq!(profile.takes(ShufflerKind::Continuous), allowed, "{}", profile.chapter);
        assert!(profile.takes(ShufflerKind::Batch), "{}", profile.chapter);
        for (batches, number) in profile.batches.iter().flat_map(|b| (0..=9).map(move |n| (b, n))) {
            let circulates = batches.allows(ShufflerKind::Continuous, number);
            assert_eq!(circulates, allowed && number == 1, "{} {number}", profile.chapter);
        }
    }
}

// SH-37: misdealt and short has no clause but in 588, which does not ask whether the pack is whole.
#[test]
fn a_stub_forks_on_misdealt_and_on_the_whole_pack() {
    use NextStep::{RemoveDeck, VoidAndRefund, VoidRefundRemoveDeck};
    let says = |chapter: &str, misdealt, whole| {
        let round = Game::from_chapter(chapter).unwrap().profile().round().unwrap();
        let step = round.wrong_stub.rule.next_step(misdealt, whole);
        step.map(|StubStep { step, by_analogy }| (step, by_analogy))
    };
    for chapter in SINGLE {
        let fortune = chapter == "588";
        let (misdealt_whole, short, misdealt_short) = match chapter {
            "589" => (None, RemoveDeck, (RemoveDeck, false)),
            _ if fortune => (Some(VoidAndRefund), VoidRefundRemoveDeck, (VoidAndRefund, false)),
            _ => (Some(VoidAndRefund), VoidRefundRemoveDeck, (VoidRefundRemoveDeck, true)),
        };
        assert_eq!(says(chapter, false, true), None, "{chapter}: nothing is wrong");
        assert_eq!(
            says(chapter, true, true),
            misdealt_whole.map(|step| (step, false)),
            "{chapter}"
        );
        assert_eq!(says(chapter, false, false), Some((short, false)), "{chapter}");
        assert_eq!(says(chapter, true, false), Some(misdealt_short), "{chapter}");
    }
}

// SH-13.
#[test]
fn a_deck_is_four_of_each_rank_and_its_jokers() {
    for Profile { chapter, pack, .. } in Game::ALL.map(Game::profile) {
        let ranks = Rank::ALL.into_iter().filter(|rank| pack.deck.has(*rank)).count() as u8;
        assert_eq!(pack.deck.cards(), 4 * ranks + pack.deck.jokers(), "{chapter}");
    }
}

// SH-37.
#[test]
fn nobody_and_too_many_are_no_round() {
    for game in games(SINGLE) {
        for players in [0, game.seats.unwrap().rule + 1, u8::MAX] {
            assert!(game.stack_sizes(players).is_none(), "{}, {players}", game.chapter);
            assert_eq!(game.stub(players, Dealing::Hand), None, "{}, {players}", game.chapter);
            assert_eq!(game.worst_shortage(players), None, "{}, {players}", game.chapter);
        }
    }
}

#[test]
fn a_shoe_game_deals_no_stack_and_draws_no_start() {
    for game in Game::ALL.map(Game::profile).into_iter().filter(|game| game.round().is_none()) {
        assert_eq!(game.start_numbers(), None, "{}", game.chapter);
        assert!(game.stack_sizes(3).is_none(), "{}", game.chapter);
        assert_eq!(game.stub(3, Dealing::AutomatedShoe), None, "{}", game.chapter);
    }
}

// SH-43.
#[test]
fn match_the_dealer_needs_six_or_eight_decks_of_685a() {
    for profile in Game::ALL.map(Game::profile) {
        for decks in 0..=9 {
            let expected = profile.chapter == "685a" && (decks == 6 || decks == 8);
            assert_eq!(
                profile.offers_match_the_dealer(decks),
                expected,
                "{} with {decks}",
                profile.chapter
            );
        }
    }
}

// PG-01, PG-13.
#[test]
fn only_588_draws_a_start_from_one_to_seven_and_only_at_six_seats() {
    for profile in Game::ALL.map(Game::profile) {
        let Some(numbers) = profile.start_numbers() else {
            assert_ne!(profile.chapter, "588");
            continue;
        };
        assert_eq!((profile.chapter, numbers.clause), ("588", Clause("588.5(i)(2)")));
        for number in 0..=u8::MAX {
            assert_eq!(numbers.rule.contains(number), (1..=7).contains(&number), "{number}");
        }
        for seats in 0..=u8::MAX {
            assert_eq!(numbers.rule.fits(seats), seats == 6, "{seats} seats");
        }
    }
}

// CM-06.
#[test]
fn every_next_step_has_its_words() {
    let words = [
        (NextStep::Reshuffle, "reshuffle"),
        (NextStep::RemoveDeck, "remove deck"),
        (NextStep::VoidAndRefund, "void and refund"),
        (NextStep::VoidRefundReshuffle, "void, refund, reshuffle"),
        (NextStep::VoidRefundRemoveDeck, "void, refund, remove deck"),
        (NextStep::StopTable, "stop table"),
        (NextStep::CountStub, "count stub"),
        (NextStep::CountCards, "count all cards"),
        (NextStep::CoverOrSign, "out of order: cover or sign"),
        (NextStep::TellFloorAndContinue, "tell floor, continue"),
        (NextStep::TellFloorAndContinueIfSilent, "tell floor, continue if silent"),
        (NextStep::PlayOnOrDeadHandsWithRefund, "play on, or dead hands and refund"),
    ];
    for (step, expected) in words {
        assert_eq!(step.words(), expected);
    }
}
