//! The message set: what every type made from the DSDL can do.
//!
//! The DSDL under `dsdl/croupier` is the single source and its comments are the documentation;
//! [`generated`](super::generated) is written from it by `cargo xtask dsdl` and never by hand.
//! `docs/messages.md` is the table to start from.
//!
//! A croupier type is read strictly: exactly its bytes, every code known, padding zero. So each
//! value has one encoding, and what decodes encodes to the same bytes again. Cyphal would cut and
//! extend; but a sealed object with another length than its type's is of another type. Standard
//! types are read as the standard asks.

mod conversions;
mod cursor;

#[cfg(test)]
mod tests;

pub(super) use cursor::read_list;
pub use cursor::{Decoded, Malformed, Reader, Writer};

use super::transfer::{ServiceId, SubjectId};

/// A value with a serialised form.
pub trait Object: Sized + core::fmt::Debug {
    /// Its full name and version; `.Request` or `.Response` follows for half of a service.
    const NAME: &'static str;
    /// The most bytes it takes.
    const LONGEST: usize;
    /// The fewest bytes it takes.
    const SHORTEST: usize = Self::LONGEST;
    /// The bytes a receiver must have room for: more than the longest where later versions may grow.
    const EXTENT: usize = Self::LONGEST;
    /// Whether it is read strictly.
    const STRICT: bool = true;

    /// Adds it to `to`; `None` if it does not fit.
    fn write(&self, to: &mut Writer<'_>) -> Option<()>;

    /// Takes one from `from`.
    fn read(from: &mut Reader<'_>) -> Decoded<Self>;

    /// Writes it to the start of `out` and says how many bytes; `None` if it does not fit.
    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let mut writer = Writer::new(out);
        self.write(&mut writer)?;
        Some(writer.length())
    }

    /// The one in `bytes`.
    fn decode(bytes: &[u8]) -> Decoded<Self> {
        let mut reader = if Self::STRICT { Reader::strict(bytes) } else { Reader::lenient(bytes) };
        let object = Self::read(&mut reader)?;
        reader.finish()?;
        Ok(object)
    }
}

/// An object that is published on a subject.
pub trait Message: Object {
    /// The subject.
    const SUBJECT: SubjectId;
}

/// The question of a service.
pub trait Request: Object {
    /// The service.
    const SERVICE: ServiceId;
    /// The answer to it.
    type Response: Response;
}

/// The answer of a service.
pub trait Response: Object {}

/// An object that ends in a [seal](super::seal): everything in `croupier` that travels by itself.
pub trait Sealed: Object {}

/// A sealed message that begins with a `Stamp`: it reports one thing that happened once.
pub trait Event: Message + Sealed {}

/// A visitor of every type that travels, once each: see
/// [`generated::visit`](super::generated::visit).
pub trait Visitor {
    /// A message.
    fn message<M: Message>(&mut self);
    /// Both halves of a service.
    fn service<R: Request>(&mut self);
}

/// A subject of the DSDL; the compiler refuses an impossible one.
pub(super) const fn subject(number: u16) -> SubjectId {
    SubjectId::new(number).expect("a subject of the DSDL is at most 8191")
}

/// A service of the DSDL; the compiler refuses an impossible one.
pub(super) const fn service(number: u16) -> ServiceId {
    ServiceId::new(number).expect("a service of the DSDL is at most 511")
}
