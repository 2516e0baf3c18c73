//! The 29 bits before a frame: who speaks, about what, to whom, how urgently.
//!
//! ```text
//!           28..26    25  24         23  22..21  20..8            7  6..0
//! message   priority  0   anonymous  0   1 1     subject          0  source
//! service   priority  1   request    0   (22..14 service) (13..7 destination)  source
//! ```
//! Bits 23 and 7 are reserved, and a frame that sets one is of another protocol; bits 22
//! and 21 of a message are sent set and not looked at.

use embedded_can::ExtendedId;

use crate::protocol::framing::crc::Crc16;
use crate::protocol::transfer::{Header, NodeId, Port, Priority, ServiceId, SubjectId};

const PRIORITY: u32 = 26;
const SERVICE: u32 = 1 << 25;
const ANONYMOUS: u32 = 1 << 24;
const REQUEST: u32 = 1 << 24;
const RESERVED: u32 = 1 << 23;
const SENT_SET: u32 = 0b11 << 21;
const SERVICE_ID: u32 = 14;
const SUBJECT_ID: u32 = 8;
const DESTINATION: u32 = 7;
const RESERVED_IN_MESSAGE: u32 = 1 << 7;

/// What an identifier says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Address {
    /// How urgent the transfer is.
    pub priority: Priority,
    /// What it is for.
    pub port: Port,
    /// The sender; none for an anonymous message.
    pub source: Option<NodeId>,
}

impl Address {
    /// What `id` says, or nothing if it is not of this protocol.
    pub fn decode(id: ExtendedId) -> Option<Self> {
        let bits = id.as_raw();
        let priority = Priority::from_code((bits >> PRIORITY) as u8)?;
        let source = node(bits);
        if bits & RESERVED != 0 {
            return None;
        }
        if bits & SERVICE == 0 {
            if bits & RESERVED_IN_MESSAGE != 0 {
                return None;
            }
            let subject = SubjectId::new((bits >> SUBJECT_ID) as u16 & SubjectId::MAX)?;
            let source = if bits & ANONYMOUS == 0 { source } else { None };
            return Some(Self { priority, port: Port::Message(subject), source });
        }
        let service = ServiceId::new((bits >> SERVICE_ID) as u16 & ServiceId::MAX)?;
        let destination = node(bits >> DESTINATION)?;
        let port = match bits & REQUEST {
            0 => Port::Response(service, destination),
            _ => Port::Request(service, destination),
        };
        // No node serves itself over the bus.
        (source != Some(destination)).then_some(Self { priority, port, source })
    }

    /// The identifier of a transfer, or nothing if a service transfer has no sender.
    ///
    /// Nodes without a number share the bus by sending under a number made from the
    /// payload, so that two of them seldom clash within one frame.
    pub fn encode(header: &Header, payload: &[u8]) -> Option<ExtendedId> {
        let specific = match (header.port, header.source) {
            (Port::Message(subject), Some(source)) => message(subject) | number(source),
            (Port::Message(subject), None) => {
                let [_, low] = Crc16::of(payload).to_bytes();
                message(subject) | ANONYMOUS | u32::from(low & NodeId::MAX)
            }
            (Port::Request(service, destination), Some(source)) => {
                between(service, source, destination) | REQUEST
            }
            (Port::Response(service, destination), Some(source)) => {
                between(service, source, destination)
            }
            (Port::Request(..) | Port::Response(..), None) => return None,
        };
        ExtendedId::new((header.priority as u32) << PRIORITY | specific)
    }

    /// What identifiers of requests to `node` have in common, for a controller's acceptance
    /// filter: the bits, and which of them count.
    pub const fn requests_to(node: NodeId) -> (u32, u32) {
        let everyone = (NodeId::MAX as u32) << DESTINATION;
        let bits = SERVICE | REQUEST | (node.get() as u32) << DESTINATION;
        (bits, SERVICE | REQUEST | RESERVED | everyone)
    }
}

fn node(bits: u32) -> Option<NodeId> {
    NodeId::new(bits as u8 & NodeId::MAX)
}

fn number(node: NodeId) -> u32 {
    u32::from(node.get())
}

fn message(subject: SubjectId) -> u32 {
    SENT_SET | u32::from(subject.get()) << SUBJECT_ID
}

fn between(service: ServiceId, source: NodeId, destination: NodeId) -> u32 {
    SERVICE
        | u32::from(service.get()) << SERVICE_ID
        | number(destination) << DESTINATION
        | number(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_passes_requests_to_a_node_and_nothing_else() {
        let [own, other, controller] = [12, 13, 2].map(|id| NodeId::new(id).unwrap());
        let (bits, mask) = Address::requests_to(own);
        let [service, subject] = [430, 7509];
        let service = ServiceId::new(service).unwrap();
        let passes = |port| {
            let priority = Priority::Slow;
            let header = Header { priority, port, source: Some(controller), transfer_id: 0 };
            Address::encode(&header, &[]).unwrap().as_raw() & mask == bits
        };
        assert!(passes(Port::Request(service, own)));
        assert!(!passes(Port::Request(service, other)));
        assert!(!passes(Port::Response(service, own)));
        assert!(!passes(Port::Message(SubjectId::new(subject).unwrap())));
    }

    fn header(port: Port, source: Option<u8>) -> Header {
        let source = source.map(|source| NodeId::new(source).unwrap());
        Header { priority: Priority::Nominal, port, source, transfer_id: 0 }
    }

    fn heartbeat() -> Port {
        Port::Message(SubjectId::new(7509).unwrap())
    }

    fn get_info(to: u8) -> (ServiceId, NodeId) {
        (ServiceId::new(430).unwrap(), NodeId::new(to).unwrap())
    }

    // The worked examples of specification 4.2.3.
    #[test]
    fn identifiers_are_those_of_the_specification() {
        let (service, to_42) = get_info(42);
        let (_, to_123) = get_info(123);
        for (port, source, bits) in [
            (heartbeat(), 42, 0x107D_552A),
            (Port::Request(service, to_42), 123, 0x136B_957B),
            (Port::Response(service, to_123), 42, 0x126B_BDAA),
        ] {
            let header = header(port, Some(source));
            assert_eq!(Address::encode(&header, &[]), ExtendedId::new(bits));
            let address = Address::decode(ExtendedId::new(bits).unwrap()).unwrap();
            assert_eq!((address.port, address.source), (header.port, header.source));
            assert_eq!(address.priority, Priority::Nominal);
        }
    }

    #[test]
    fn an_anonymous_message_has_no_source_whatever_its_bits_say() {
        let id = Address::encode(&header(heartbeat(), None), b"a").unwrap();
        assert_eq!(Address::decode(id).unwrap().source, None);
        let other = Address::encode(&header(heartbeat(), None), b"b").unwrap();
        assert_ne!(id, other);
    }

    #[test]
    fn a_service_needs_a_sender() {
        let (service, to) = get_info(42);
        assert_eq!(Address::encode(&header(Port::Request(service, to), None), &[]), None);
        assert_eq!(Address::encode(&header(Port::Response(service, to), None), &[]), None);
    }

    #[test]
    fn reserved_bits_make_a_frame_foreign() {
        let decode = |bits| Address::decode(ExtendedId::new(bits).unwrap());
        assert_eq!(decode(0x107D_552A | RESERVED), None);
        assert_eq!(decode(0x107D_552A | RESERVED_IN_MESSAGE), None);
        assert_eq!(decode(0x136B_957B | RESERVED), None);
        assert_eq!(decode(0x107D_552A & !SENT_SET), decode(0x107D_552A));
    }

    #[test]
    fn no_node_serves_itself() {
        let itself = SERVICE | REQUEST | 42 << DESTINATION | 42;
        assert_eq!(Address::decode(ExtendedId::new(itself).unwrap()), None);
    }

    #[test]
    fn an_identifier_is_foreign_or_comes_back() {
        let mut ours = 0u32;
        // A prime step shows every field many values.
        for bits in (0..1 << 29).step_by(257) {
            let Some(address) = Address::decode(ExtendedId::new(bits).unwrap()) else { continue };
            let Address { priority, port, source } = address;
            let id = Address::encode(&Header { priority, port, source, transfer_id: 0 }, &[]);
            assert_eq!(Address::decode(id.unwrap()), Some(address));
            ours += 1;
        }
        assert!(ours > 500_000);
    }
}
