//! The three transmit mailboxes, and TSR, which shows their state.

use super::frame::{Frame, IDE};
use crate::breach::Breach;

const TXRQ: u32 = 1;
pub(super) const RQCP: u32 = 1 << 0;
pub(super) const TXOK: u32 = 1 << 1;
pub(super) const ALST: u32 = 1 << 2;
pub(super) const TERR: u32 = 1 << 3;
const ABRQ: u32 = 1 << 7;
const OUTCOME: u32 = TXOK | ALST | TERR;

/// One mailbox.
#[derive(Debug, Clone, Copy)]
struct Mailbox {
    /// TIxR without TXRQ, TDTxR, TDLxR, TDHxR.
    words: [u32; 4],
    /// RQCP, TXOK, ALST, TERR, ABRQ, at the places of mailbox 0.
    status: u32,
    pending: bool,
    /// When it was asked for, against the others.
    order: u32,
}

impl Mailbox {
    fn frame(&self) -> Frame {
        let [id, length, low, high] = self.words;
        // An identifier of 11 bits leaves the rest of the register without meaning.
        let id = if id & IDE != 0 { id } else { id & (0x7FF << 21 | 0b10) };
        let [a, b, c, d] = low.to_le_bytes();
        let [e, f, g, h] = high.to_le_bytes();
        let length = (length & 0xF).min(8) as u8;
        Frame { id, length, data: [a, b, c, d, e, f, g, h] }
    }
}

/// All three.
#[derive(Debug, Clone)]
pub(super) struct Mailboxes {
    boxes: [Mailbox; 3],
    requests: u32,
}

impl Mailboxes {
    pub(super) const fn new() -> Self {
        let empty = Mailbox { words: [0; 4], status: 0, pending: false, order: 0 };
        Self { boxes: [empty; 3], requests: 0 }
    }

    /// A register of a mailbox, by the word counted from the first mailbox's first.
    pub(super) fn load(&self, word: u32) -> u32 {
        let Some(mailbox) = self.boxes.get((word / 4) as usize) else { return 0 };
        let value = mailbox.words.get((word % 4) as usize).copied().unwrap_or(0);
        if word.is_multiple_of(4) { value | u32::from(mailbox.pending) } else { value }
    }

    /// Writes a register of a mailbox; true when that asks for transmission.
    pub(super) fn store(&mut self, word: u32, value: u32) -> Result<bool, Breach> {
        let order = self.requests;
        let Some(mailbox) = self.boxes.get_mut((word / 4) as usize) else { return Ok(false) };
        if mailbox.pending {
            let rule = "a mailbox is written before it is empty, TME (RM0351, CAN_TIxR)";
            return Err(Breach::new("CAN_TIxR", value, rule));
        }
        let Some(register) = mailbox.words.get_mut((word % 4) as usize) else { return Ok(false) };
        *register = value;
        if !word.is_multiple_of(4) || value & TXRQ == 0 {
            return Ok(false);
        }
        *register &= !TXRQ;
        mailbox.status = 0;
        mailbox.pending = true;
        mailbox.order = order;
        self.requests = order.wrapping_add(1);
        Ok(true)
    }

    /// TSR.
    pub(super) fn status(&self, in_order: bool) -> u32 {
        let mut tsr = 0;
        for (index, mailbox) in self.boxes.iter().enumerate() {
            tsr |= mailbox.status << (8 * index);
            tsr |= u32::from(!mailbox.pending) << (26 + index);
        }
        let free = self.boxes.iter().position(|mailbox| !mailbox.pending);
        let last = self.ranked(in_order).max().map_or(0, |(_, index)| index);
        if self.ranked(in_order).count() > 1 {
            tsr |= 1 << (29 + last);
        }
        tsr | (free.unwrap_or(last) as u32) << 24
    }

    /// A write to TSR: ones clear the outcome; gives the mailboxes to abort, one bit each.
    pub(super) fn store_status(&mut self, value: u32) -> u32 {
        let mut abort = 0;
        for (index, mailbox) in self.boxes.iter_mut().enumerate() {
            let bits = value >> (8 * index);
            // Clearing RQCP clears the rest (RM0351, CAN_TSR).
            let cleared = if bits & RQCP != 0 { RQCP | OUTCOME } else { bits & OUTCOME };
            mailbox.status &= !cleared;
            if bits & ABRQ != 0 && mailbox.pending {
                mailbox.status |= ABRQ;
                abort |= 1 << index;
            }
        }
        abort
    }

    /// Pending mailboxes with what decides who goes first, lowest first.
    fn ranked(&self, in_order: bool) -> impl Iterator<Item = (u32, usize)> + '_ {
        let requests = self.requests;
        let pending = self.boxes.iter().enumerate().filter(|(_, mailbox)| mailbox.pending);
        pending.map(move |(index, mailbox)| {
            let rank = match in_order {
                // By age; the newest request is one behind `requests`.
                true => u32::MAX - requests.wrapping_sub(mailbox.order),
                false => mailbox.frame().arbitration(),
            };
            (rank, index)
        })
    }

    /// The mailbox whose turn it is.
    pub(super) fn first(&self, in_order: bool) -> Option<usize> {
        self.ranked(in_order).min().map(|(_, index)| index)
    }

    pub(super) fn frame(&self, index: usize) -> Frame {
        self.boxes.get(index).map_or(Frame::EMPTY, Mailbox::frame)
    }

    pub(super) fn is_aborted(&self, index: usize) -> bool {
        self.boxes.get(index).is_some_and(|mailbox| mailbox.status & ABRQ != 0)
    }

    /// The mailbox is empty again.
    pub(super) fn finish(&mut self, index: usize, outcome: u32) {
        if let Some(mailbox) = self.boxes.get_mut(index) {
            mailbox.pending = false;
            mailbox.status = RQCP | outcome;
        }
    }

    /// Its frame has failed once and is tried again.
    pub(super) fn fail(&mut self, index: usize, how: u32) {
        if let Some(mailbox) = self.boxes.get_mut(index) {
            mailbox.status |= how;
        }
    }

    /// TIME of TDTxR, at the start of the frame.
    pub(super) fn stamp(&mut self, index: usize, time: u16) {
        if let Some([_, length, ..]) = self.boxes.get_mut(index).map(|mailbox| &mut mailbox.words) {
            *length = *length & 0xFFFF | u32::from(time) << 16;
        }
    }

    /// Whether any request is completed and not cleared.
    pub(super) fn completed(&self) -> bool {
        self.boxes.iter().any(|mailbox| mailbox.status & RQCP != 0)
    }

    /// A master reset.
    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }
}
