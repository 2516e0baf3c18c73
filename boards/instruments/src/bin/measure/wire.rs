//! What a word on the wire costs, beside a peer without a seal.
//!
//! The peer is postcard with COBS, what a Rust-only link would use: no addresses, no
//! checksums, no seal. The ratio is thus the price of a wire that any Cyphal stack can
//! read and no one can forge.

use crate::{Report, instructions};
use core::hint::black_box;
use croupier::context::DeviceContext;
use croupier::node::ANSWER_BYTES;
use croupier::protocol::codec::{Message, Object};
use croupier::protocol::framing::can::{Frames, Receiver};
use croupier::protocol::framing::serial;
use croupier::protocol::framing::slcan::Text;
use croupier::protocol::generated::croupier::common::{ProfileChanged, Role};
use croupier::protocol::keys::{KeyRing, RoleKey};
use croupier::protocol::seal::{self, Address};
use croupier::protocol::transfer::{Header, Interest, NodeId, Port, Priority, Transfer};
use croupier::time::Instant;
use instruments::context;
use serde::{Deserialize, Serialize};

/// The same event for the peer.
#[derive(Serialize, Deserialize)]
struct Plain {
    start: u8,
    number: u32,
    time_ms: u64,
    from_game: u8,
    to_game: u8,
    decks: u8,
    dealing: u8,
    by: u8,
}

struct Everything;

impl Interest for Everything {
    fn extent(&self, _: Port) -> Option<usize> {
        Some(ANSWER_BYTES)
    }
}

const PORT: Port = Port::Message(ProfileChanged::SUBJECT);
const SOURCE: NodeId = NodeId::new(10).expect("below 128");
const ADDRESS: Address = Address { source: SOURCE, port: PORT };

/// Measures the wire's rows.
#[inline(never)] // its stack is given back before the next begins
pub(crate) fn measure(report: &mut Report) {
    let key = RoleKey::simulation(Role::Device);
    let event = ProfileChanged::default();
    let mut room = [0; ProfileChanged::LONGEST];
    let sealing = instructions(|| {
        let sealed = black_box(&event)
            .encode(&mut room)
            .is_some_and(|_| seal::seal(&key, Role::Device, 7, ADDRESS, &mut room).is_ok());
        black_box(sealed);
    });
    let ring = KeyRing::simulation();
    let verifying = instructions(|| {
        black_box(seal::verify(&ring, ADDRESS, black_box(&room)).is_ok());
    });

    let (plain, mut text) = (peer_event(), [0; 64]);
    let mut length = 0;
    let peer_encoding = instructions(|| {
        length = postcard::to_slice_cobs(black_box(&plain), &mut text).map_or(0, |t| t.len());
    });
    let peer_decoding = instructions(|| {
        black_box(postcard::from_bytes_cobs::<Plain>(&mut text[..length]).is_ok());
    });
    let peer = "postcard + COBS, unsealed";
    report.row("event encode + seal", "instructions", sealing, peer, peer_encoding);
    report.row("event verify", "instructions", verifying, peer, peer_decoding);
    framing(report, &room, peer, peer_encoding, peer_decoding);
    to_the_last_frame(report);
}

fn peer_event() -> Plain {
    Plain {
        start: 1,
        number: 40,
        time_ms: 123_456,
        from_game: 1,
        to_game: 9,
        decks: 1,
        dealing: 3,
        by: 2,
    }
}

/// The framings' own cost for a sealed event.
fn framing(report: &mut Report, payload: &[u8], peer: &str, encoding: u32, decoding: u32) {
    let header =
        Header { priority: Priority::High, port: PORT, source: Some(SOURCE), transfer_id: 3 };
    let transfer = Transfer { header, payload };
    let mut frames = heapless::Vec::<_, 16>::new();
    let cutting = instructions(|| {
        if let Ok(cut) = Frames::of(black_box(&transfer)) {
            frames.extend(cut);
        }
    });
    let mut receiver = Receiver::<4, ANSWER_BYTES>::for_onlooker();
    let joining = instructions(|| {
        for frame in &frames {
            black_box(receiver.accept(frame, Instant::START, &Everything).is_some());
        }
    });
    report.row("sealed event on CAN", "frames", frames.len() as u32, "", 0);
    report.row("CAN frame encode", "instructions", cutting, peer, encoding);
    report.row("CAN frame decode", "instructions", joining, peer, decoding);

    let mut bytes = [0; serial::most_bytes(ProfileChanged::LONGEST)];
    let mut length = 0;
    let writing = instructions(|| {
        length = serial::encode(black_box(&transfer), &mut bytes).map_or(0, <[u8]>::len);
    });
    let mut decoder = serial::Decoder::<ANSWER_BYTES>::for_onlooker();
    let reading = instructions(|| {
        for &byte in &bytes[..length] {
            black_box(decoder.accept(byte, &Everything).is_some());
        }
    });
    report.row("serial frame encode", "instructions", writing, peer, encoding);
    report.row("serial frame decode", "instructions", reading, peer, decoding);
}

/// From an event to the last of its frames as text, in guest time: 32 ns an instruction.
fn to_the_last_frame(report: &mut Report) {
    let DeviceContext { mut node, device, mut store } = context::open();
    let mut room = [0; ANSWER_BYTES];
    while node.next(1, Instant::START, &device, &mut store, &mut room).is_some() {}
    let soon = Instant::from_millis(1);
    let counted = instructions(|| {
        node.publish(&ProfileChanged::default(), Priority::High, soon);
        if let Some(transfer) = node.next(1, soon, &device, &mut store, &mut room)
            && let Ok(frames) = Frames::of(&transfer)
        {
            for frame in frames {
                black_box(Text::of(&frame));
            }
        }
    });
    report.row("event to last frame queued", "us", (counted * 4).div_ceil(125), "", 0);
}
