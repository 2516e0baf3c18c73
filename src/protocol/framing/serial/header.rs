//! The 24 bytes before a payload: the same facts as a CAN identifier and more.
//!
//! ```text
//! 0 version   1 priority   2 source   4 destination   6 port   8 transfer-ID
//! 16 frame index, top bit: last frame   20 user data   22 CRC-16 of these, high byte first
//! ```
//! All else is least significant byte first. Port: bit 15 says service, bit 14 request.

use crate::protocol::counters::Loss;
use crate::protocol::framing::crc::Crc16;
use crate::protocol::transfer::{Header, NodeId, Port, Priority, ServiceId, SubjectId};

/// Bytes of a header.
pub(super) const SIZE: usize = 24;

const VERSION: u8 = 1;
/// As source: anonymous. As destination: all.
const NO_NODE: u16 = 0xFFFF;
const SERVICE: u16 = 1 << 15;
const REQUEST: u16 = 1 << 14;
/// First frame and last at once.
const ONLY_FRAME: u32 = 1 << 31;

/// The bytes, or nothing if a service transfer has no sender.
pub(super) fn encode(header: &Header) -> Option<[u8; SIZE]> {
    let (destination, port) = match header.port {
        Port::Message(subject) => (NO_NODE, subject.get()),
        Port::Request(service, to) => (to.get().into(), SERVICE | REQUEST | service.get()),
        Port::Response(service, to) => (to.get().into(), SERVICE | service.get()),
    };
    if port & SERVICE != 0 && header.source.is_none() {
        return None;
    }
    let source = header.source.map_or(NO_NODE, |node| node.get().into());
    let mut bytes = [0; SIZE];
    bytes[0] = VERSION;
    bytes[1] = header.priority as u8;
    bytes[2..4].copy_from_slice(&source.to_le_bytes());
    bytes[4..6].copy_from_slice(&destination.to_le_bytes());
    bytes[6..8].copy_from_slice(&port.to_le_bytes());
    bytes[8..16].copy_from_slice(&header.transfer_id.to_le_bytes());
    bytes[16..20].copy_from_slice(&ONLY_FRAME.to_le_bytes());
    let checksum = Crc16::of(&bytes[..22]).to_bytes();
    bytes[22..].copy_from_slice(&checksum);
    Some(bytes)
}

/// What the bytes say, or why they say nothing to us.
pub(super) fn decode(bytes: &[u8; SIZE]) -> Result<Header, Loss> {
    let [version, priority, s0, s1, d0, d1, p0, p1, rest @ ..] = *bytes;
    let [t0, t1, t2, t3, t4, t5, t6, t7, i0, i1, i2, i3, _, _, _, _] = rest;
    if !Crc16::of(bytes).is_closed() {
        return Err(Loss::Checksum);
    }
    // Several frames for one transfer are part of Cyphal but not spoken here.
    if version != VERSION || u32::from_le_bytes([i0, i1, i2, i3]) != ONLY_FRAME {
        return Err(Loss::Foreign);
    }
    let source = node(u16::from_le_bytes([s0, s1]))?;
    let destination = node(u16::from_le_bytes([d0, d1]))?;
    let port = u16::from_le_bytes([p0, p1]);
    Ok(Header {
        priority: Priority::from_code(priority).ok_or(Loss::Malformed)?,
        port: self::port(port, source, destination)?,
        source,
        transfer_id: u64::from_le_bytes([t0, t1, t2, t3, t4, t5, t6, t7]),
    })
}

/// Serial has room for 65,535 nodes; the table has those that CAN has too.
fn node(number: u16) -> Result<Option<NodeId>, Loss> {
    match u8::try_from(number).ok().and_then(NodeId::new) {
        None if number != NO_NODE => Err(Loss::Foreign),
        node => Ok(node),
    }
}

fn port(bits: u16, source: Option<NodeId>, to: Option<NodeId>) -> Result<Port, Loss> {
    if bits & SERVICE == 0 {
        let subject = SubjectId::new(bits).ok_or(Loss::Foreign)?;
        return if to.is_none() { Ok(Port::Message(subject)) } else { Err(Loss::Foreign) };
    }
    let service = ServiceId::new(bits & !(SERVICE | REQUEST)).ok_or(Loss::Foreign)?;
    match (source, to) {
        (Some(source), Some(to)) if source != to => Ok(match bits & REQUEST {
            0 => Port::Response(service, to),
            _ => Port::Request(service, to),
        }),
        _ => Err(Loss::Malformed),
    }
}
