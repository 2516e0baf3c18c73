//! Cyphal/CAN reassembly under attack: no node can keep the others from being received.

use crate::harness::*;
use croupier::protocol::framing::can::{FORGET_AFTER, Frame, Receiver};
use croupier::protocol::transfer::Priority;
use croupier::time::Instant;

const SLOTS: usize = 8;
type Rx = Receiver<SLOTS, 64>;

fn receive(rx: &mut Rx, frame: &Frame, now: Instant) -> Option<Owned> {
    rx.accept(frame, now, &Everything(64)).map(Owned::from)
}

/// A beginning, as urgent as can be, that is never finished.
fn beginning(source: u8, port: u16) -> Frame {
    let mut transfer = message(source, port, 0, 20);
    transfer.header.priority = Priority::Exceptional;
    transfer.frames()[0]
}

/// What is received of a 40-byte command when `babble` gets frames in after each of its own.
fn command_under(rx: &mut Rx, mut babble: impl FnMut(&mut Rx)) -> Option<Owned> {
    let command = message(1, 6200, 7, 40);
    let mut received = None;
    for frame in &command.frames() {
        babble(rx);
        received = received.or(receive(rx, frame, at(0)));
    }
    assert!(received.is_none() || received == Some(command));
    received
}

// CM-13: a node gone mad on all its ports, a thousand beginnings to each frame of ours.
#[test]
fn a_babbling_node_pushes_out_only_itself() {
    let mut rx = Rx::for_node(NODE);
    let mut port = 0;
    let received = command_under(&mut rx, |rx| {
        for _ in 0..1_000 {
            port = (port + 1) % 8_000;
            receive(rx, &beginning(99, port), at(0));
        }
    });
    assert!(received.is_some());
    assert!(rx.counters().evicted > 5_000);
}

// CM-13: seven such nodes at once, and ours still has its fair share of eight places.
#[test]
fn every_sender_keeps_its_fair_share() {
    let mut rx = Rx::for_node(NODE);
    let mut turn = 0u16;
    let received = command_under(&mut rx, |rx| {
        for _ in 0..1_000 {
            turn = turn.wrapping_add(1);
            receive(rx, &beginning(100 + (turn % 7) as u8, turn % 8_000), at(0));
        }
    });
    assert!(received.is_some());
}

// CM-03: a forger with a number for every frame must fill all places between two frames.
#[test]
fn a_forger_of_many_numbers_must_own_the_bus_to_win() {
    let mut forged = 0u16;
    let mut with = |between: usize| {
        let mut rx = Rx::for_node(NODE);
        for source in 50..50 + SLOTS as u8 {
            receive(&mut rx, &beginning(source, 8_001), at(0));
        }
        command_under(&mut rx, |rx| {
            for _ in 0..between {
                forged = forged.wrapping_add(1);
                receive(rx, &beginning(50 + (forged % 60) as u8, forged % 8_000), at(0));
            }
        })
        .is_some()
    };
    assert!((0..SLOTS).all(&mut with), "fewer frames than places do not win");
    assert!(!with(10 * SLOTS), "the limit is where the documentation says it is");
}

// CM-03: to lock everyone out for two seconds must cost more than a few frames.
#[test]
fn a_few_false_beginnings_hold_no_place_against_the_living() {
    let mut rx = Rx::for_node(NODE);
    for source in 50..50 + SLOTS as u8 {
        receive(&mut rx, &beginning(source, 6144), at(0));
    }
    assert!(command_under(&mut rx, |_| ()).is_some());
    assert_eq!(rx.counters().evicted, 1);
}

#[test]
fn what_timed_out_goes_before_what_lives() {
    let mut rx = Rx::for_node(NODE);
    receive(&mut rx, &beginning(50, 6144), at(0));
    let now = at(1) + FORGET_AFTER;
    // One sender holds all the other places, and would otherwise be the one to give way.
    let living: Vec<_> = (1..SLOTS as u16).map(|n| message(60, 6144 + n, 0, 20)).collect();
    for transfer in &living {
        receive(&mut rx, &transfer.frames()[0], now);
    }
    let command = message(1, 6200, 7, 40);
    let received = command.frames().iter().find_map(|frame| receive(&mut rx, frame, now));
    assert_eq!(received, Some(command));
    for transfer in living {
        let rest = &transfer.frames()[1..];
        let received = rest.iter().find_map(|frame| receive(&mut rx, frame, now));
        assert_eq!(received, Some(transfer));
    }
    assert_eq!((rx.counters().timed_out, rx.counters().evicted), (1, 0));
}

// CM-13: when all places are busy, single frames pass and disturb no transfer.
#[test]
fn single_frames_are_never_refused_and_disturb_nobody() {
    let mut rx = Rx::for_node(NODE);
    let transfers: Vec<_> = (0..SLOTS as u8).map(|n| message(60 + n, 6144, 0, 20)).collect();
    for transfer in &transfers {
        receive(&mut rx, &transfer.frames()[0], at(0));
    }
    for number in 0..1_000 {
        let single = message((number % 40) as u8, 6300, number, 7);
        assert_eq!(receive(&mut rx, &single.frames()[0], at(0)), Some(single.on_can()));
    }
    for transfer in transfers {
        let rest = &transfer.frames()[1..];
        assert_eq!(rest.iter().find_map(|frame| receive(&mut rx, frame, at(0))), Some(transfer));
    }
    assert_eq!(rx.counters().evicted, 0);
}

#[test]
fn a_transfer_without_end_takes_one_place_and_no_more_memory() {
    let mut rx = Receiver::<1, 64>::for_node(NODE);
    let frames = message(99, 6144, 0, 40).frames();
    rx.accept(&frames[0], at(0), &Everything(16));
    for _ in 0..100_000 {
        for frame in &frames[1..3] {
            assert_eq!(rx.accept(frame, at(0), &Everything(16)), None);
        }
    }
    let next = message(99, 6144, 1, 16);
    let received = next
        .frames()
        .iter()
        .find_map(|frame| rx.accept(frame, at(0), &Everything(16)).map(Owned::from));
    assert_eq!(received, Some(next));
}

#[test]
fn without_any_place_single_frames_still_pass() {
    let mut rx = Receiver::<0, 64>::for_node(NODE);
    let single = message(1, 6144, 0, 7);
    let received = rx.accept(&single.frames()[0], at(0), &Everything(64)).map(Owned::from);
    assert_eq!(received, Some(single));
    assert_eq!(rx.accept(&beginning(1, 6144), at(0), &Everything(64)), None);
    assert_eq!(rx.counters().overflows, 1);
}
