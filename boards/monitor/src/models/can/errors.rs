//! Error counters and states, as ESR shows them.

const EWGF: u32 = 1 << 0;
const EPVF: u32 = 1 << 1;
const BOFF: u32 = 1 << 2;
const LEC: u32 = 0b111 << 4;

/// What went wrong on the wire (RM0351, CAN_ESR, LEC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// No node acknowledged.
    Acknowledge = 3,
    /// Another node transmitted into the frame.
    BitRecessive = 4,
}

/// The counters.
#[derive(Debug, Clone)]
pub(super) struct Errors {
    tec: u16,
    rec: u16,
    lec: u32,
    bus_off: bool,
}

impl Errors {
    pub(super) const fn new() -> Self {
        Self { tec: 0, rec: 0, lec: 0, bus_off: false }
    }

    /// ESR.
    pub(super) fn status(&self) -> u32 {
        let most = self.tec.max(self.rec);
        let flag = |on, bit| if on { bit } else { 0 };
        flag(most >= 96, EWGF)
            | flag(most > 127, EPVF)
            | flag(self.bus_off, BOFF)
            | self.lec << 4
            | u32::from(self.tec.min(255)) << 16
            | u32::from(self.rec.min(255)) << 24
    }

    /// A write to ESR: only LEC takes it.
    pub(super) fn store(&mut self, value: u32) {
        self.lec = (value & LEC) >> 4;
    }

    pub(super) fn is_bus_off(&self) -> bool {
        self.bus_off
    }

    /// Whether the transmitter is error passive and must pause before it tries again.
    pub(super) fn is_passive(&self) -> bool {
        self.tec > 127
    }

    /// A frame of ours failed. Returns what is newly to be reported, as enables of IER.
    pub(super) fn failed(&mut self, fault: Fault) -> u32 {
        let before = self.status();
        // An error passive transmitter without an acknowledgement counts no further: it may just
        // be alone (CAN 2.0, fault confinement, exception 1 of rule 3).
        if fault != Fault::Acknowledge || !self.is_passive() {
            self.tec = self.tec.saturating_add(8);
        }
        self.bus_off |= self.tec > 255;
        self.lec = fault as u32;
        let newly = self.status() & !before & (EWGF | EPVF | BOFF);
        newly << 8 | 1 << 11
    }

    pub(super) fn sent(&mut self) {
        self.tec = self.tec.saturating_sub(1);
        self.lec = 0;
    }

    pub(super) fn received(&mut self) {
        self.rec = self.rec.saturating_sub(1);
        self.lec = 0;
    }

    /// Back on the bus after bus-off.
    pub(super) fn recover(&mut self) {
        if self.bus_off {
            *self = Self { lec: self.lec, ..Self::new() };
        }
    }
}
