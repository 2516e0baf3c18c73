//! The profiles against the regulations' tables, transcribed a second time.
//!
//! The tables go game by game; these tests go rule by rule, as the requirement rows do. A slip
//! in one transcription has to be repeated in the other, sideways, to stay unseen.

mod clauses;
mod shoe_games;
mod single_deck;

use super::*;
use crate::cards::Rank;
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

/// The games in the order of the chapters named, as the tables' columns stand.
fn games<const N: usize>(chapters: [&str; N]) -> [&'static Profile; N] {
    chapters.map(|chapter| Game::from_chapter(chapter).unwrap().profile())
}

fn shoe(profile: &Profile) -> &ShoeRules {
    let Play::Shoe(shoe) = &profile.play else { panic!("{} is no shoe game", profile.chapter) };
    shoe
}

fn round(profile: &Profile) -> &RoundRules {
    profile.round().unwrap()
}

fn shuffler(profile: &Profile) -> &ShufflerRules {
    profile.shuffler.as_ref().unwrap()
}

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

// SH-15, SH-16, SH-19.
#[test]
fn two_batches_are_a_duty_in_shoe_games_and_a_choice_in_single_deck_games() {
    for profile in Game::ALL.map(Game::profile) {
        let Some(batches) = profile.batches else {
            assert_eq!(profile.chapter, "20:18:15:30.14");
            continue;
        };
        let lawful =
            |kind| (0..=3).filter(|number| batches.allows(kind, *number)).collect::<Vec<u8>>();
        let with_batch_shuffler: &[u8] = if profile.round().is_none() { &[2] } else { &[1, 2] };
        assert_eq!(lawful(ShufflerKind::Batch), with_batch_shuffler, "{}", profile.chapter);
        assert_eq!(lawful(ShufflerKind::Continuous), [1], "{}", profile.chapter);
    }
}

// RD-17, SH-13.
#[test]
fn decks_have_thirteen_ranks_but_581_has_no_tens_and_588_alone_a_joker() {
    for profile in Game::ALL.map(Game::profile) {
        let deck = profile.pack.deck;
        for rank in Rank::ALL {
            let missing = profile.chapter == "581" && rank == Rank::Ten;
            assert_eq!(deck.has(rank), !missing, "{} {rank:?}", profile.chapter);
        }
        assert_eq!(deck.jokers(), u8::from(profile.chapter == "588"), "{}", profile.chapter);
        let ranks = Rank::ALL.iter().filter(|rank| deck.has(**rank)).count() as u8;
        assert_eq!(deck.cards(), 4 * ranks + deck.jokers(), "{}", profile.chapter);
    }
}

// SH-40.
#[test]
fn decks_live_a_day_in_shoe_games_and_four_or_eight_hours_in_single_deck_games() {
    for profile in Game::ALL.map(Game::profile) {
        let hours = [Dealing::Hand, Dealing::ManualShoe, Dealing::AutomatedShoe]
            .map(|dealing| profile.deck_life.map(|life| life.rule.limit(dealing).as_secs() / 3600));
        let expected = match profile.chapter {
            "20:18:15:30.14" => [None; 3],
            "581" | "590" | "591" | "672a" | "685a" => [Some(24); 3],
            _ => [Some(4), Some(8), Some(8)],
        };
        assert_eq!(hours, expected, "{}", profile.chapter);
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
        (NextStep::CoverOrSign, "out of order: cover or sign"),
        (NextStep::TellFloorAndContinue, "tell floor, continue"),
        (NextStep::TellFloorAndContinueIfSilent, "tell floor, continue if silent"),
        (NextStep::PlayOnOrDeadHandsWithRefund, "play on, or dead hands and refund"),
    ];
    for (step, expected) in words {
        assert_eq!(step.words(), expected);
    }
}
