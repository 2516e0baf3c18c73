//! What the simulated machine brings out, as a gaming regulator would first look at it.
//!
//! The whole judgement, 72 tests on a million decks, is `cargo xtask battery --live wheel`.

use croupier::profile::Game;
use croupier::shuffler::Model;
use hil_tests::world::shuffler::Campaign;
use statrs::distribution::{ChiSquared, ContinuousCDF};

const CARDS: usize = 52;
const SHUFFLES: u64 = 2_600;

/// The stacks of a campaign without troubles: each the places its cards had in the feed.
fn stacks() -> Vec<Vec<usize>> {
    let campaign = Campaign::new(Game::FlopPoker, 1, Model::SingleDeck).expect("a game").kind();
    let mut stacks = Vec::new();
    let results = campaign.watch(17, SHUFFLES, &mut |table| {
        let place = |card| table.fed().iter().position(|fed| fed == card).expect("it was fed");
        stacks.push(table.mechanism.places.delivery.iter().map(place).collect());
    });
    assert_eq!((results.certified, results.is_clean()), (SHUFFLES, true), "{results}");
    stacks
}

/// SH-01, SH-02: every card at every place equally often. One two-sided test at 95 %: neither too
/// uneven nor too even. The seed is fixed, so it cannot come and go.
fn places_are_even(stacks: &[Vec<usize>]) {
    let mut seen = [[0_u32; CARDS]; CARDS];
    for stack in stacks {
        for (place, card) in stack.iter().enumerate() {
            seen[place][*card] += 1;
        }
    }
    let expected = stacks.len() as f64 / CARDS as f64;
    let distances = seen.iter().flatten().map(|seen| (f64::from(*seen) - expected).powi(2));
    // A stack has each card once and each place once, so the sum of 52 x 52 cells is 52/51 of a
    // chi-square with 51 x 51 degrees of freedom.
    let cards = CARDS as f64;
    let statistic = distances.sum::<f64>() / expected * (cards - 1.0) / cards;
    let chance = ChiSquared::new(51.0 * 51.0).expect("free places").sf(statistic);
    assert!((0.025..0.975).contains(&chance), "chi-square {statistic:.0}, p = {chance:.4}");
}

/// SH-03: a guesser who knows how the cards went in and sees each one, and always names the
/// next card of the old order, is right as often as chance allows: 1/52 + 1/51 + ... + 1.
fn guessing_pays_nothing(stacks: &[Vec<usize>]) {
    let mut right = 0_u32;
    for stack in stacks {
        let mut gone = [false; CARDS];
        let mut last = CARDS - 1;
        for card in stack {
            let guess = (1..=CARDS).map(|step| (last + step) % CARDS).find(|card| !gone[*card]);
            right += u32::from(guess == Some(*card));
            (gone[*card], last) = (true, *card);
        }
    }
    let mean = f64::from(right) / stacks.len() as f64;
    let (fair, spread) = (1..=CARDS).fold((0.0, 0.0), |(fair, spread), left| {
        let chance = 1.0 / left as f64;
        (fair + chance, spread + chance * (1.0 - chance))
    });
    let error = (spread / stacks.len() as f64).sqrt();
    assert!((mean - fair).abs() < 3.0 * error, "{mean:.3} right, {fair:.3} +- {error:.3} are fair");
}

/// SH-02, SH-03 on the same stacks, as they came out of the simulated machine.
#[test]
fn what_comes_out_is_even_and_cannot_be_guessed() {
    let stacks = stacks();
    places_are_even(&stacks);
    guessing_pays_nothing(&stacks);
}
