//! Power, lid, door and jam at every step of a cycle: never "shuffled" afterwards.

use crate::harness::{Rig, cards};
use croupier::cards::BackColour::Red;
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{Game, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Axis, Beam, Cut, Event, Fault, Model, State};

/// What ends the cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blow {
    Power,
    Lid,
    Door,
    Jam(Beam),
    Stall,
}

const BLOWS: [Blow; 6] = [
    Blow::Power,
    Blow::Lid,
    Blow::Door,
    Blow::Jam(Beam::Throat),
    Blow::Jam(Beam::Exit),
    Blow::Stall,
];

fn rig(model: Model, game: Game, decks: u8) -> Rig {
    let mut rig = Rig::new(model, game, decks);
    rig.put_in(cards(rig.total(), Red));
    assert_eq!(rig.start(), Ok(()));
    rig
}

fn strike(rig: &mut Rig, blow: Blow) {
    match blow {
        Blow::Power => rig.cut_power(),
        Blow::Lid => rig.set_lid(true),
        Blow::Door => rig.set_door(true),
        // A card where none should be, or one that comes twice.
        Blow::Jam(beam) => {
            rig.sense(Event::Beam(beam, true));
            rig.sense(Event::Beam(beam, true));
        }
        Blow::Stall => rig.sense(Event::Stalled(Axis::Wheel)),
    }
    if blow == Blow::Door {
        rig.set_door(false);
    }
}

/// Strikes after `step` steps; whether the cycle was still going on then.
fn interrupted(mut rig: Rig, blow: Blow, step: u32) -> bool {
    for _ in 0..step {
        rig.step();
    }
    if !rig.shuffler.state().is_busy() {
        return false;
    }
    let total = usize::from(rig.total());
    strike(&mut rig, blow);
    let what = format!("{blow:?} at step {step}");
    assert!(!rig.is_certified(), "{what}");
    let fault = rig.stopped().unwrap_or_else(|| panic!("{what}: {:?}", rig.shuffler.state()));
    if let Some(cut) = match blow {
        Blow::Power => Some(Cut::Power),
        Blow::Lid => Some(Cut::Lid),
        Blow::Door => Some(Cut::Door),
        Blow::Jam(_) | Blow::Stall => None,
    } {
        assert_eq!(fault, Fault::Interrupted(cut), "{what}");
    }
    assert!(rig.shuffler.cycle().is_none(), "{what}: nothing is kept to be resumed");
    assert!(rig.shuffler.is_forgotten(), "{what}: nor the order (SH-42)");
    assert_eq!(rig.world.all_cards(), total, "{what}");
    let inventory = rig.shuffler.record().inventory;
    assert!(!inventory.certain, "{what}: it cannot know");
    // Power on its own brings nothing back.
    rig.run();
    rig.cut_power();
    assert!(!rig.is_certified(), "{what}");
    assert!(matches!(rig.shuffler.state(), State::Stopped(_)), "{what}");
    rig.recover();
    assert!(rig.is_certified(), "{what}: {:?}", rig.shuffler.state());
    assert_eq!(rig.world.delivery.len(), total, "{what}");
    assert!(rig.shuffler.record().inventory.certain, "{what}");
    true
}

/// SH-22: every event of a 52-card cycle, homing and sweeping included, and each blow.
#[test]
fn one_deck_interrupted_anywhere_is_not_shuffled_until_a_full_reshuffle() {
    for blow in BLOWS {
        let steps = (0..)
            .take_while(|step| interrupted(rig(Model::SingleDeck, Game::FlopPoker, 1), blow, *step))
            .count();
        println!("{blow:?}: {steps} steps");
        assert!(steps > 52 * 6, "{blow:?}: only {steps} steps");
    }
}

/// SH-22: eight decks, every 97th event.
#[test]
fn eight_decks_interrupted_anywhere_are_not_shuffled_until_a_full_reshuffle() {
    for blow in BLOWS {
        let fresh = || rig(Model::MultiDeck, Game::DownUnderBlackjack, 8);
        let struck = (0..).step_by(97).take_while(|step| interrupted(fresh(), blow, *step)).count();
        assert!(struck > 416 * 8 / 97, "{blow:?}: only {struck}");
    }
}

/// SH-22, SH-25: what was certified is not after power, lid or door; the cards stay known.
#[test]
fn a_certified_deck_is_revoked_by_power_lid_and_door() {
    for blow in [Blow::Power, Blow::Lid, Blow::Door] {
        let mut rig = rig(Model::SingleDeck, Game::FlopPoker, 1);
        rig.run();
        assert!(rig.is_certified());
        strike(&mut rig, blow);
        assert!(!rig.is_certified(), "{blow:?}");
        assert!(matches!(rig.stopped(), Some(Fault::Interrupted(_))));
        assert_eq!(rig.shuffler.record().inventory.delivered, 52, "{blow:?}");
        rig.recover();
        assert!(rig.is_certified(), "{blow:?}");
    }
}

/// SH-22: a record that could not be written is no certificate.
#[test]
fn nothing_is_certified_that_could_not_be_kept() {
    let mut rig = rig(Model::SingleDeck, Game::FlopPoker, 1);
    for _ in 0..200 {
        rig.step();
    }
    rig.store.broken = true;
    rig.run();
    assert_eq!(rig.stopped(), Some(Fault::Store));
    assert!(!rig.is_certified());
    let mut fresh = Rig::single(52);
    fresh.store.broken = true;
    assert_eq!(fresh.start(), Err(Refused::StoreFailed));
    assert_eq!(fresh.shuffler.state(), State::Idle, "and nothing moved");
}

/// SH-22: an EMPTY that is refused clears no fault.
#[test]
fn a_fault_stands_when_empty_is_refused() {
    let mut rig = rig(Model::SingleDeck, Game::FlopPoker, 1);
    for _ in 0..200 {
        rig.step();
    }
    rig.set_lid(true);
    rig.run();
    let (told, before) = (rig.events.len(), *rig.shuffler.record());
    let refused = rig.command(Task::Empty, Purpose::None, Role::Floorperson);
    assert_eq!(refused, Err(Refused::OutOfTurn), "the lid is open");
    assert_eq!(rig.stopped(), Some(Fault::Interrupted(Cut::Lid)));
    assert_eq!((rig.events.len(), *rig.shuffler.record()), (told, before));
}

/// SH-07, SH-22: what was inside when the power went is not taken for certain when it returns; a
/// card that was put into the wheel meanwhile comes out before the deck, and is counted.
#[test]
fn a_card_planted_while_the_power_is_off_never_comes_out_of_a_certified_deck() {
    for slot in [0, 1, 26, 53] {
        let mut rig = Rig::single(52);
        rig.shuffle();
        rig.command(Task::Release, Purpose::None, Role::Dealer).unwrap();
        let stack = rig.take_stack();
        assert!(rig.shuffler.record().inventory.certain);
        rig.world.slots[slot].push_back(cards(1, Red)[0]);
        rig.cut_power();
        assert!(!rig.shuffler.record().inventory.certain, "it cannot know");
        rig.put_in(stack);
        rig.shuffle();
        assert_eq!(rig.stopped(), Some(Fault::WrongCount(53)), "slot {slot}");
        assert!(!rig.is_certified() && rig.world.inside() == 0);
    }
}
