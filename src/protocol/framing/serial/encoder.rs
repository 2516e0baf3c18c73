//! Writes a transfer as delimited bytes.

use cobs::CobsEncoder;

use super::header;
use crate::protocol::framing::crc::Crc32c;
use crate::protocol::transfer::Transfer;

pub(super) const DELIMITER: u8 = 0;
pub(super) const CHECKSUM: usize = 4;

/// Why a transfer cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unsendable {
    /// Only messages can do without a sender.
    AnonymousService,
    /// The bytes do not fit where they should go.
    NoRoom,
}

/// The most bytes that a transfer with so long a payload takes on the wire.
pub const fn most_bytes(payload: usize) -> usize {
    1 + cobs::max_encoding_length(header::SIZE + payload + CHECKSUM) + 1
}

/// Writes `transfer` to the start of `out`, with delimiters, and gives what was written.
pub fn encode<'a>(transfer: &Transfer<'_>, out: &'a mut [u8]) -> Result<&'a [u8], Unsendable> {
    let header = header::encode(&transfer.header).ok_or(Unsendable::AnonymousService)?;
    let mut checksum = Crc32c::new();
    checksum.update(transfer.payload);
    let length = enclose([&header, transfer.payload, &checksum.to_bytes()], out);
    length.and_then(|length| out.get(..length)).ok_or(Unsendable::NoRoom)
}

/// The parts, as one, between two delimiters; returns how many bytes that took.
fn enclose(parts: [&[u8]; 3], out: &mut [u8]) -> Option<usize> {
    let (first, rest) = out.split_first_mut()?;
    *first = DELIMITER;
    let mut encoder = CobsEncoder::new(rest);
    for part in parts {
        encoder.push(part).ok()?;
    }
    let encoded = encoder.finalize();
    *rest.get_mut(encoded)? = DELIMITER;
    Some(1 + encoded + 1)
}
