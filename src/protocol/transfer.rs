//! A transfer: one message or one half of a service call, whatever carried it.
//!
//! Cyphal/CAN and Cyphal/serial move the same transfers. Everything above the framings
//! speaks of these and never of frames or bytes on a line.

/// A node's number on the table bus. 0 to 127, the range of Cyphal/CAN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NodeId(u8);

impl NodeId {
    /// The highest number.
    pub const MAX: u8 = 127;

    /// The node, if the number is one.
    pub const fn new(number: u8) -> Option<Self> {
        if number <= Self::MAX { Some(Self(number)) } else { None }
    }

    /// Its number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// A message's subject. 0 to 8191.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SubjectId(u16);

impl SubjectId {
    /// The highest number.
    pub const MAX: u16 = 8191;

    /// The subject, if the number is one.
    pub const fn new(number: u16) -> Option<Self> {
        if number <= Self::MAX { Some(Self(number)) } else { None }
    }

    /// Its number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// A service. 0 to 511.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ServiceId(u16);

impl ServiceId {
    /// The highest number.
    pub const MAX: u16 = 511;

    /// The service, if the number is one.
    pub const fn new(number: u16) -> Option<Self> {
        if number <= Self::MAX { Some(Self(number)) } else { None }
    }

    /// Its number.
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// How urgent a transfer is; on CAN the more urgent wins the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Priority {
    /// Reserved by Cyphal for emergencies.
    Exceptional = 0,
    /// Out of order, malfunction.
    Immediate = 1,
    /// Irregularities.
    Fast = 2,
    /// Verdicts, numbers, certificates.
    High = 3,
    /// Heartbeat, status, commands and answers.
    Nominal = 4,
    /// Progress.
    Low = 5,
    /// Events sent again on request.
    Slow = 6,
    /// Whenever there is room.
    Optional = 7,
}

impl Priority {
    /// The priority with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Exceptional,
            1 => Self::Immediate,
            2 => Self::Fast,
            3 => Self::High,
            4 => Self::Nominal,
            5 => Self::Low,
            6 => Self::Slow,
            7 => Self::Optional,
            _ => return None,
        })
    }
}

/// What a transfer is for and, where it matters, to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Port {
    /// A message to all who listen.
    Message(SubjectId),
    /// A question to one node.
    Request(ServiceId, NodeId),
    /// The answer to one node.
    Response(ServiceId, NodeId),
}

/// Everything about a transfer but its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Header {
    /// How urgent it is.
    pub priority: Priority,
    /// What it is for.
    pub port: Port,
    /// The sender; none for an anonymous message.
    pub source: Option<NodeId>,
    /// Its number among the transfers of its session: five bits on CAN, 64 on serial.
    pub transfer_id: u64,
}

/// A whole transfer, borrowed from the owner of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer<'a> {
    /// Everything but the bytes.
    pub header: Header,
    /// The serialised object.
    pub payload: &'a [u8],
}

/// What a receiver wants of the traffic it sees.
pub trait Interest {
    /// The most bytes it takes on `port`, or nothing if it does not listen there.
    ///
    /// Longer transfers are cut to this, as Cyphal asks; a request or response is only
    /// offered when it is addressed to the receiver.
    fn extent(&self, port: Port) -> Option<usize>;
}
