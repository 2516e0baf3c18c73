//! Any bytes; then a good transfer is understood.
#![no_main]

use croupier::protocol::framing::serial::{Decoder, encode, most_bytes};
use croupier::protocol::transfer::{Header, Interest, NodeId, Port, Priority, SubjectId, Transfer};
use libfuzzer_sys::fuzz_target;

struct All;

impl Interest for All {
    fn extent(&self, _: Port) -> Option<usize> {
        Some(90)
    }
}

fuzz_target!(|input: &[u8]| {
    let mut rx = Decoder::<64>::for_node(NodeId::new(42).unwrap());
    for &byte in input {
        if let Some(transfer) = rx.accept(byte, &All) {
            assert!(transfer.payload.len() <= 64);
        }
    }
    let port = Port::Message(SubjectId::new(6144).unwrap());
    let source = NodeId::new(7);
    let header = Header { priority: Priority::Nominal, port, source, transfer_id: 9 };
    let payload = &[0x5A; 40];
    let good = Transfer { header, payload };
    let mut out = [0; most_bytes(40)];
    let bytes = encode(&good, &mut out).unwrap();
    let received = bytes.iter().any(|&byte| rx.accept(byte, &All) == Some(good));
    assert!(received, "it receives again after the noise");
});
