//! One transfer, understood as far as it can be.

use std::time::Duration;

use croupier::protocol::keys::KeyRing;
use croupier::protocol::seal::{Address, Refusal, Role, verify};
use croupier::protocol::transfer::{Header, Port, Transfer};

use super::fields::Field;

/// What was in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A value of a type of the DSDL.
    Known {
        /// The type's full name and version.
        name: &'static str,
        /// The value.
        fields: Field,
    },
    /// On the port of a type, and not one of its values.
    Unreadable {
        /// The type's full name and version.
        name: &'static str,
        /// What came instead.
        bytes: Vec<u8>,
    },
    /// On a port that the DSDL says nothing of.
    Unknown {
        /// What came.
        bytes: Vec<u8>,
    },
}

impl Content {
    /// The type's full name, if the port has a type.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Self::Known { name, .. } | Self::Unreadable { name, .. } => Some(name),
            Self::Unknown { .. } => None,
        }
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Field> {
        match self {
            Self::Known { fields, .. } => fields.get(name),
            _ => None,
        }
    }

    /// Whether it reports something that happened once.
    pub fn is_event(&self) -> bool {
        self.get("stamp").is_some()
    }
}

/// What the seal is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Its type has none.
    Unsealed,
    /// There is one, and no keys to judge it by.
    Unjudged,
    /// Authentic. Whether it is a replay, only its receiver can know.
    Good(Role, u64),
    /// Not what it says it is.
    Bad(Refusal),
}

impl Verdict {
    /// Judges the seal of `transfer`.
    pub fn of(keys: Option<&KeyRing>, content: &Content, transfer: &Transfer<'_>) -> Self {
        if !content.name().is_some_and(|name| name.starts_with("croupier.")) {
            return Self::Unsealed;
        }
        let Some(keys) = keys else { return Self::Unjudged };
        let Some(source) = transfer.header.source else { return Self::Bad(Refusal::Truncated) };
        match verify(keys, Address { source, port: transfer.header.port }, transfer.payload) {
            Ok(verified) => Self::Good(verified.role, verified.sequence),
            Err(refusal) => Self::Bad(refusal),
        }
    }
}

/// One transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// When, since the monitor began or by the recording's clock.
    pub at: Duration,
    /// Who, what, and how urgent.
    pub header: Header,
    /// What was in it.
    pub content: Content,
    /// What its seal is worth.
    pub verdict: Verdict,
}

impl Seen {
    /// The type's name without what is the same in all lines; a question ends in `?`, an
    /// answer in `!`.
    pub fn title(&self) -> String {
        let (kind, number, mark) = match self.header.port {
            Port::Message(subject) => ("subject", subject.get(), ""),
            Port::Request(service, _) => ("service", service.get(), "?"),
            Port::Response(service, _) => ("service", service.get(), "!"),
        };
        let Some(name) = self.content.name() else { return format!("{kind} {number}{mark}") };
        let short = name.strip_prefix("croupier.common.").or(name.strip_prefix("croupier."));
        let short = short.or(name.strip_prefix("uavcan.")).unwrap_or(name);
        let until_version = |part: &&str| !part.starts_with(|c: char| c.is_ascii_digit());
        let words: Vec<_> = short.split('.').take_while(until_version).collect();
        format!("{}{mark}", words.join("."))
    }
}
