//! EMPTY of a circulating machine: every card comes out, and is counted.

use crate::continuous::{BATCH, check_inventory, circulating, draw, played};
use crate::harness::{Card, Mishap, Rig, cards};
use croupier::cards::BackColour::{Blue, Red};
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{Game, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Back, DeviceEvent, Fault, Model, State};

/// SH-19: an EMPTY that is refused leaves the machine as it was: nothing is dropped, nothing stops.
#[test]
fn an_empty_that_is_refused_changes_nothing() {
    let mut rig = circulating();
    draw(&mut rig);
    rig.set_door(true);
    let before = rig.shuffler.circulation().unwrap().inventory();
    let refused = rig.command(Task::Empty, Purpose::None, Role::Floorperson);
    assert_eq!((refused, rig.shuffler.state()), (Err(Refused::OutOfTurn), State::Circulating));
    assert_eq!(rig.shuffler.circulation().map(|going| going.inventory()), Some(before));
    draw(&mut rig);
    check_inventory(&rig);
    rig.set_door(false);
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Floorperson), Ok(()));
    let begun = |rig: &Rig| rig.shuffler.circulation().is_none();
    while !begun(&rig) {
        assert!(rig.step(), "EMPTY begins");
    }
    let inventory = rig.shuffler.record().inventory;
    assert_eq!(
        (inventory.inside, inventory.out),
        (before.inside - 1, 2),
        "as they were last known"
    );
    assert!(!inventory.certain, "until all came out");
    rig.run();
    assert_eq!((rig.world.inside(), rig.shuffler.record().inventory.inside), (0, 0));
    let notices = rig.events.iter().filter(|event| matches!(event, DeviceEvent::Irregularity(_)));
    assert_eq!(notices.count(), 0, "all that was known came out");
}

/// SH-06, SH-19: EMPTY at any moment brings every card out, whatever is under way.
#[test]
fn an_empty_at_any_moment_leaves_no_card_inside() {
    let mut begun = 0;
    let steps = (0..1_860).step_by(149).chain((1_860..).step_by(3));
    for steps in steps {
        let mut rig = Rig::new(Model::Continuous, Game::FreeBet, 6);
        rig.put_in(cards(BATCH, Red));
        if played(&mut rig, steps) {
            break;
        }
        if rig.shuffler.state() != State::Circulating {
            continue;
        }
        begun += 1;
        let asked = rig.command(Task::Empty, Purpose::None, Role::Dealer);
        assert_eq!(asked, Ok(()), "after {steps} steps");
        if rig.shuffler.circulation().is_some() {
            let again = rig.command(Task::Empty, Purpose::None, Role::Dealer);
            let round = rig.command(Task::NextRound, Purpose::None, Role::Dealer);
            let both = (Err(Refused::Busy), Err(Refused::Busy));
            assert_eq!((again, round), both, "after {steps} steps");
        }
        rig.run();
        assert_eq!(rig.stopped(), None, "after {steps} steps");
        assert_eq!((rig.world.inside(), rig.world.path.len()), (0, 0), "after {steps} steps");
        assert_eq!(rig.world.all_cards(), usize::from(BATCH), "after {steps} steps");
        assert_eq!(rig.shuffler.record().inventory.inside, 0);
    }
    assert!(begun > 40, "{begun} moments");
}

/// SH-19: EMPTY counts. Where another number comes out than went in, no number is called certain.
#[test]
fn an_empty_that_brings_out_another_number_is_not_believed() {
    let mut rig = circulating();
    rig.world.mishap = Some(Mishap::DoubleEject(rig.world.ejects + 1));
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Dealer), Ok(()));
    rig.run();
    assert_eq!(rig.stopped(), Some(Fault::CountNotValid), "one fewer than the machine knew of");
    assert!(!rig.shuffler.record().inventory.certain);
    let mut rig = circulating();
    let slot = rig.world.slots.iter().position(|slot| !slot.is_empty()).unwrap();
    rig.world.slots[slot].push_back(Card { number: 999, back: Back::Colour(Red) });
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Dealer), Ok(()));
    rig.run();
    assert_eq!(rig.stopped(), Some(Fault::CountNotValid), "one more");
}

/// SH-19: a continuous machine is looked at when it starts, however certain it is, and when it
/// was emptied.
#[test]
fn a_continuous_machine_is_looked_at_when_it_starts_and_when_it_is_emptied() {
    let mut rig = Rig::new(Model::Continuous, Game::FreeBet, 6);
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Floorperson), Ok(()));
    rig.run();
    assert!(rig.shuffler.record().inventory.certain);
    assert_eq!((rig.world.looks, rig.world.ejects), (1, 0), "no slot was tried");
    rig.put_in(cards(312, Red));
    rig.start().unwrap();
    rig.run();
    assert_eq!((rig.shuffler.state(), rig.world.looks), (State::Circulating, 2));
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Floorperson), Ok(()));
    rig.run();
    assert_eq!((rig.world.looks, rig.world.inside(), rig.world.delivery.len()), (4, 0, 312));
    assert_eq!(rig.shuffler.state(), State::Releasing);
    let inventory = rig.shuffler.record().inventory;
    assert_eq!((inventory.inside, inventory.delivered, inventory.certain), (0, 312, true));
    rig.take_stack();
    // A card that somebody left in it does not circulate unseen.
    rig.set_lid(true);
    rig.world.slots[7].push_back(cards(1, Blue)[0]);
    rig.set_lid(false);
    rig.put_in(cards(312, Red));
    rig.start().unwrap();
    rig.run();
    assert!(rig.stopped().is_some(), "{:?}", rig.shuffler.state());
}
