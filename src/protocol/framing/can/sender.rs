//! Cuts a transfer into frames.

use embedded_can::ExtendedId;

use super::{Address, Frame, MOST_BYTES, Tail};
use crate::protocol::framing::crc::Crc16;
use crate::protocol::transfer::Transfer;

/// Bytes of a frame before its tail.
pub(super) const ROOM: usize = MOST_BYTES - 1;

/// Why a transfer cannot be sent on CAN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unsendable {
    /// Only messages can do without a sender.
    AnonymousService,
    /// Without a sender, a transfer must fit one frame.
    AnonymousLong,
}

/// The frames of one transfer, in order: one, or several with a checksum at the end.
///
/// Classic CAN has every length up to eight, so nothing is ever padded.
#[derive(Debug, Clone)]
pub struct Frames<'a> {
    id: ExtendedId,
    transfer_id: u8,
    payload: &'a [u8],
    checksum: [u8; 2],
    /// Bytes to send: the payload and, for several frames, the checksum.
    total: usize,
    sent: usize,
    toggle: bool,
    done: bool,
}

impl<'a> Frames<'a> {
    /// The frames of `transfer`.
    pub fn of(transfer: &Transfer<'a>) -> Result<Self, Unsendable> {
        let payload = transfer.payload;
        let id = Address::encode(&transfer.header, payload).ok_or(Unsendable::AnonymousService)?;
        let single = payload.len() <= ROOM;
        if !single && transfer.header.source.is_none() {
            return Err(Unsendable::AnonymousLong);
        }
        let checksum = Crc16::of(payload).to_bytes();
        Ok(Self {
            id,
            transfer_id: Tail::wrap(transfer.header.transfer_id),
            payload,
            checksum,
            total: if single { payload.len() } else { payload.len() + checksum.len() },
            sent: 0,
            toggle: true,
            done: false,
        })
    }
}

impl Iterator for Frames<'_> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        if self.done {
            return None;
        }
        let taken = ROOM.min(self.total - self.sent);
        let stream = self.payload.iter().chain(&self.checksum).skip(self.sent);
        let mut bytes = [0; MOST_BYTES];
        bytes.iter_mut().zip(stream.take(taken)).for_each(|(to, from)| *to = *from);
        let tail = Tail {
            start: self.sent == 0,
            end: self.sent + taken == self.total,
            toggle: self.toggle,
            transfer_id: self.transfer_id,
        };
        bytes[taken] = tail.encode();
        self.sent += taken;
        self.toggle = !self.toggle;
        self.done = tail.end;
        Frame::new(self.id, &bytes[..=taken])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.done {
            true => 0,
            false => (self.total - self.sent).div_ceil(ROOM).max(1),
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for Frames<'_> {}
