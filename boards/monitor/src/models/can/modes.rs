//! Sleep, initialization and normal mode, and the time between them: MCR and MSR.

use super::Can;
use crate::breach::Breach;
use crate::context::Ns;

const INRQ: u32 = 1 << 0;
const SLEEP: u32 = 1 << 1;
const TXFP: u32 = 1 << 2;
const RFLM: u32 = 1 << 3;
const NART: u32 = 1 << 4;
const AWUM: u32 = 1 << 5;
const ABOM: u32 = 1 << 6;
const TTCM: u32 = 1 << 7;
const RESET: u32 = 1 << 15;
/// MCR after reset: asleep, and frozen while a debugger halts the processor.
const MCR_RESET: u32 = 0x0001_0002;

const INAK: u32 = 1 << 0;
const SLAK: u32 = 1 << 1;
pub(super) const ERRI: u32 = 1 << 2;
pub(super) const WKUI: u32 = 1 << 3;
pub(super) const SLAKI: u32 = 1 << 4;
/// SAMP and RX: the bus is recessive.
const RECESSIVE: u32 = 0xC00;

/// Recessive bits after which a controller is on the bus (RM0351, bxCAN normal mode).
const QUIET_BITS: u32 = 11;
/// How often those are awaited after bus-off.
const RECOVERY: u32 = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Sleep,
    Initialization,
    Normal,
}

/// MCR and MSR.
#[derive(Debug, Clone)]
pub(super) struct Modes {
    mcr: u32,
    /// ERRI, WKUI, SLAKI.
    marks: u32,
    mode: Mode,
    /// The mode that is asked for, and when it is reached; `Ns::MAX` when there is no change.
    wish: Mode,
    at: Ns,
}

impl Modes {
    pub(super) const fn new() -> Self {
        Self { mcr: MCR_RESET, marks: 0, mode: Mode::Sleep, wish: Mode::Sleep, at: Ns::MAX }
    }

    pub(super) fn mcr(&self) -> u32 {
        self.mcr
    }

    /// MSR but for TXM and RXM.
    pub(super) fn msr(&self) -> u32 {
        let acknowledge = match self.mode {
            Mode::Sleep => SLAK,
            Mode::Initialization => INAK,
            Mode::Normal => 0,
        };
        acknowledge | self.marks | RECESSIVE
    }

    /// A write to MSR: ones clear the marks.
    pub(super) fn store_msr(&mut self, value: u32) {
        self.marks &= !value;
    }

    pub(super) fn mark(&mut self, mark: u32) {
        self.marks |= mark;
    }

    pub(super) fn in_init(&self) -> bool {
        self.mode == Mode::Initialization
    }

    pub(super) fn on_bus(&self) -> bool {
        self.mode == Mode::Normal
    }

    /// Whether a new frame may begin: on the bus, and to stay there.
    pub(super) fn may_send(&self) -> bool {
        self.on_bus() && self.wish == Mode::Normal
    }

    pub(super) fn in_order(&self) -> bool {
        self.mcr & TXFP != 0
    }

    pub(super) fn is_locked(&self) -> bool {
        self.mcr & RFLM != 0
    }

    pub(super) fn tries_once(&self) -> bool {
        self.mcr & NART != 0
    }

    pub(super) fn recovers(&self) -> bool {
        self.mcr & ABOM != 0
    }

    pub(super) fn stamps(&self) -> bool {
        self.mcr & TTCM != 0
    }

    /// When the mode changes.
    pub(super) fn next(&self) -> Ns {
        self.at
    }

    pub(super) fn postpone(&mut self, by: Ns) {
        self.at = self.at.saturating_add(by);
    }

    /// The change that is due.
    pub(super) fn change(&mut self, marks_sleep: bool) {
        self.mode = self.wish;
        self.at = Ns::MAX;
        match self.mode {
            Mode::Sleep if marks_sleep => self.marks |= SLAKI,
            Mode::Sleep => {}
            _ => self.marks &= !SLAKI,
        }
    }

    /// A frame has begun on the bus: a sleeping controller notices, and leaves sleep if AWUM is
    /// set.
    pub(super) fn woken(&mut self) -> bool {
        if self.mode != Mode::Sleep {
            return false;
        }
        self.marks |= WKUI;
        let wakes = self.mcr & AWUM != 0 && self.mcr & SLEEP != 0;
        if wakes {
            self.mcr &= !SLEEP;
        }
        wakes
    }

    /// What MCR asks for. A sleeper needs SLEEP cleared to go anywhere.
    fn wished(&self) -> Mode {
        let asleep = self.mode == Mode::Sleep;
        match (self.mcr & INRQ != 0, self.mcr & SLEEP != 0) {
            (_, true) if asleep => Mode::Sleep,
            (true, _) => Mode::Initialization,
            (false, true) => Mode::Sleep,
            (false, false) => Mode::Normal,
        }
    }
}

impl Can {
    pub(super) fn store_mcr(&mut self, value: u32, now: Ns) -> Result<(), Breach> {
        if value & RESET != 0 {
            self.modes = Modes::new();
            self.boxes.clear();
            self.fifos.iter_mut().for_each(|fifo| fifo.clear());
            self.wire.leave();
            return Ok(());
        }
        self.modes.mcr = value & 0x0001_00FF;
        let joins = self.modes.wished() == Mode::Normal && self.modes.wish != Mode::Normal;
        // Before the bit timing is set, a controller that is not asleep does no harm here.
        if joins && self.timing.is_set() && self.filters.in_setup() {
            let rule = "joins the bus while FINIT stops reception (RM0351, CAN_FMR)";
            return Err(Breach::new("CAN_MCR", value, rule));
        }
        self.wish(now);
        Ok(())
    }

    /// Begins what MCR asks for. What has begun goes on: software asks again and again.
    pub(super) fn wish(&mut self, now: Ns) {
        let wished = self.modes.wished();
        if wished == self.modes.wish {
            return;
        }
        self.modes.wish = wished;
        self.modes.at = match wished {
            _ if wished == self.modes.mode => Ns::MAX,
            Mode::Normal => {
                let rounds = if self.errors.is_bus_off() { RECOVERY } else { 1 };
                let quiet = now.saturating_add(self.timing.bits(QUIET_BITS * rounds));
                quiet.max(self.wire.busy(now))
            }
            // What is on the wire is finished first.
            _ if self.modes.on_bus() => self.wire.busy(now).saturating_add(self.timing.bits(1)),
            _ => now.saturating_add(self.timing.bits(1)),
        };
    }

    /// A mode was reached.
    pub(super) fn changed_mode(&mut self) {
        match self.modes.mode {
            Mode::Normal => self.errors.recover(),
            _ => self.wire.leave(),
        }
    }

    /// How long recovery from bus-off takes.
    pub(super) fn recovery(&self) -> Ns {
        self.timing.bits(QUIET_BITS * RECOVERY)
    }
}
