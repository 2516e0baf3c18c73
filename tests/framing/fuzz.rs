//! Noise through every decoder: no panic, no wrong length, and ready again at once.
//!
//! A million bytes or frames each in a plain test run, a hundred million each with
//! `CROUPIER_RELEASE_SUITE=1`. For longer runs, coverage-guided, see `fuzz/`.

use std::time::Instant;

use crate::harness::*;
use croupier::protocol::framing::can::{FORGET_AFTER, Frame, Receiver};
use croupier::protocol::framing::serial::{Decoder, encode, most_bytes};
use croupier::protocol::framing::slcan::{self, Line, Text};
use croupier::protocol::transfer::{Interest, Port, SubjectId};
use croupier::time::Millis;
use embedded_can::{ExtendedId, Id, StandardId};

/// Pieces of noise between two good transfers.
const CHUNK: usize = 1_000;
/// What the listener takes; less than the longest, so that cutting is tested too.
const EXTENT: usize = 120;

fn pieces() -> usize {
    match std::env::var("CROUPIER_RELEASE_SUITE").as_deref() {
        Ok("1") => 100_000_000,
        _ => 1_000_000,
    }
}

/// Three ports in four, so that unwanted ports are in the mix.
struct Most;

impl Interest for Most {
    fn extent(&self, port: Port) -> Option<usize> {
        let number = match port {
            Port::Message(subject) => subject.get(),
            Port::Request(service, _) | Port::Response(service, _) => service.get(),
        };
        (number % 4 != 0).then_some(EXTENT)
    }
}

fn report(what: &str, pieces: usize, began: Instant) {
    let took = began.elapsed();
    let each = took.as_nanos() / pieces as u128;
    println!("{what}: {pieces} in {:.1} s, {each} ns each", took.as_secs_f64());
}

/// Chance, or a good frame with something wrong with it. Few senders and ports, so that
/// sessions meet.
fn bad_frame(dice: &mut Dice, good: &mut Vec<Frame>) -> Frame {
    if good.is_empty() {
        let length = if dice.one_in(4) { dice.below(150) } else { dice.below(60) };
        let mut transfer = any_transfer(dice, length);
        if let Some(source) = &mut transfer.header.source {
            *source = node(source.get() % 8);
        }
        if let Port::Message(subject) = &mut transfer.header.port {
            *subject = SubjectId::new(subject.get() % 16).unwrap();
        }
        *good = transfer.frames();
    }
    let frame = match dice.below(4) {
        0 => good[dice.below(good.len())],
        _ => good.remove(0),
    };
    let mut data = frame.data().to_vec();
    match dice.below(8) {
        0 => data.truncate(dice.below(9)),
        1 if !data.is_empty() => {
            let bit = dice.below(8 * data.len());
            data[bit / 8] ^= 1 << (bit % 8);
        }
        2 => {
            let length = dice.below(9);
            data = dice.bytes(length);
        }
        _ => {}
    }
    let Id::Extended(id) = frame.id() else { unreachable!() };
    let id: Id = match dice.below(16) {
        0 => StandardId::new(dice.next() as u16 >> 5).unwrap().into(),
        1 => ExtendedId::new(dice.next() as u32 >> 3).unwrap().into(),
        2 => ExtendedId::new(id.as_raw() ^ 1 << dice.below(29)).unwrap().into(),
        _ => id.into(),
    };
    Frame::new(id, &data).unwrap()
}

// Issue 3, must show: frames of noise, then a good transfer is understood. CM-13, CM-03.
#[test]
fn noise_on_can_leaves_the_receiver_ready() {
    let mut dice = Dice(41);
    let mut rx = Receiver::<4, 100>::for_node(NODE);
    let (mut good, mut now) = (Vec::new(), at(0));
    let (began, pieces) = (Instant::now(), pieces());
    for chunk in 0..pieces / CHUNK {
        for _ in 0..CHUNK {
            now += Millis::new(if dice.one_in(20) { dice.next() % 1_000 } else { 0 });
            let frame = bad_frame(&mut dice, &mut good);
            if let Some(transfer) = rx.accept(&frame, now, &Most) {
                assert!(transfer.payload.len() <= EXTENT.min(100));
            }
        }
        now += FORGET_AFTER + Millis::new(1);
        let sent = message(7, 1, chunk as u64, 8 + chunk % 90).on_can();
        let frames = sent.frames();
        let received =
            frames.iter().find_map(|frame| rx.accept(frame, now, &Most).map(Owned::from));
        assert_eq!(received, Some(sent), "after chunk {chunk}");
    }
    report("CAN frames", pieces, began);
    let seen = *rx.counters();
    println!("{seen:?}");
    for counter in [
        seen.delivered,
        seen.foreign,
        seen.unwanted,
        seen.impostors,
        seen.malformed,
        seen.checksums,
        seen.duplicates,
        seen.strays,
        seen.unfinished,
        seen.timed_out,
        seen.evicted,
        seen.overflows,
    ] {
        assert!(counter > 0, "the noise reaches every branch");
    }
}

/// Bytes of chance, or a good frame with something wrong with it.
fn bad_bytes(dice: &mut Dice) -> Vec<u8> {
    if dice.one_in(8) {
        let length = 1 + dice.below(400);
        return dice.bytes(length);
    }
    let length = dice.below(200);
    let transfer = any_transfer(dice, length);
    let mut out = vec![0; most_bytes(length)];
    let mut bytes = encode(&transfer.lend(), &mut out).unwrap().to_vec();
    for _ in 0..dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(4) {
            0 => bytes[at] ^= 1 << dice.below(8),
            1 => bytes.truncate(at.max(1)),
            2 => bytes[at] = dice.next() as u8,
            _ => bytes.insert(at, dice.next() as u8),
        }
    }
    bytes
}

// Issue 3, must show: bytes of noise, then a good transfer is understood. CM-13, CM-03.
#[test]
fn noise_on_serial_leaves_the_decoder_ready() {
    let mut dice = Dice(42);
    let mut rx = Decoder::<100>::for_node(NODE);
    let (began, pieces, mut fed, mut number) = (Instant::now(), pieces(), 0, 0);
    while fed < pieces {
        for byte in bad_bytes(&mut dice) {
            fed += 1;
            if let Some(transfer) = rx.accept(byte, &Most) {
                assert!(transfer.payload.len() <= EXTENT.min(100));
            }
        }
        if dice.one_in(8) {
            number += 1;
            let sent = message(7, 1, number, number as usize % 100);
            let mut out = [0; most_bytes(100)];
            let bytes = encode(&sent.lend(), &mut out).unwrap();
            let received = bytes.iter().find_map(|&byte| rx.accept(byte, &Most).map(Owned::from));
            // The first delimiter may complete a frame of the noise.
            let received = received
                .filter(|received| *received == sent)
                .or_else(|| bytes.iter().find_map(|&byte| rx.accept(byte, &Most).map(Owned::from)));
            assert_eq!(received, Some(sent), "after {fed} bytes");
        }
    }
    report("serial bytes", fed, began);
    let seen = *rx.counters();
    println!("{seen:?}");
    for counter in [seen.delivered, seen.unwanted, seen.malformed, seen.checksums, seen.overflows] {
        assert!(counter > 0, "the noise reaches every branch");
    }
}

// Issue 3, must show: characters of noise, then a good line is understood. CM-13, CM-03.
#[test]
fn noise_on_a_text_link_leaves_the_decoder_ready() {
    let mut dice = Dice(43);
    let mut decoder = slcan::Decoder::new();
    let (began, pieces, mut fed) = (Instant::now(), pieces(), 0);
    let letters = b"TtRrSOCVNFZz0123456789ABCDEFabcdef\r\r\r\n\x07";
    while fed < pieces {
        let mut good = Vec::new();
        let mut text = Text::of(&bad_frame(&mut dice, &mut good)).as_bytes().to_vec();
        match dice.below(4) {
            0 => {
                let length = dice.below(60);
                text = dice.bytes(length);
            }
            1 => text = (0..dice.below(60)).map(|_| letters[dice.below(letters.len())]).collect(),
            2 => {
                let at = dice.below(text.len());
                text[at] = dice.next() as u8;
            }
            _ => {}
        }
        fed += text.len();
        for character in text {
            if let Some(line) = decoder.accept(character) {
                assert!(line.reply().len() <= 6);
            }
        }
        if dice.one_in(8) {
            let frame = message(7, 1, fed as u64, 7).frames()[0];
            decoder.accept(b'\r');
            let text = Text::of(&frame);
            let received = text.as_bytes().iter().find_map(|&character| decoder.accept(character));
            assert_eq!(received, Some(Line::Frame(frame)), "after {fed} characters");
        }
    }
    report("text characters", fed, began);
    let seen = *decoder.counters();
    println!("{seen:?}");
    for counter in [seen.delivered, seen.malformed, seen.foreign, seen.overflows] {
        assert!(counter > 0, "the noise reaches every branch");
    }
}
