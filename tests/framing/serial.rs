//! Cyphal/serial: what is sent arrives whole, or not at all, whatever is around it.

use std::slice;

use crate::harness::*;
use croupier::protocol::counters::Counters;
use croupier::protocol::framing::serial::{Decoder, Unsendable, encode, most_bytes};
use croupier::protocol::transfer::Port;

type Rx = Decoder<LONGEST>;

fn wire(transfer: &Owned) -> Vec<u8> {
    let mut out = vec![0xAA; most_bytes(transfer.payload.len())];
    encode(&transfer.lend(), &mut out).unwrap().to_vec()
}

fn receive(rx: &mut Rx, bytes: &[u8]) -> Vec<Owned> {
    let all = Everything(LONGEST);
    bytes.iter().filter_map(|&byte| rx.accept(byte, &all).map(Owned::from)).collect()
}

/// The bytes between the delimiters, so that a test can change them.
fn open(wire: &[u8]) -> Vec<u8> {
    let mut inside = wire[1..].to_vec();
    let length = cobs::decode_in_place(&mut inside).unwrap();
    inside.truncate(length);
    inside
}

/// A frame around any bytes.
fn close(inside: &[u8]) -> Vec<u8> {
    let mut out = vec![0; cobs::max_encoding_length(inside.len()) + 2];
    let length = cobs::try_encode_including_sentinels(inside, &mut out).unwrap();
    out.truncate(length);
    out
}

/// A frame whose header says something else, with a checksum that fits.
fn with_header(transfer: &Owned, change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut inside = open(&wire(transfer));
    change(&mut inside[..22]);
    let sum = crc::Crc::<u16>::new(&crc::CRC_16_IBM_3740).checksum(&inside[..22]);
    inside[22..24].copy_from_slice(&sum.to_be_bytes());
    close(&inside)
}

// The layout that pycyphal 1.27 publishes for header version 1.
#[test]
fn a_frame_has_the_published_layout() {
    let transfer = message(5, 7509, 0x1122_3344_5566_7788, 3);
    let bytes = wire(&transfer);
    assert_eq!((bytes[0], *bytes.last().unwrap()), (0, 0));
    assert!(!bytes[1..bytes.len() - 1].contains(&0));
    let inside = open(&bytes);
    assert_eq!(inside.len(), 24 + 3 + 4);
    assert_eq!(inside[..6], [1, 4, 5, 0, 0xFF, 0xFF]);
    assert_eq!(inside[6..8], 7509u16.to_le_bytes());
    assert_eq!(inside[8..16], [0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]);
    assert_eq!(inside[16..22], [0, 0, 0, 0x80, 0, 0]);
    assert_eq!(inside[24..27], transfer.payload);
}

#[test]
fn every_length_and_kind_comes_back_as_it_was_sent() {
    let mut dice = Dice(11);
    let mut rx = Rx::for_node(NODE);
    for _ in 0..20 {
        for length in 0..=LONGEST {
            let sent = any_transfer(&mut dice, length);
            assert_eq!(receive(&mut rx, &wire(&sent)), [sent]);
        }
    }
    assert_eq!(*rx.counters(), Counters { delivered: 20 * 301, ..Counters::ZERO });
}

// Zero bytes are what the stuffing is about, and 254 is where its blocks end.
#[test]
fn runs_with_and_without_zeros_come_back_around_the_block_size() {
    let mut rx = Rx::for_node(NODE);
    for run in 200..=LONGEST {
        for filler in [0, 1, 0xFF] {
            let mut sent = message(5, 6144, 1, LONGEST);
            sent.payload[..run].fill(filler);
            sent.payload[run..].fill(0);
            assert_eq!(receive(&mut rx, &wire(&sent)), [sent]);
        }
    }
}

#[test]
fn writing_needs_no_more_room_than_promised_and_fails_whole_with_less() {
    let mut dice = Dice(12);
    for length in 0..=LONGEST {
        let mut sent = any_transfer(&mut dice, length);
        if dice.one_in(2) {
            sent.payload.fill(0xFF);
        }
        let exact = wire(&sent).len();
        assert!(exact <= most_bytes(length));
        for room in [0, 1, 2, 25, exact - 2, exact - 1] {
            let mut out = vec![0; room];
            assert_eq!(encode(&sent.lend(), &mut out), Err(Unsendable::NoRoom));
        }
        assert_eq!(encode(&sent.lend(), &mut vec![0; exact]).unwrap().len(), exact);
    }
}

#[test]
fn a_service_needs_a_sender() {
    let mut sent = message(5, 6144, 1, 3);
    (sent.header.source, sent.header.port) = (None, request(256));
    assert_eq!(encode(&sent.lend(), &mut [0; 99]), Err(Unsendable::AnonymousService));
}

// CM-13: any single damage is noticed, and the next frame is understood.
#[test]
fn a_flipped_bit_or_a_lost_byte_costs_at_most_its_neighbour() {
    let sent = message(5, 6144, 1, 40);
    let bytes = wire(&sent);
    let check = |damaged: &[u8], what: String| {
        let mut rx = Rx::for_node(NODE);
        assert_eq!(receive(&mut rx, damaged), [], "{what}");
        assert_eq!(receive(&mut rx, &wire(&sent)), slice::from_ref(&sent), "{what}");
    };
    for at in 1..bytes.len() - 1 {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            check(&damaged, format!("byte {at} bit {bit}"));
        }
        let mut damaged = bytes.clone();
        damaged.remove(at);
        check(&damaged, format!("without byte {at}"));
        check(&bytes[..at], format!("cut before byte {at}"));
    }
}

#[test]
fn a_listener_that_joins_late_is_in_step_at_the_next_frame() {
    let sent = message(5, 6144, 1, 40);
    let bytes = wire(&sent);
    for missed in 2..bytes.len() {
        let mut rx = Rx::for_node(NODE);
        let mut stream = bytes[missed..].to_vec();
        stream.extend(&bytes);
        assert_eq!(receive(&mut rx, &stream), slice::from_ref(&sent), "missed {missed}");
    }
}

#[test]
fn delimiters_may_be_shared_or_many() {
    let sent = message(5, 6144, 1, 40);
    let bytes = wire(&sent);
    let mut rx = Rx::for_node(NODE);
    let mut stream = vec![0; 10];
    stream.extend(&bytes[1..]);
    stream.extend(&bytes[1..]);
    stream.extend([0; 10]);
    assert_eq!(receive(&mut rx, &stream), [sent.clone(), sent]);
    assert_eq!(*rx.counters(), Counters { delivered: 2, ..Counters::ZERO });
}

#[test]
fn a_long_transfer_is_cut_to_the_extent_and_still_checked() {
    let sent = message(5, 6144, 1, LONGEST);
    for extent in [0, 1, 299, 300, 301] {
        let mut rx = Rx::for_node(NODE);
        let all = Everything(extent);
        let mut received = |inside: &[u8]| {
            let bytes = close(inside);
            bytes.iter().find_map(|&byte| rx.accept(byte, &all).map(Owned::from))
        };
        let mut inside = open(&wire(&sent));
        let kept = &sent.payload[..extent.min(LONGEST)];
        assert_eq!(received(&inside).unwrap().payload, kept, "extent {extent}");
        inside[24 + 299] ^= 1;
        assert_eq!(received(&inside), None);
        assert_eq!(rx.counters().checksums, 1);
    }
}

#[test]
fn what_the_memory_cannot_hold_is_refused_and_not_cut() {
    let mut rx = Decoder::<32>::for_node(NODE);
    let mut received = |length| {
        let bytes = wire(&message(5, 6144, 1, length));
        let received =
            bytes.iter().find_map(|&byte| rx.accept(byte, &Everything(64)).map(Owned::from));
        (received.map(|received| received.payload.len()), rx.counters().overflows)
    };
    assert_eq!(received(32), (Some(32), 0));
    assert_eq!(received(33), (None, 1));
    assert_eq!(received(300), (None, 2));
    assert_eq!(received(0), (Some(0), 2));
}

#[test]
fn frames_of_others_and_for_others_are_counted_and_dropped() {
    let sent = message(5, 6144, 1, 3);
    let mut asked = sent.clone();
    asked.header.port = request(256);
    let check = |bytes: &[u8], expected: Counters, what: &str| {
        let mut rx = Rx::for_node(NODE);
        assert_eq!(receive(&mut rx, bytes), [], "{what}");
        assert_eq!(*rx.counters(), expected, "{what}");
    };
    let foreign = Counters { foreign: 1, ..Counters::ZERO };
    let malformed = Counters { malformed: 1, ..Counters::ZERO };
    check(&with_header(&sent, |head| head[0] = 2), foreign, "another version");
    check(&with_header(&sent, |head| head[19] = 0), foreign, "the first of several frames");
    check(&with_header(&sent, |head| head[16] = 1), foreign, "the last of several frames");
    check(&with_header(&sent, |head| head[3] = 1), foreign, "a node beyond 127");
    check(&with_header(&sent, |head| head[7] = 0x20), foreign, "a subject beyond 8191");
    check(&with_header(&asked, |head| head[7] = 0xC2), foreign, "a service beyond 511");
    check(&with_header(&sent, |head| head[4..6].fill(0)), foreign, "a message to one node");
    check(&with_header(&sent, |head| head[1] = 8), malformed, "a priority beyond 7");
    check(&with_header(&asked, |head| head[2..4].fill(0xFF)), malformed, "asked by nobody");
    check(&with_header(&asked, |head| head[4..6].fill(0xFF)), malformed, "asked of all");
    check(&with_header(&asked, |head| head[2] = 42), malformed, "asked of itself");
    check(&close(&open(&wire(&sent))[..23]), malformed, "half a header");
    check(&close(&open(&wire(&sent))[..27]), malformed, "half a checksum");
    check(&close(&[]), malformed, "nothing between delimiters");
    let impostor = Counters { impostors: 1, ..Counters::ZERO };
    check(&with_header(&sent, |head| head[2] = 42), impostor, "our own number");
    let unwanted = Counters { unwanted: 1, ..Counters::ZERO };
    check(&with_header(&asked, |head| head[4] = 43), unwanted, "for another node");
}

#[test]
fn a_port_without_a_listener_is_unwanted() {
    let mut rx = Rx::for_node(NODE);
    for byte in wire(&message(5, 6144, 1, 3)) {
        assert_eq!(rx.accept(byte, &Only(subject(6145))), None);
    }
    assert_eq!(*rx.counters(), Counters { unwanted: 1, ..Counters::ZERO });
}

#[test]
fn an_onlooker_receives_services_between_others() {
    let mut rx = Rx::for_onlooker();
    let mut sent = message(5, 6144, 1, 3);
    let Port::Request(service, _) = request(256) else { unreachable!() };
    sent.header.port = Port::Request(service, node(43));
    assert_eq!(receive(&mut rx, &wire(&sent)), [sent]);
}

#[test]
fn after_a_wipe_the_next_frame_is_understood() {
    let mut rx = Rx::for_node(NODE);
    let sent = message(5, 6144, 1, 40);
    assert_eq!(receive(&mut rx, &wire(&sent)), slice::from_ref(&sent));
    rx.wipe();
    assert_eq!(receive(&mut rx, &wire(&sent)), slice::from_ref(&sent));
    let bytes = wire(&sent);
    receive(&mut rx, &bytes[..50]);
    rx.wipe();
    assert_eq!(receive(&mut rx, &bytes[50..]), []);
    assert_eq!(rx.counters().unfinished, 1);
    assert_eq!(receive(&mut rx, &bytes), [sent]);
}
