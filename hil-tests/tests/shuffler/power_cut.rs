//! Power cuts all over a cycle: the guest is killed, and what it says afterwards is judged.
//!
//! Six points in every run; `CROUPIER_RELEASE_SUITE=1` makes them fifty.

use std::collections::BTreeSet;

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{
    Game, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::shuffler::{
    Certificate, CertificateState, Phase, Purpose, Task,
};
use croupier::shuffler::Model;
use hil_tests::BenchError;
use hil_tests::suite::{Done, sized};
use hil_tests::world::shuffler::fixture::{Ending, ShufflerFixture};
use hil_tests::world::shuffler::{Fate, pack};

/// How often the power is cut; at the last point the stack is certified and locked away.
fn points() -> u64 {
    sized(6, 50).into()
}

/// Starts a cycle with a floorperson's authority; how much had been told before.
fn start(table: &ShufflerFixture) -> Result<usize, BenchError> {
    let mark = table.controller().mark();
    let outcome = table.ask(Task::Start, Purpose::FullBatch, Role::Floorperson)?;
    assert_eq!(outcome, Outcome::Accepted);
    Ok(mark)
}

/// What went on last, as told since `mark`; nothing when the stack is certified.
fn phase(table: &ShufflerFixture, mark: usize) -> Option<Phase> {
    let received = table.controller().reports_since(mark);
    let certified =
        received.iter().any(|received| received.report.event::<Certificate>().is_some());
    let progress = received.iter().rev().find_map(|received| received.report.progress());
    progress.map(|received| received.phase).filter(|_| !certified)
}

/// Nothing counts as shuffled, and what the device would swear to is so.
fn judge(table: &ShufflerFixture, point: &str) -> Done {
    let said = table.inventory()?;
    assert_ne!(said.certificate, CertificateState::Issued, "{point}");
    let (inside, delivered) = table.world().with(|scene| {
        scene.mechanism.places.assert_each_once();
        let census = scene.mechanism.places.census();
        (census.wheel, census.delivery)
    });
    let right = (usize::from(said.inside), usize::from(said.chute)) == (inside, delivered);
    assert!(!said.certain || right, "{point}: {said:?}, but {inside} inside, {delivered} out");
    Ok(())
}

/// A full reshuffle brings the deck back; then it is dealt, and lies in the feed tray again.
fn reshuffle(table: &ShufflerFixture, point: &str) -> Done {
    assert_eq!(table.shuffle(Role::Floorperson)?, Ending::Certified, "{point}");
    let delivered = table.world().with(|scene| scene.mechanism.places.delivery.len());
    assert_eq!(delivered, 52, "{point}");
    assert_eq!(table.ask(Task::Release, Purpose::None, Role::Dealer)?, Outcome::Accepted);
    let stack = table.take_stack()?;
    table.put_back(&stack)
}

/// The phases in which the power is cut, and about how long each takes, in seconds. A cycle
/// empties the wheel only if its look finds cards there: those that a cut in feeding has left.
const PHASES: [(Phase, u64); 4] =
    [(Phase::Homing, 1), (Phase::Feeding, 9), (Phase::Emptying, 11), (Phase::Delivering, 7)];

/// SH-22: wherever in a cycle the power fails, nothing is shuffled afterwards, the device
/// swears to nothing that is not so, and one full reshuffle brings the deck back.
#[test]
fn a_power_cut_anywhere_leaves_nothing_shuffled_and_the_inventory_honest() -> Done {
    let mut table = ShufflerFixture::open(Model::SingleDeck, Fate::kind(1), None)?;
    let game = Game::FlopPoker;
    let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
    assert_eq!(table.prepare(&profile, &[BackColour::Blue])?, Outcome::Accepted);
    table.load(pack(52, BackColour::Blue))?;
    let points = points();
    let mut met = BTreeSet::new();
    for number in 1..=points {
        let mark = start(&table)?;
        if number == points {
            assert_eq!(table.ending(mark)?, Ending::Certified);
        } else {
            let (phase, seconds) = PHASES[(number as usize - 1) % PHASES.len()];
            table.until(mark, |received| {
                received.report.progress().filter(|received| received.phase == phase)
            })?;
            table.world().pass_and_hold(number * seconds * 1_000_000 / (points + 1))?;
        }
        let during = phase(&table, mark);
        let point = format!("cut {number} of {points}, {during:?}");
        println!("{point}");
        met.insert(during.map(Phase::code));
        table.cut_power_and_boot()?;
        judge(&table, &point)?;
        table.put_right()?;
        // After some of them; not before the wheel must be emptied, nor before it must find its home,
        // which it knows after a whole cycle.
        if number % 12 == 3 || number == points {
            reshuffle(&table, &point)?;
        }
    }
    let wanted = PHASES.map(|(phase, _)| Some(phase.code())).into_iter().chain([None]);
    for phase in wanted {
        assert!(met.contains(&phase), "no cut fell into {phase:?}; only into {met:?}");
    }
    Ok(())
}
