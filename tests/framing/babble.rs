//! Cyphal/CAN reassembly under attack: nobody can keep the others from being heard.

use crate::harness::*;
use croupier::protocol::framing::can::{FORGET_AFTER, Frame, Receiver};
use croupier::protocol::transfer::Priority;
use croupier::time::Instant;

const SLOTS: usize = 8;
type Ears = Receiver<SLOTS, 64>;

fn hear(ears: &mut Ears, frame: &Frame, now: Instant) -> Option<Owned> {
    ears.accept(frame, now, &Everything(64)).map(Owned::from)
}

/// A beginning, as urgent as can be, that is never finished.
fn beginning(source: u8, port: u16) -> Frame {
    let mut transfer = message(source, port, 0, 20);
    transfer.header.priority = Priority::Exceptional;
    transfer.frames()[0]
}

/// What is heard of a 40-byte command when `babble` gets frames in after each of its own.
fn command_under(ears: &mut Ears, mut babble: impl FnMut(&mut Ears)) -> Option<Owned> {
    let command = message(1, 6200, 7, 40);
    let mut heard = None;
    for frame in &command.frames() {
        babble(ears);
        heard = heard.or(hear(ears, frame, at(0)));
    }
    assert!(heard.is_none() || heard == Some(command));
    heard
}

// CM-13: a node gone mad on all its ports, a thousand beginnings to each frame of ours.
#[test]
fn a_babbling_node_pushes_out_only_itself() {
    let mut ears = Ears::for_node(EAR);
    let mut port = 0;
    let heard = command_under(&mut ears, |ears| {
        for _ in 0..1_000 {
            port = (port + 1) % 8_000;
            hear(ears, &beginning(99, port), at(0));
        }
    });
    assert!(heard.is_some());
    assert!(ears.counters().evicted > 5_000);
}

// CM-13: seven such nodes at once, and ours still has its fair share of eight places.
#[test]
fn every_sender_keeps_its_fair_share() {
    let mut ears = Ears::for_node(EAR);
    let mut turn = 0u16;
    let heard = command_under(&mut ears, |ears| {
        for _ in 0..1_000 {
            turn = turn.wrapping_add(1);
            hear(ears, &beginning(100 + (turn % 7) as u8, turn % 8_000), at(0));
        }
    });
    assert!(heard.is_some());
}

// CM-03: a forger with a number for every frame must fill all places between two frames.
#[test]
fn a_forger_of_many_numbers_must_own_the_bus_to_win() {
    let mut forged = 0u16;
    let mut with = |between: usize| {
        let mut ears = Ears::for_node(EAR);
        for source in 50..50 + SLOTS as u8 {
            hear(&mut ears, &beginning(source, 8_001), at(0));
        }
        command_under(&mut ears, |ears| {
            for _ in 0..between {
                forged = forged.wrapping_add(1);
                hear(ears, &beginning(50 + (forged % 60) as u8, forged % 8_000), at(0));
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
    let mut ears = Ears::for_node(EAR);
    for source in 50..50 + SLOTS as u8 {
        hear(&mut ears, &beginning(source, 6144), at(0));
    }
    assert!(command_under(&mut ears, |_| ()).is_some());
    assert_eq!(ears.counters().evicted, 1);
}

#[test]
fn what_timed_out_goes_before_what_lives() {
    let mut ears = Ears::for_node(EAR);
    hear(&mut ears, &beginning(50, 6144), at(0));
    let now = at(1) + FORGET_AFTER;
    // One sender holds all the other places, and would otherwise be the one to give way.
    let living: Vec<_> = (1..SLOTS as u16).map(|n| message(60, 6144 + n, 0, 20)).collect();
    for transfer in &living {
        hear(&mut ears, &transfer.frames()[0], now);
    }
    let command = message(1, 6200, 7, 40);
    let heard = command.frames().iter().find_map(|frame| hear(&mut ears, frame, now));
    assert_eq!(heard, Some(command));
    for transfer in living {
        let rest = &transfer.frames()[1..];
        let heard = rest.iter().find_map(|frame| hear(&mut ears, frame, now));
        assert_eq!(heard, Some(transfer));
    }
    assert_eq!((ears.counters().timed_out, ears.counters().evicted), (1, 0));
}

// CM-13: when all places are busy, single frames pass and disturb nobody.
#[test]
fn single_frames_are_never_refused_and_disturb_nobody() {
    let mut ears = Ears::for_node(EAR);
    let transfers: Vec<_> = (0..SLOTS as u8).map(|n| message(60 + n, 6144, 0, 20)).collect();
    for transfer in &transfers {
        hear(&mut ears, &transfer.frames()[0], at(0));
    }
    for number in 0..1_000 {
        let single = message((number % 40) as u8, 6300, number, 7);
        assert_eq!(hear(&mut ears, &single.frames()[0], at(0)), Some(single.on_can()));
    }
    for transfer in transfers {
        let rest = &transfer.frames()[1..];
        assert_eq!(rest.iter().find_map(|frame| hear(&mut ears, frame, at(0))), Some(transfer));
    }
    assert_eq!(ears.counters().evicted, 0);
}

#[test]
fn a_transfer_without_end_takes_one_place_and_no_more_memory() {
    let mut ears = Receiver::<1, 64>::for_node(EAR);
    let frames = message(99, 6144, 0, 40).frames();
    ears.accept(&frames[0], at(0), &Everything(16));
    for _ in 0..100_000 {
        for frame in &frames[1..3] {
            assert_eq!(ears.accept(frame, at(0), &Everything(16)), None);
        }
    }
    let next = message(99, 6144, 1, 16);
    let heard = next
        .frames()
        .iter()
        .find_map(|frame| ears.accept(frame, at(0), &Everything(16)).map(Owned::from));
    assert_eq!(heard, Some(next));
}

#[test]
fn without_any_place_single_frames_still_pass() {
    let mut ears = Receiver::<0, 64>::for_node(EAR);
    let single = message(1, 6144, 0, 7);
    let heard = ears.accept(&single.frames()[0], at(0), &Everything(64)).map(Owned::from);
    assert_eq!(heard, Some(single));
    assert_eq!(ears.accept(&beginning(1, 6144), at(0), &Everything(64)), None);
    assert_eq!(ears.counters().overflows, 1);
}
