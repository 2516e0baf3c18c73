//! bxCAN: mailboxes, receive FIFOs of three frames, filters, error states.
//!
//! The bus is the bench's hub. A frame takes its time on the wire in both directions, one at a
//! time, so a device that reads too slowly loses frames here as it would at a table. A frame of
//! ours is sent only when the hub says that another node has taken it; the model never acknowledges
//! its own.

mod errors;
mod fifo;
mod filters;
mod frame;
mod mailboxes;
mod modes;
mod timing;
mod wire;

#[cfg(test)]
mod bus_tests;
#[cfg(test)]
mod embassy;
#[cfg(test)]
mod filter_tests;
#[cfg(test)]
mod off_bus_tests;
#[cfg(test)]
mod tests;

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};
use crate::lines::Line;
use errors::Errors;
use fifo::Fifo;
use filters::Filters;
use frame::Decoder;
use mailboxes::Mailboxes;
use modes::Modes;
use timing::Timing;
use wire::Wire;

/// Registers by their offset (RM0351, bxCAN register map); the filters' are in their own file.
mod offsets {
    pub(super) const MCR: u32 = 0x000;
    pub(super) const MSR: u32 = 0x004;
    pub(super) const TSR: u32 = 0x008;
    pub(super) const RF0R: u32 = 0x00C;
    pub(super) const RF1R: u32 = 0x010;
    pub(super) const IER: u32 = 0x014;
    pub(super) const ESR: u32 = 0x018;
    pub(super) const BTR: u32 = 0x01C;
    pub(super) const TI0R: u32 = 0x180;
    pub(super) const TDH2R: u32 = 0x1AC;
    pub(super) const RI0R: u32 = 0x1B0;
    pub(super) const RDH1R: u32 = 0x1CC;
}
use offsets::*;

const TMEIE: u32 = 1 << 0;
const ERRIE: u32 = 1 << 15;
const WKUIE: u32 = 1 << 16;
const SLKIE: u32 = 1 << 17;
const ENABLES: u32 = 0x0003_8F7F;

/// The controller.
#[derive(Debug, Clone)]
pub struct Can {
    modes: Modes,
    ier: u32,
    timing: Timing,
    boxes: Mailboxes,
    fifos: [Fifo; 2],
    filters: Filters,
    errors: Errors,
    wire: Wire,
    decoder: Decoder,
    /// The latest time seen, from which a held controller's time stands still.
    seen: Ns,
    held: bool,
    patient: bool,
    received: u32,
    sent: u32,
    lost: u32,
}

impl Can {
    /// After reset: asleep.
    pub const fn new() -> Self {
        Self {
            modes: Modes::new(),
            ier: 0,
            timing: Timing::new(),
            boxes: Mailboxes::new(),
            fifos: [Fifo::new(), Fifo::new()],
            filters: Filters::new(),
            errors: Errors::new(),
            wire: Wire::new(),
            decoder: Decoder::new(),
            seen: 0,
            held: false,
            patient: false,
            received: 0,
            sent: 0,
            lost: 0,
        }
    }

    /// A reset through RCC. What the bench has set up outside stays, and the count of what was.
    pub fn reset(&mut self) {
        let fresh = Self { decoder: self.decoder.clone(), ..Self::new() };
        let Self { seen, held, patient, received, sent, lost, .. } = *self;
        let alone = self.wire.alone;
        *self = Self { seen, held, patient, received, sent, lost, ..fresh };
        self.wire.alone = alone;
    }

    /// Frames that came into a FIFO.
    pub fn received(&self) -> u32 {
        self.received
    }

    /// Frames that another node acknowledged.
    pub fn sent(&self) -> u32 {
        self.sent
    }

    /// Frames lost to a full FIFO.
    pub fn lost(&self) -> u32 {
        self.lost
    }

    /// Sets whether this node is alone on the bus: nothing is acknowledged, nothing comes.
    pub fn set_alone(&mut self, alone: bool) {
        self.wire.alone = alone;
    }

    /// Nothing that the controller does comes to an end, or again it does. Its time stands still
    /// from the latest look at it.
    pub fn set_held(&mut self, held: bool) {
        self.held = held;
    }

    /// Frames wait for room in the FIFO, so that none is lost; or, as on silicon, they do not.
    pub fn set_patient(&mut self, patient: bool) {
        self.patient = patient;
    }

    /// How many frames from the bench find room.
    pub fn room(&self) -> usize {
        if self.held { 0 } else { self.wire.room() }
    }

    /// Reads a register.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        words_only(offset, width)?;
        self.advance(cx)?;
        Ok(match offset {
            MCR => self.modes.mcr(),
            MSR => self.modes.msr() | self.wire.activity(self.modes.on_bus()),
            TSR => self.boxes.status(self.modes.in_order()),
            RF0R => self.fifos[0].status(),
            RF1R => self.fifos[1].status(),
            IER => self.ier,
            ESR => self.errors.status(),
            BTR => self.timing.btr(),
            TI0R..=TDH2R => self.boxes.load((offset - TI0R) / 4),
            RI0R..=RDH1R => {
                let word = (offset - RI0R) / 4;
                self.fifos[usize::from(word >= 4)].load(word % 4)?
            }
            _ => self.filters.load(offset).ok_or_else(|| unknown(offset))?,
        })
    }

    /// Writes a register.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        words_only(offset, width)?;
        self.advance(cx)?;
        match offset {
            MCR => self.store_mcr(value, cx.now)?,
            MSR => self.modes.store_msr(value),
            TSR => self.store_tsr(value),
            RF0R => self.fifos[0].store(value),
            RF1R => self.fifos[1].store(value),
            IER => self.ier = value & ENABLES,
            ESR => self.errors.store(value),
            BTR => self.store_btr(value, cx)?,
            TI0R..=TDH2R => self.store_mailbox((offset - TI0R) / 4, value)?,
            RI0R..=RDH1R => {
                let rule = "receive mailboxes are write protected (RM0351, CAN_RIxR)";
                return Err(Breach::new("CAN_RIxR", value, rule));
            }
            _ => self.filters.store(offset, value).ok_or_else(|| unknown(offset))??,
        }
        self.begin(cx.now);
        self.show(cx);
        Ok(())
    }

    /// Does what is due.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        let since = cx.now.saturating_sub(self.seen);
        self.seen = self.seen.max(cx.now);
        if self.held {
            self.modes.postpone(since);
            self.wire.postpone(since);
            return Ok(());
        }
        let mut changed = false;
        // The next of each kind begins now and not when the last was due, so that a late look
        // finds one frame and not a burst. Each turn ends something that had begun.
        while self.next().is_some_and(|due| due <= cx.now) {
            if self.wire.next() <= self.modes.next() {
                self.end_on_wire(cx);
            } else {
                self.modes.change(self.ier & SLKIE != 0);
                self.changed_mode();
            }
            self.begin(cx.now);
            changed = true;
        }
        if changed {
            self.show(cx);
        }
        Ok(())
    }

    /// When something is due.
    pub fn next(&self) -> Option<Ns> {
        let due = self.wire.next().min(self.modes.next());
        (due != Ns::MAX && !self.held).then_some(due)
    }

    fn store_btr(&mut self, value: u32, cx: &Context<'_>) -> Result<(), Breach> {
        if !self.modes.in_init() {
            let rule = "BTR is written outside initialization mode (RM0351, CAN_BTR)";
            return Err(Breach::new("CAN_BTR", value, rule));
        }
        self.timing.store(value, cx.clocks.pclk1)
    }

    fn store_mailbox(&mut self, word: u32, value: u32) -> Result<(), Breach> {
        let asked = self.boxes.store(word, value)?;
        let breach = |rule| Err(Breach::new("CAN_TIxR", value, rule));
        if asked && !self.modes.on_bus() {
            return breach("TXRQ in initialization or sleep mode (RM0351, bxCAN operating modes)");
        }
        if asked && !self.timing.is_set() {
            return breach("TXRQ with the bit timing of reset (RM0351, CAN_BTR)");
        }
        Ok(())
    }

    /// The four interrupt lines.
    fn show(&self, cx: &mut Context<'_>) {
        let [first, second] = &self.fifos;
        cx.lines.set(Line::CanTx, self.ier & TMEIE != 0 && self.boxes.completed());
        cx.lines.set(Line::CanRx0, first.asks(self.ier >> 1));
        cx.lines.set(Line::CanRx1, second.asks(self.ier >> 4));
        let enabled = |bit, mark| if self.ier & bit != 0 { mark } else { 0 };
        let marks = enabled(ERRIE, modes::ERRI)
            | enabled(WKUIE, modes::WKUI)
            | enabled(SLKIE, modes::SLAKI);
        cx.lines.set(Line::CanSce, self.modes.msr() & marks != 0);
    }
}

impl Default for Can {
    fn default() -> Self {
        Self::new()
    }
}

fn words_only(offset: u32, width: Width) -> Result<(), Breach> {
    match width {
        Width::Word => Ok(()),
        _ => Err(Breach::new("CAN", offset, "bxCAN takes words only (RM0351, bxCAN registers)")),
    }
}

fn unknown(offset: u32) -> Breach {
    Breach::new("CAN", offset, "no such register")
}
