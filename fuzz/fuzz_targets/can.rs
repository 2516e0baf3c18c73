//! Any frames at any times; then a good transfer is understood.
#![no_main]

use croupier::protocol::framing::can::{FORGET_AFTER, Frame, Frames, Receiver};
use croupier::protocol::transfer::{Header, Interest, NodeId, Port, Priority, SubjectId, Transfer};
use croupier::time::{Instant, Millis};
use embedded_can::{ExtendedId, Id, StandardId};
use libfuzzer_sys::fuzz_target;

/// Takes less than the memory on even ports and more on odd ones.
struct All;

impl Interest for All {
    fn extent(&self, port: Port) -> Option<usize> {
        let number = match port {
            Port::Message(subject) => subject.get(),
            Port::Request(service, _) | Port::Response(service, _) => service.get(),
        };
        Some(if number % 2 == 0 { 40 } else { 90 })
    }
}

fuzz_target!(|input: &[u8]| {
    let node = NodeId::new(42).unwrap();
    let mut rx = Receiver::<3, 64>::for_node(node);
    let mut now = Instant::START;
    // Each frame: identifier (4), wait (1, in 16 ms), length (1), data.
    let mut rest = input;
    while let [a, b, c, d, wait, length, after @ ..] = rest {
        let (data, after) = after.split_at((*length as usize % 9).min(after.len()));
        rest = after;
        now += Millis::new(16) * u64::from(*wait);
        let raw = u32::from_be_bytes([*a, *b, *c, *d]);
        let id: Id = match raw >> 31 {
            0 => ExtendedId::new(raw & 0x1FFF_FFFF).unwrap().into(),
            _ => StandardId::new(raw as u16 & 0x7FF).unwrap().into(),
        };
        let frame = Frame::new(id, data).unwrap();
        if let Some(transfer) = rx.accept(&frame, now, &All) {
            assert!(transfer.payload.len() <= 64);
        }
    }
    let port = Port::Message(SubjectId::new(6144).unwrap());
    let source = NodeId::new(7);
    let header = Header { priority: Priority::Nominal, port, source, transfer_id: 9 };
    let payload = &[0x5A; 40];
    let good = Transfer { header, payload };
    let now = now + FORGET_AFTER + Millis::new(1);
    let frames: Vec<Frame> = Frames::of(&good).unwrap().collect();
    let received = frames.iter().any(|frame| rx.accept(frame, now, &All) == Some(good));
    assert!(received, "it receives again after the noise");
});
