//! One place where the frames of a transfer are joined.

use super::Tail;
use crate::protocol::counters::Loss;
use crate::protocol::framing::crc::Crc16;
use crate::protocol::transfer::{NodeId, Port};
use crate::time::{Instant, Millis};

/// How long a sender's last transfer is remembered, and how long its next frame may take
/// (the transfer-ID time-out that the specification recommends).
pub const FORGET_AFTER: Millis = Millis::from_secs(2);

/// Bytes of the checksum at the end of a transfer of several frames.
const CHECKSUM: usize = 2;

/// Transfers of one sender on one port, which come one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Session {
    pub source: NodeId,
    pub port: Port,
}

/// A transfer in the making.
#[derive(Debug, Clone, Copy)]
struct Making {
    transfer_id: u8,
    /// What the next frame's must be.
    toggle: bool,
    crc: Crc16,
    /// What the listener takes.
    extent: usize,
    /// Seen so far, checksum included, kept or not.
    total: usize,
}

/// A session's place: what it last delivered, and the transfer in the making.
#[derive(Debug, Clone)]
pub(super) struct Slot<const BYTES: usize> {
    session: Option<Session>,
    delivered: Option<u8>,
    making: Option<Making>,
    seen: Instant,
    turn: u32,
    bytes: [u8; BYTES],
}

impl<const BYTES: usize> Slot<BYTES> {
    pub(super) const EMPTY: Self = Self {
        session: None,
        delivered: None,
        making: None,
        seen: Instant::START,
        turn: 0,
        bytes: [0; BYTES],
    };

    pub(super) fn session(&self) -> Option<Session> {
        self.session
    }

    pub(super) fn is_making(&self) -> bool {
        self.making.is_some()
    }

    /// Whether the last frame is so long ago that the session counts for nothing.
    pub(super) fn is_stale(&self, now: Instant) -> bool {
        now.since(self.seen) > FORGET_AFTER
    }

    /// How many frames other sessions got in since this one's last.
    pub(super) fn silence(&self, turn: u32) -> u32 {
        turn.wrapping_sub(self.turn)
    }

    /// Whether this transfer was delivered already.
    pub(super) fn repeats(&self, transfer_id: u8, now: Instant) -> bool {
        self.delivered == Some(transfer_id) && !self.is_stale(now)
    }

    /// Notes a sign of life.
    pub(super) fn touch(&mut self, now: Instant, turn: u32) {
        (self.seen, self.turn) = (now, turn);
    }

    /// Gives the place to `session`. What it remembers of the same session stays.
    pub(super) fn assign(&mut self, session: Session) {
        if self.session != Some(session) {
            (self.session, self.delivered) = (Some(session), None);
        }
        self.making = None;
    }

    /// Remembers a transfer that needed no joining.
    pub(super) fn note_delivered(&mut self, transfer_id: u8) {
        self.delivered = Some(transfer_id);
    }

    /// Begins a transfer of several frames, of which the listener takes `extent` bytes.
    pub(super) fn begin(&mut self, transfer_id: u8, extent: usize) {
        self.making =
            Some(Making { transfer_id, toggle: true, crc: Crc16::START, extent, total: 0 });
    }

    /// Adds a frame's bytes; with the last frame, returns how many bytes to deliver.
    pub(super) fn add(
        &mut self,
        tail: Tail,
        bytes: &[u8],
        now: Instant,
    ) -> Result<Option<usize>, Loss> {
        let stale = self.is_stale(now);
        let Some(making) = &mut self.making else {
            return Err(match self.repeats(tail.transfer_id, now) {
                true => Loss::Duplicate,
                false => Loss::Stray,
            });
        };
        if stale {
            self.making = None;
            return Err(Loss::TimedOut);
        }
        if tail.transfer_id != making.transfer_id {
            return Err(Loss::Stray);
        }
        if tail.toggle != making.toggle {
            return Err(Loss::Duplicate);
        }
        let kept = making.extent.min(BYTES);
        let free = self.bytes.get_mut(..kept).and_then(|kept| kept.get_mut(making.total..));
        free.into_iter().flatten().zip(bytes).for_each(|(to, from)| *to = *from);
        making.total = making.total.saturating_add(bytes.len());
        making.crc = making.crc.with(bytes);
        making.toggle = !making.toggle;
        let Making { crc, total, .. } = *making;
        let length = total.saturating_sub(CHECKSUM);
        if length > kept && kept < making.extent {
            self.making = None;
            return Err(Loss::Overflow);
        }
        if !tail.end {
            return Ok(None);
        }
        self.making = None;
        if !crc.is_closed() {
            return Err(Loss::Checksum);
        }
        self.delivered = Some(tail.transfer_id);
        Ok(Some(length.min(kept)))
    }

    /// The first `length` bytes.
    pub(super) fn payload(&self, length: usize) -> &[u8] {
        self.bytes.get(..length).unwrap_or(&self.bytes)
    }
}

impl<const BYTES: usize> zeroize::Zeroize for Slot<BYTES> {
    fn zeroize(&mut self) {
        if !self.is_making() {
            self.bytes.zeroize();
        }
    }
}
