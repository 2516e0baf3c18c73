//! Power, lid, door and jam at every step of a cycle: never "shuffled" afterwards.

use crate::harness::{Mishap, Rig, cards};
use croupier::cards::BackColour::Red;
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{
    Game, Irregularity, NextStep, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Axis, Beam, Cut, DeviceEvent, Event, Fault, Model, State};

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
    if blow == Blow::Stall && rig.stopped().is_none() {
        begins_anew(rig, &what);
        return true;
    }
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

/// The machine gathers the cards itself: nothing is resumed, and a new order is drawn.
fn begins_anew(mut rig: Rig, what: &str) {
    let (orders, total) = (rig.orders.len(), usize::from(rig.total()));
    assert!(rig.world.delivery.is_empty(), "{what}: a card was delivered");
    assert!(rig.shuffler.cycle().is_none() && rig.shuffler.is_forgotten(), "{what}: SH-42");
    assert!(!rig.shuffler.record().inventory.certain, "{what}: it cannot know");
    rig.run();
    assert!(rig.is_certified(), "{what}: {:?}", rig.shuffler.state());
    assert_eq!((rig.orders.len(), rig.world.delivery.len()), (orders + 1, total), "{what}");
    assert_ne!(rig.orders[orders - 1], rig.orders[orders], "{what}: the order is a new one");
}

/// How often the machine published that the wheel stalled and that it goes on by itself.
fn stalls_of_its_own(rig: &Rig) -> usize {
    let own = rig.events.iter().filter(|event| {
        matches!(
            event,
            DeviceEvent::Irregularity(Irregularity {
                trouble: Trouble::Stall,
                cleared_by: Role::Device,
                next_step: NextStep::Reshuffle,
                ..
            })
        )
    });
    own.count()
}

/// SH-22: a wheel that stalls before a card is delivered; the machine reshuffles by itself, says
/// so, and is out of order at the third stall in a row.
#[test]
fn a_stall_before_the_first_card_is_delivered_begins_anew() {
    let mut rig = Rig::single(52);
    rig.world.mishap = Some(Mishap::Stall(9));
    rig.shuffle();
    assert!(rig.is_certified() && stalls_of_its_own(&rig) == 1);
    assert_eq!(rig.shuffler.record().failures, 0, "a certified cycle ends the row");

    let mut thrice = Rig::single(52);
    thrice.start().unwrap();
    for _ in 0..3 {
        while thrice.shuffler.cycle().is_none() {
            assert!(thrice.step(), "{:?}", thrice.shuffler.state());
        }
        thrice.sense(Event::Stalled(Axis::Wheel));
    }
    assert_eq!(thrice.stopped(), Some(Fault::TooManyFaults));
    assert_eq!(stalls_of_its_own(&thrice), 2);

    let delivering = |rig: &Rig| !rig.world.delivery.is_empty();
    let mut late = Rig::single(52);
    late.start().unwrap();
    while !delivering(&late) {
        assert!(late.step());
    }
    late.sense(Event::Stalled(Axis::Wheel));
    assert_eq!(late.stopped(), Some(Fault::Stall(Axis::Wheel)), "a card lies behind the door");
    assert_eq!(stalls_of_its_own(&late), 0);

    let mut counting = Rig::single(52);
    counting.world.mishap = Some(Mishap::Stall(9));
    counting.command(Task::Start, Purpose::CountOnly, Role::Floorperson).unwrap();
    counting.run();
    assert_eq!(counting.stopped(), Some(Fault::Stall(Axis::Wheel)), "a count keeps the order");
}

/// SH-22: what comes between while the machine gathers the cards ends that too.
#[test]
fn a_reshuffle_of_its_own_is_ended_by_lid_door_power_and_stop() {
    let cuts = [Cut::Lid, Cut::Door, Cut::Power, Cut::Stopped];
    for (cut, steps) in cuts.into_iter().flat_map(|cut| (0..60).step_by(6).map(move |n| (cut, n))) {
        let mut rig = Rig::single(52);
        rig.world.mishap = Some(Mishap::Stall(9));
        rig.start().unwrap();
        while stalls_of_its_own(&rig) == 0 {
            assert!(rig.step());
        }
        (0..steps).for_each(|_| _ = rig.step());
        match cut {
            Cut::Lid => rig.set_lid(true),
            Cut::Door => rig.set_door(true),
            Cut::Power => rig.cut_power(),
            Cut::Stopped => rig.command(Task::Abort, Purpose::None, Role::Controller).unwrap(),
        }
        assert_eq!(rig.stopped(), Some(Fault::Interrupted(cut)), "{steps} steps after the stall");
        rig.run();
        assert!(!rig.is_certified());
    }
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
    let multi = [0, 1, 20, 39].map(|slot| (Model::MultiDeck, Game::DownUnderBlackjack, slot));
    let single = [0, 1, 26, 53].map(|slot| (Model::SingleDeck, Game::FlopPoker, slot));
    for (model, game, slot) in multi.into_iter().chain(single) {
        let mut rig = rig(model, game, if model == Model::MultiDeck { 4 } else { 1 });
        let total = rig.total();
        rig.run();
        rig.command(Task::Release, Purpose::None, Role::Dealer).unwrap();
        let stack = rig.take_stack();
        assert!(rig.shuffler.record().inventory.certain);
        rig.world.slots[slot].push_back(cards(1, Red)[0]);
        rig.cut_power();
        assert!(!rig.shuffler.record().inventory.certain, "it cannot know");
        rig.put_in(stack);
        rig.command(Task::Start, Purpose::FullBatch, Role::Floorperson).unwrap();
        rig.run();
        assert_eq!(rig.stopped(), Some(Fault::WrongCount(total + 1)), "slot {slot}");
        assert!(!rig.is_certified() && rig.world.inside() == 0);
    }
}

/// SH-22: a card that clings to its slot in a sweep is shaken out in a second one. One that stays
/// puts the machine out of order, and nothing is certified.
#[test]
fn a_card_that_clings_to_its_slot_is_shaken_out() {
    let dirty = Fault::Sensor(Beam::Slot);
    for (misses, stays) in [(1, false), (3, false), (99, true)] {
        let mut rig = Rig::single(51);
        rig.world.slots[7].push_back(cards(1, Red)[0]);
        rig.world.mishap = Some(Mishap::EjectMisses(1, misses));
        rig.shuffle();
        assert_eq!(rig.stopped(), stays.then_some(dirty), "{misses} misses");
        assert_eq!(rig.is_certified(), !stays, "{misses} misses");
        assert_eq!(rig.world.inside(), usize::from(stays), "{misses} misses");
    }
}

/// SH-23: a beam that stays blocked though hands have cleared the path twice is out of order, for
/// service; one that was freed between is not.
#[test]
fn a_beam_that_stays_blocked_behind_the_lid_is_for_service() {
    let shut = |rig: &mut Rig| {
        rig.set_lid(true);
        rig.set_lid(false);
    };
    for beam in [Beam::Mouth, Beam::Throat, Beam::Exit] {
        let mut rig = Rig::single(52);
        rig.start().unwrap();
        (0..200).for_each(|_| assert!(rig.step()));
        rig.command(Task::Abort, Purpose::None, Role::Dealer).unwrap();
        rig.run();
        rig.sense(Event::Beam(beam, true));
        shut(&mut rig);
        let aborted = Some(Fault::Interrupted(Cut::Stopped));
        assert_eq!(rig.stopped(), aborted, "{beam:?}: a card may have been forgotten");
        assert_eq!(rig.start(), Err(Refused::OutOfTurn), "{beam:?}");
        rig.sense(Event::Beam(beam, false));
        shut(&mut rig);
        rig.sense(Event::Beam(beam, true));
        shut(&mut rig);
        assert_eq!(rig.stopped(), aborted, "{beam:?}: it was free in between");
        shut(&mut rig);
        assert_eq!(rig.stopped(), Some(Fault::Sensor(beam)));
        assert!(rig.shown().out_of_order, "{beam:?}");
    }
}
