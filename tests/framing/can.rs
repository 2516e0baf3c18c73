//! Cyphal/CAN: what is sent arrives, once, whole and in order, or not at all.

use std::slice;

use crate::harness::*;
use croupier::protocol::counters::Counters;
use croupier::protocol::framing::can::{FORGET_AFTER, Frame, Frames, Receiver, Unsendable};
use croupier::protocol::transfer::{Header, Port, Priority, Transfer};
use croupier::time::Instant;
use embedded_can::{ExtendedId, StandardId};

type Rx = Receiver<8, LONGEST>;

fn receive(rx: &mut Rx, frames: &[Frame], now: Instant) -> Vec<Owned> {
    let all = Everything(LONGEST);
    frames.iter().filter_map(|frame| rx.accept(frame, now, &all).map(Owned::from)).collect()
}

fn raw(id: u32, data: &[u8]) -> Frame {
    Frame::new(ExtendedId::new(id).unwrap(), data).unwrap()
}

// The worked example of specification 4.2.3: a heartbeat of node 42.
#[test]
fn a_heartbeat_is_the_frame_of_the_specification() {
    let header = Header {
        priority: Priority::Nominal,
        port: subject(7509),
        source: Some(node(42)),
        transfer_id: 0,
    };
    let payload = &[0x00, 0x00, 0x00, 0x00, 0x04, 0x78, 0x68];
    let frames: Vec<_> = Frames::of(&Transfer { header, payload }).unwrap().collect();
    let wire = [0x00, 0x00, 0x00, 0x00, 0x04, 0x78, 0x68, 0xE0];
    assert_eq!(frames, [raw(0x107D_552A, &wire)]);
}

// A capture of another implementation's node (pycyphal issue 288).
#[test]
fn a_captured_transfer_of_ten_frames_is_understood_and_cut_to_the_extent() {
    let mut rx = Receiver::<1, 2>::for_node(NODE);
    let zeros = |tail| [0, 0, 0, 0, 0, 0, 0, tail];
    let mut frames = vec![raw(0x1064_4C7F, &[9, 0x30, 0, 0, 0, 0, 0, 0xB1])];
    let middle = [0x11, 0x31, 0x11, 0x31, 0x11, 0x31, 0x11];
    frames.extend(middle.map(|tail| raw(0x1064_4C7F, &zeros(tail))));
    frames.push(raw(0x1064_4C7F, &[0, 0, 0, 0, 0, 0, 0x10, 0x31]));
    for frame in &frames {
        assert_eq!(rx.accept(frame, at(0), &Everything(2)), None);
    }
    let last = raw(0x1064_4C7F, &[0x4A, 0x51]);
    let transfer = rx.accept(&last, at(0), &Everything(2)).unwrap();
    assert_eq!((transfer.header.transfer_id, transfer.payload), (17, &[9, 0x30][..]));
}

// Issue 3: a sealed event of 40 bytes takes six frames.
#[test]
fn lengths_take_as_few_frames_as_the_bus_allows() {
    for (length, frames) in [(0, 1), (7, 1), (8, 2), (12, 2), (13, 3), (40, 6), (41, 7)] {
        let transfer = message(1, 6144, 0, length);
        assert_eq!(Frames::of(&transfer.lend()).unwrap().len(), frames, "{length} bytes");
        assert_eq!(transfer.frames().len(), frames, "{length} bytes");
    }
}

#[test]
fn every_length_and_kind_comes_back_as_it_was_sent() {
    let mut dice = Dice(1);
    let mut rx = Rx::for_node(NODE);
    for round in 0..40 {
        for length in 0..=LONGEST {
            let sent = any_transfer(&mut dice, length);
            let now = at((round * 301 + length as u64) * 3_000);
            let received = receive(&mut rx, &sent.frames(), now);
            assert_eq!(received, [sent.on_can()]);
        }
    }
    assert_eq!(*rx.counters(), Counters { delivered: 40 * 301, ..Counters::ZERO });
}

#[test]
fn a_port_counts_past_the_five_bits_of_its_transfer_id() {
    let mut rx = Rx::for_node(NODE);
    for number in 0..100 {
        for length in [3, 30] {
            let port = 6144 + length as u16;
            let sent = message(9, port, number, length);
            assert_eq!(receive(&mut rx, &sent.frames(), at(number)), [sent.on_can()]);
        }
    }
}

/// Frames of each of `nodes` senders stay in order; which sender comes next is chance.
fn shuffled_senders(dice: &mut Dice, nodes: u8, transfers: u64) -> (Vec<Owned>, Vec<Frame>) {
    let mut sent = Vec::new();
    let mut queues: Vec<Vec<Frame>> = Vec::new();
    for source in 1..=nodes {
        let mine: Vec<_> =
            (0..transfers).map(|number| message(source, 6144, number, dice.below(60))).collect();
        queues.push(mine.iter().flat_map(Owned::frames).rev().collect());
        sent.extend(mine.into_iter().map(Owned::on_can));
    }
    let mut frames = Vec::new();
    while queues.iter().any(|queue| !queue.is_empty()) {
        let queue = dice.below(queues.len());
        frames.extend(queues[queue].pop());
    }
    (sent, frames)
}

/// What `source` said, in order.
fn said_by(source: u8, transfers: &[Owned]) -> Vec<&Owned> {
    transfers.iter().filter(|transfer| transfer.header.source == Some(node(source))).collect()
}

#[test]
fn senders_that_interleave_are_all_understood() {
    let (sent, frames) = shuffled_senders(&mut Dice(2), 8, 100);
    let mut rx = Rx::for_node(NODE);
    let received = receive(&mut rx, &frames, at(0));
    for source in 1..=8 {
        assert_eq!(said_by(source, &received), said_by(source, &sent));
    }
    assert_eq!(*rx.counters(), Counters { delivered: 800, ..Counters::ZERO });
}

// CM-13: a frame that a bus error repeats is taken once.
#[test]
fn repeated_frames_change_nothing() {
    let mut dice = Dice(3);
    let (sent, frames) = shuffled_senders(&mut dice, 8, 100);
    let twice: Vec<_> = frames.iter().flat_map(|&frame| [frame, frame]).collect();
    let mut rx = Rx::for_node(NODE);
    let received = receive(&mut rx, &twice, at(0));
    for source in 1..=8 {
        assert_eq!(said_by(source, &received), said_by(source, &sent));
    }
    assert!(rx.counters().duplicates > 0);
}

// CM-13: with frames lost, repeated or swapped, what arrives is right and comes once.
#[test]
fn a_bad_bus_loses_transfers_but_never_invents_one() {
    let mut dice = Dice(4);
    let (mut received_in_all, mut losses) = (0, 0);
    for _ in 0..50 {
        let (sent, frames) = shuffled_senders(&mut dice, 8, 40);
        let mut damaged: Vec<Frame> = Vec::new();
        for frame in frames {
            match dice.below(50) {
                0 => losses += 1,
                1 => damaged.extend([frame, frame]),
                2 => damaged.insert(damaged.len().saturating_sub(1), frame),
                _ => damaged.push(frame),
            }
        }
        let mut rx = Rx::for_node(NODE);
        let received = receive(&mut rx, &damaged, at(0));
        received_in_all += received.len();
        for transfer in &received {
            let times = |list: &[Owned]| list.iter().filter(|one| *one == transfer).count();
            assert!(times(&received) <= times(&sent), "{transfer:?}");
        }
    }
    assert!(losses > 1_000 && received_in_all > 50 * 320 * 7 / 10, "{received_in_all} received");
}

#[test]
fn a_lost_frame_costs_its_own_transfer_only() {
    let first = message(5, 6144, 1, 40);
    let next = message(5, 6144, 2, 40);
    for lost in 0..6 {
        let mut rx = Rx::for_node(NODE);
        let mut frames = first.frames();
        frames.remove(lost);
        frames.extend(next.frames());
        assert_eq!(
            receive(&mut rx, &frames, at(0)),
            slice::from_ref(&next),
            "without frame {lost}"
        );
    }
}

// The same event twice, and the bus off from the middle of one to the middle of the other.
#[test]
fn halves_of_two_equal_transfers_are_not_joined() {
    let first = message(5, 6144, 1, 40).frames();
    let second = message(5, 6144, 2, 40).frames();
    let mut rx = Rx::for_node(NODE);
    let halves = [&first[..3], &second[3..]].concat();
    assert_eq!(receive(&mut rx, &halves, at(0)), []);
    assert_eq!(rx.counters().strays, 3);
}

#[test]
fn a_flipped_bit_anywhere_in_the_payload_is_caught() {
    let sent = message(5, 6144, 1, 40);
    let frames = sent.frames();
    for place in 0..frames.len() {
        let payload = frames[place].data().len() - 1;
        for bit in 0..8 * payload {
            let mut data = frames[place].data().to_vec();
            data[bit / 8] ^= 1 << (bit % 8);
            let mut damaged = frames.clone();
            damaged[place] = Frame::new(frames[place].id(), &data).unwrap();
            let mut rx = Rx::for_node(NODE);
            assert_eq!(receive(&mut rx, &damaged, at(0)), []);
            assert_eq!(rx.counters().checksums, 1, "frame {place} bit {bit}");
        }
    }
}

#[test]
fn a_transfer_that_repeats_is_new_only_after_the_time_out() {
    for length in [3, 30] {
        let sent = message(5, 6144, 1, length);
        let mut rx = Rx::for_node(NODE);
        assert_eq!(receive(&mut rx, &sent.frames(), at(100)).len(), 1);
        assert_eq!(receive(&mut rx, &sent.frames(), at(100) + FORGET_AFTER).len(), 0);
        let before = rx.counters().duplicates;
        assert_eq!(before, sent.frames().len() as u32);
        assert_eq!(receive(&mut rx, &sent.frames(), at(101) + FORGET_AFTER).len(), 1);
    }
}

#[test]
fn a_transfer_that_stops_halfway_is_given_up_after_the_time_out() {
    let sent = message(5, 6144, 1, 40).frames();
    let mut rx = Rx::for_node(NODE);
    assert_eq!(receive(&mut rx, &sent[..3], at(0)).len(), 0);
    assert_eq!(receive(&mut rx, &sent[3..], at(1) + FORGET_AFTER).len(), 0);
    assert_eq!((rx.counters().timed_out, rx.counters().strays), (1, 2));
    let mut rx = Rx::for_node(NODE);
    assert_eq!(receive(&mut rx, &sent[..3], at(0)).len(), 0);
    assert_eq!(receive(&mut rx, &sent[3..], at(0) + FORGET_AFTER).len(), 1);
}

#[test]
fn a_transfer_whose_checksum_failed_may_be_sent_again_at_once() {
    let sent = message(5, 6144, 1, 40);
    let mut damaged = sent.frames();
    damaged[2] = Frame::new(damaged[2].id(), &[0, 0, 0, 0, 0, 0, 0, damaged[2].data()[7]]).unwrap();
    let mut rx = Rx::for_node(NODE);
    assert_eq!(receive(&mut rx, &damaged, at(0)), []);
    assert_eq!(receive(&mut rx, &sent.frames(), at(0)), [sent]);
}

#[test]
fn a_new_start_takes_the_place_of_an_unfinished_transfer() {
    let mut rx = Rx::for_node(NODE);
    let first = message(5, 6144, 1, 40).frames();
    receive(&mut rx, &first[..4], at(0));
    let next = message(5, 6144, 2, 40);
    assert_eq!(receive(&mut rx, &next.frames(), at(0)), [next]);
    assert_eq!(rx.counters().unfinished, 1);
}

#[test]
fn a_long_transfer_is_cut_to_the_extent_and_still_checked() {
    let sent = message(5, 6144, 1, LONGEST);
    for extent in [0, 1, 7, 8, 13, 14, 299, 300, 301] {
        let mut rx = Rx::for_node(NODE);
        let received = |rx: &mut Rx, frames: &[Frame]| {
            let all = Everything(extent);
            let received =
                frames.iter().find_map(|frame| rx.accept(frame, at(0), &all).map(Owned::from));
            received.map(|received| received.payload)
        };
        let frames = sent.frames();
        let kept = extent.min(LONGEST);
        assert_eq!(received(&mut rx, &frames).unwrap(), sent.payload[..kept], "extent {extent}");
        let mut damaged = message(5, 6144, 2, LONGEST).frames();
        let last = damaged.len() - 2;
        damaged[last] = Frame::new(damaged[last].id(), &[1, 2, 3, 4, 5, 6, 7, 0x22]).unwrap();
        assert_eq!(received(&mut rx, &damaged), None, "extent {extent}");
        assert_eq!(rx.counters().delivered, 1);
    }
}

#[test]
fn what_the_memory_cannot_hold_is_refused_and_not_cut() {
    let mut rx = Receiver::<1, 32>::for_node(NODE);
    let all = Everything(64);
    let mut receive = |sent: &Owned| {
        let frames = sent.frames();
        let received =
            frames.iter().find_map(|frame| rx.accept(frame, at(0), &all).map(Owned::from));
        (received, rx.counters().overflows)
    };
    let fits = message(5, 6144, 1, 32);
    assert_eq!(receive(&fits), (Some(fits.clone()), 0));
    assert_eq!(receive(&message(5, 6144, 2, 33)), (None, 1));
    let next = message(5, 6144, 3, 20);
    assert_eq!(receive(&next), (Some(next.clone()), 1));
}

#[test]
fn traffic_for_others_and_of_others_is_counted_and_dropped() {
    let mut rx = Rx::for_node(NODE);
    let only = Only(request(256));
    let mut drop = |frame: Frame| {
        let before = *rx.counters();
        assert_eq!(rx.accept(&frame, at(0), &only), None);
        (before, *rx.counters())
    };
    let (before, after) = drop(Frame::new(StandardId::ZERO, &[0xE0]).unwrap());
    assert_eq!(after, Counters { foreign: before.foreign + 1, ..before }, "11 bits");
    let (before, after) = drop(raw(0x107D_552A | 1 << 23, &[0xE0]));
    assert_eq!(after, Counters { foreign: before.foreign + 1, ..before }, "reserved bit");
    let (before, after) = drop(raw(0x107D_552B, &[0xC0]));
    assert_eq!(after, Counters { foreign: before.foreign + 1, ..before }, "the predecessor");
    let (before, after) = drop(raw(0x107D_552B, &[]));
    assert_eq!(after, Counters { malformed: before.malformed + 1, ..before }, "no tail");
    let (before, after) = drop(raw(0x107D_552B, &[0xE0]));
    assert_eq!(after, Counters { unwanted: before.unwanted + 1, ..before }, "no listener");
    let (before, after) = drop(raw(0x107D_552A, &[0xE0]));
    assert_eq!(after, Counters { impostors: before.impostors + 1, ..before }, "our number");
    let mut other = message(5, 6144, 0, 3);
    let Port::Request(service, _) = request(256) else { unreachable!() };
    other.header.port = Port::Request(service, node(43));
    let (before, after) = drop(other.frames()[0]);
    assert_eq!(after, Counters { unwanted: before.unwanted + 1, ..before }, "another's");
}

#[test]
fn frames_that_no_sender_may_make_are_malformed() {
    for (data, anonymous, what) in [
        (&[1, 2, 3, 0xA0][..], false, "a start that is not full"),
        (&[1, 2, 3, 4, 5, 6, 0x00][..], false, "a middle that is not full"),
        (&[0x40][..], false, "an end without bytes"),
        (&[1, 2, 3, 4, 5, 6, 7, 0xA0][..], true, "an anonymous start"),
        (&[1, 0x40][..], true, "an anonymous end"),
    ] {
        let mut rx = Rx::for_node(NODE);
        let id = 0x107D_552B | u32::from(anonymous) << 24;
        assert_eq!(receive(&mut rx, &[raw(id, data)], at(0)), []);
        assert_eq!(*rx.counters(), Counters { malformed: 1, ..Counters::ZERO }, "{what}");
    }
}

#[test]
fn an_onlooker_receives_services_between_others() {
    let mut rx = Receiver::<2, 64>::for_onlooker();
    let mut sent = message(5, 6144, 0, 3);
    let Port::Request(service, _) = request(256) else { unreachable!() };
    sent.header.port = Port::Request(service, node(43));
    let received = rx.accept(&sent.frames()[0], at(0), &Everything(64)).map(Owned::from);
    assert_eq!(received, Some(sent));
}

#[test]
fn without_a_number_only_short_messages_can_be_sent() {
    let mut transfer = message(5, 6144, 0, 8);
    transfer.header.source = None;
    assert_eq!(Frames::of(&transfer.lend()).err(), Some(Unsendable::AnonymousLong));
    transfer.payload.pop();
    assert!(Frames::of(&transfer.lend()).is_ok());
    transfer.header.port = request(256);
    assert_eq!(Frames::of(&transfer.lend()).err(), Some(Unsendable::AnonymousService));
}

/// The debug text shows all there is, which is how a test outside can look inside.
#[test]
fn wiping_leaves_nothing_of_a_delivered_transfer() {
    let mut rx = Receiver::<1, 32>::for_node(NODE);
    let mut secret = message(5, 6144, 0, 32);
    secret.payload.fill(0xA7);
    for frame in &secret.frames() {
        rx.accept(frame, at(0), &Everything(32));
    }
    let inside = |rx: &Receiver<1, 32>| format!("{rx:?}");
    assert!(inside(&rx).contains("167, 167"));
    rx.wipe();
    assert!(!inside(&rx).contains("167"));
}
