//! The slots behind a waiting stack: no card stays inside unsaid, and no cycle waits for that.

use crate::harness::{Mishap, Rig};
use croupier::protocol::generated::croupier::common::Role;
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::Fault;

/// SH-07, SH-08: a card too many hidden by a double feed agrees with every counter; the slots
/// tell, while the stack still waits.
#[test]
fn a_card_too_many_that_a_double_feed_hides_is_found_in_its_slot() {
    for card in 1..53 {
        let mut rig = Rig::single(53);
        rig.world.mishap = Some(Mishap::HiddenDouble(card));
        rig.shuffle();
        assert_eq!(rig.stopped(), Some(Fault::WrongCount(53)), "card {card}");
        assert!(!rig.is_certified() && rig.shown().door_locked);
        assert_eq!((rig.world.inside(), rig.world.delivery.len()), (0, 53));
    }
}

/// SH-07, SH-33: a dealer need not wait for that; then nothing moves behind the open door,
/// the inventory is not certain, and the next cycle finds the card.
#[test]
fn a_stack_may_be_had_before_every_slot_was_tried_and_the_card_is_found_later() {
    let mut rig = Rig::single(53);
    rig.world.mishap = Some(Mishap::HiddenDouble(7));
    rig.shuffle_only();
    assert!(rig.shuffler.is_proving() && !rig.shuffler.record().inventory.certain);
    assert_eq!(rig.command(Task::Release, Purpose::None, Role::Dealer), Ok(()));
    assert!(!rig.shuffler.is_proving() && rig.shuffler.deadline().is_none(), "motors stand");
    let stack = rig.take_stack();
    assert_eq!((stack.len(), rig.world.inside()), (52, 1));
    rig.command(Task::Dealt, Purpose::None, Role::Dealer).unwrap();
    rig.put_in(stack);
    rig.shuffle();
    assert_eq!(rig.stopped(), Some(Fault::WrongCount(53)));
    assert_eq!(rig.world.inside(), 0);
}

/// CM-12: the stop key ends the trying of slots, and takes nothing from the stack.
#[test]
fn the_stop_key_stops_the_wheel_behind_a_waiting_stack() {
    let mut rig = Rig::single(52);
    rig.shuffle_only();
    assert!(rig.shuffler.is_proving());
    assert_eq!(rig.command(Task::Abort, Purpose::None, Role::Controller), Ok(()));
    assert!(rig.shuffler.deadline().is_none() && rig.is_certified());
    assert!(!rig.shuffler.record().inventory.certain);
    let mut patient = Rig::single(52);
    patient.shuffle();
    assert!(patient.shuffler.record().inventory.certain && patient.is_certified());
}
