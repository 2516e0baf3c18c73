//! Soaks with every trouble at its rate in the field, and what the shuffler takes.
//!
//! The long soaks, a million shuffles, are `cargo xtask shuffle --soak 1000000 --field 1`.

use croupier::cards::BackColour;
use croupier::profile::Game;
use croupier::protocol::generated::croupier::common::Role;
use croupier::shuffler::{Model, Pace, TIMINGS};
use hil_tests::world::shuffler::{Croupier, Fate, Simulation, Soak};

fn soak(game: Game, decks: u8, times: f64, shuffles: u64) -> Soak {
    let mut table = Simulation::loaded(game, decks, Fate::field(5, times), 5)
        .expect("a game of this number of decks");
    let batch: Vec<_> = table.mechanism.places.tray.iter().copied().collect();
    Croupier::new(batch, BackColour::Blue).play(&mut table, shuffles, |_, _| ())
}

/// SH-07, SH-08, SH-22 at many times the rates of the field: no wrong stack is certified, no
/// right deck condemned.
#[test]
fn a_bad_soak_certifies_nothing_wrong_and_condemns_nothing_right() {
    let soaks = [(Game::FlopPoker, 1, 20.0, 1_000), (Game::FreeBetSouthDakota, 6, 2.0, 100)];
    for (game, decks, times, shuffles) in soaks {
        let soak = soak(game, decks, times, shuffles);
        assert_eq!(soak.wrongly_certified, 0, "{soak:?}");
        assert_eq!(soak.falsely_removed, 0, "{soak:?}");
        assert_eq!(soak.refused, 0, "{soak:?}");
        assert!(soak.certified > shuffles / 4, "{soak:?}");
    }
}

/// SH-05: 52 cards in 20.9 s all in, the look at the end and the door's opening included; Deck
/// Mate 2 says 22 s.
#[test]
fn a_deck_takes_less_than_twenty_one_seconds_and_the_firmware_next_to_nothing() {
    let mean = |reaction: bool| {
        let mut table = Simulation::loaded(Game::FlopPoker, 1, Fate::kind(1), 3).unwrap();
        if !reaction {
            table = table.without_reaction();
        }
        // The first also looks whether the wheel is empty.
        assert!(table.shuffle(Role::Dealer));
        table.settle();
        let batch = table.deal();
        table.put_back(&batch);
        let croupier = Croupier::new(batch, BackColour::Blue).patient();
        let soak = croupier.play(&mut table, 100, |_, _| ());
        assert_eq!(soak.certified, 100);
        soak.shuffling_us as f64 / 1e8 + TIMINGS.door.get() as f64 / 1e3
    };
    let (with, without) = (mean(true), mean(false));
    assert!(with <= 20.9, "{with:.2} s with the door");
    assert!(with / without <= 1.03, "the firmware adds {:.1} %", (with / without - 1.0) * 100.0);
    let floor = Pace::new(&Model::SingleDeck.wheel()).floor_us(52, 1);
    assert!(with > f64::from(floor) / 1e6, "faster than the mechanism can be");
}
