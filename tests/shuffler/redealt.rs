//! How soon a dealt card comes again, played on the device itself.

use std::collections::HashSet;

use crate::continuous::{BATCH, circulating, draw};
use crate::harness::Rig;
use croupier::protocol::generated::croupier::common::Role;
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::State;

const ROUND: usize = 18;
const ROUNDS: usize = 1_200;

/// A round: cards drawn one by one from the chute, played, and fed in again.
fn play(rig: &mut Rig) -> HashSet<u16> {
    let round: Vec<_> = (0..ROUND).map(|_| draw(rig)).collect();
    let numbers = round.iter().map(|card| card.number).collect();
    rig.put_in(round);
    rig.run();
    rig.command(Task::NextRound, Purpose::None, Role::Dealer).unwrap();
    rig.run();
    assert_eq!(rig.shuffler.state(), State::Circulating);
    numbers
}

/// SH-20: in the machine itself a dealt card comes again in the next round nearly as often as in an
/// ideal one: 18 of 312, less the card that waited in the chute. Three standard errors are allowed.
#[test]
fn sh_20_a_dealt_card_may_come_again_at_once_on_the_device() {
    let mut rig = circulating();
    let rounds: Vec<HashSet<u16>> = (0..ROUNDS).map(|_| play(&mut rig)).collect();
    let after = |rounds_later: usize| {
        let pairs = rounds.iter().zip(&rounds[rounds_later..]);
        let again: usize = pairs.map(|(before, now)| before.intersection(now).count()).sum();
        again as f64 / ((ROUNDS - rounds_later) * ROUND) as f64
    };
    let ideal = ROUND as f64 / f64::from(BATCH);
    let error = (ideal / (ROUNDS * ROUND) as f64).sqrt();
    let [last, before, third] = [1, 2, 3].map(after);
    println!("redealt after 1, 2, 3 rounds: {last:.4} {before:.4} {third:.4}, ideal {ideal:.4}");
    assert!(last > 0.85 * ideal - 3.0 * error && last < ideal + 3.0 * error, "{last:.4}");
    for later in [before, third] {
        assert!((later - ideal).abs() < 0.05 * ideal + 3.0 * error, "{later:.4}");
    }
}
