//! SPI1, as the master of one part.
//!
//! Bytes go through FIFOs of 32 bits and take eight clocks each. The part at the far end is
//! not here but in [`SpiBus`], and the bytes that DMA brings and takes go through
//! [`dma::serve`](super::dma::serve): that function is what moves this model on. It is called
//! before and after each access to SPI1 or DMA1, and when [`Spi::next`] is due.
//!
//! An overrun is a breach where the image reads what is received. It is none in a transfer that
//! only sends: drivers leave the received bytes, and flush them before they read.

mod fifo;
mod registers;
#[cfg(test)]
mod tests;

use fifo::Fifo;
use registers::*;

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};
use crate::lines::Line;
use crate::parts::SpiBus;

/// Bytes under DMA that go with one event.
const CHUNK: u16 = 64;
/// The transmit FIFO asks for more while it is half empty.
const HALF: u8 = 2;

struct Shift {
    out: u8,
    ends: Ns,
}

/// SPI1.
pub struct Spi {
    held: bool,
    cr1: u32,
    cr2: u32,
    crcpr: u32,
    sending: Fifo,
    received: Fifo,
    shift: Option<Shift>,
    /// How long a byte takes.
    frame: Ns,
    overrun: bool,
    /// DR was read since the overrun: the next read of SR clears it.
    overrun_read: bool,
    /// SPE was set, and the part has not been asked yet.
    fresh: bool,
    /// Bytes that DMA moves before it interrupts the processor.
    unheard: u16,
}

impl Spi {
    /// As after reset.
    pub const fn new() -> Self {
        Self {
            held: false,
            cr1: 0,
            cr2: cr2::RESET,
            crcpr: 7,
            sending: Fifo::new(),
            received: Fifo::new(),
            shift: None,
            frame: 0,
            overrun: false,
            overrun_read: false,
            fresh: false,
            unheard: 0,
        }
    }

    /// Resets the registers, as RCC does.
    pub fn reset(&mut self) {
        *self = Self { held: self.held, ..Self::new() };
    }

    /// From now on nothing finishes, or again everything does.
    pub fn set_held(&mut self, held: bool) {
        self.held = held;
    }

    /// Carries out a load.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        let word = match offset {
            CR1 => self.cr1,
            CR2 => self.cr2,
            SR => self.read_status(),
            DR => self.read_data(width)?,
            CRCPR => self.crcpr,
            RXCRCR | TXCRCR => 0,
            _ => return Err(Breach::new("SPI", offset, "no such register")),
        };
        self.drive_line(cx);
        Ok(if width == Width::Byte { word & 0xFF } else { word & 0xFFFF })
    }

    /// Carries out a store.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        if width == Width::Byte && offset != DR {
            return Err(Breach::new("SPI", value, "only data is stored by bytes (RM0351, SPI_DR)"));
        }
        let done = match offset {
            CR1 => self.set_cr1(value & 0xFFFF),
            CR2 => self.set_cr2(value & 0xFFFF),
            SR => Ok(()), // nothing but CRCERR is cleared there
            DR => self.push(value, if width == Width::Byte { 1 } else { 2 }),
            CRCPR => {
                self.crcpr = value & 0xFFFF;
                Ok(())
            }
            _ => Err(Breach::new("SPI", offset, "no such register")),
        };
        self.begin(cx.now, cx);
        self.drive_line(cx);
        done
    }

    /// Nothing: [`dma::serve`](super::dma::serve) moves this model, for it has the part.
    pub fn advance(&mut self, _cx: &mut Context<'_>) -> Result<(), Breach> {
        Ok(())
    }

    /// When `serve` has something to do that the processor would not find by looking.
    pub fn next(&self) -> Option<Ns> {
        let ends = self.shift.as_ref().filter(|_| !self.held)?.ends;
        if self.cr2 & (cr2::RXNEIE | cr2::TXEIE | cr2::ERRIE) != 0 {
            return Some(ends);
        }
        let more = self.unheard.min(CHUNK).checked_sub(1)?;
        Some(ends.saturating_add(u64::from(more) * self.frame))
    }

    /// Holds a set-up that has just been enabled against the part.
    pub(super) fn check(&mut self, bus: &SpiBus, cx: &Context<'_>) -> Result<(), Breach> {
        if !core::mem::take(&mut self.fresh) {
            return Ok(());
        }
        let rate = cx.clocks.pclk2 >> (1 + self.divider());
        if rate > bus.most_hz() {
            let rule = "the clock is faster than the part stands (head 5 MHz, chain 1 MHz), in Hz";
            return Err(Breach::new("SPI_CR1", rate, rule));
        }
        if bus.mode().is_some_and(|wanted| wanted != self.cr1 & cr1::MODE) {
            let rule = "CPOL and CPHA are not the part's: head mode 0, chain mode 2";
            return Err(Breach::new("SPI_CR1", self.cr1, rule));
        }
        Ok(())
    }

    /// Begins a byte if one waits, or ends the one whose time has come. False when there is
    /// nothing to be done now.
    pub(super) fn step(&mut self, bus: &mut SpiBus, cx: &mut Context<'_>) -> Result<bool, Breach> {
        let Some(Shift { out, ends }) = self.shift else {
            self.begin(cx.now, cx);
            return Ok(self.shift.is_some());
        };
        if !self.is_due(cx.now) {
            return Ok(false);
        }
        self.shift = None;
        let now = core::mem::replace(&mut cx.now, ends);
        let back = bus.exchange(out, cx);
        let taken = back.and_then(|back| self.take_in(back));
        cx.now = now;
        self.begin(ends, cx);
        taken.map(|()| true)
    }

    /// Whether DMA is asked for something to send.
    pub fn tx_request(&self) -> bool {
        self.cr2 & cr2::TXDMAEN != 0 && self.sending.count() <= HALF
    }

    /// Whether DMA is asked to fetch what was received.
    pub fn rx_request(&self) -> bool {
        self.cr2 & cr2::RXDMAEN != 0 && self.has_received()
    }

    /// How many items DMA still has for and from this SPI.
    pub(super) fn expect(&mut self, tx: u16, rx: u16) {
        let tx = if self.cr2 & cr2::TXDMAEN != 0 { tx } else { 0 };
        let rx = if self.cr2 & cr2::RXDMAEN != 0 { rx } else { 0 };
        self.unheard = match (tx, rx) {
            (0, one) | (one, 0) => one,
            (tx, rx) => tx.min(rx),
        };
    }

    /// A store to DR of `count` bytes, the lower first.
    pub(super) fn push(&mut self, value: u32, count: usize) -> Result<(), Breach> {
        for byte in value.to_le_bytes().into_iter().take(count) {
            if !self.sending.push(byte) {
                let rule = "written while the FIFO is full: a byte is lost (RM0351, SPI TXFIFO)";
                return Err(Breach::new("SPI_DR", value, rule));
            }
        }
        Ok(())
    }

    /// A load of DR.
    pub(super) fn read_data(&mut self, width: Width) -> Result<u32, Breach> {
        if !self.has_received() {
            let rule = "read while RXNE is low (RM0351, SPI RXFIFO)";
            return Err(Breach::new("SPI_DR", self.status(), rule));
        }
        self.overrun_read = true;
        let first = u32::from(self.received.pop().unwrap_or(0));
        if width == Width::Byte {
            return Ok(first);
        }
        Ok(first | u32::from(self.received.pop().unwrap_or(0)) << 8)
    }

    pub(super) fn drive_line(&self, cx: &mut Context<'_>) {
        let status = self.status();
        let enabled = |enable: u32, flag: u32| self.cr2 & enable != 0 && status & flag != 0;
        let high = enabled(cr2::RXNEIE, sr::RXNE)
            || enabled(cr2::TXEIE, sr::TXE)
            || enabled(cr2::ERRIE, sr::OVR);
        cx.lines.set(Line::Spi1, high);
    }

    fn set_cr1(&mut self, value: u32) -> Result<(), Breach> {
        let before = core::mem::replace(&mut self.cr1, value);
        let (was_on, is_on) = (before & cr1::SPE != 0, value & cr1::SPE != 0);
        if was_on && (before ^ value) & cr1::SET_UP != 0 {
            let rule = "the set-up changes only while SPE is off (RM0351, SPI configuration)";
            return Err(Breach::new("SPI_CR1", value, rule));
        }
        if was_on && !is_on && !self.only_receives() {
            let cut = self.shift.take().is_some() || self.sending.count() > 0;
            self.sending = Fifo::new();
            if cut {
                let rule = "SPE is cleared while BSY (RM0351, SPI disabling procedure)";
                return Err(Breach::new("SPI_CR1", value, rule));
            }
        }
        if is_on && !was_on {
            self.fresh = true;
            return self.check_set_up();
        }
        Ok(())
    }

    /// What must be right once SPE is set.
    fn check_set_up(&self) -> Result<(), Breach> {
        let master = self.cr1 & cr1::MSTR != 0;
        let deselected = self.cr1 & cr1::SSM != 0 && self.cr1 & cr1::SSI == 0;
        let rule = if !master {
            "SPI1 is the bus's only master"
        } else if deselected {
            "a master with SSM and without SSI is a mode fault (RM0351, SPI_SR, MODF)"
        } else if self.cr1 & cr1::CRCEN != 0 {
            "the parts know no CRC"
        } else if self.cr1 & cr1::LSBFIRST != 0 {
            "the parts send the highest bit first"
        } else {
            return self.check_size();
        };
        Err(Breach::new("SPI_CR1", self.cr1, rule))
    }

    fn check_size(&self) -> Result<(), Breach> {
        if self.cr2 & cr2::DS != cr2::EIGHT_BITS {
            return Err(Breach::new("SPI_CR2", self.cr2, "the parts have frames of eight bits"));
        }
        Ok(())
    }

    fn set_cr2(&mut self, value: u32) -> Result<(), Breach> {
        let before = core::mem::replace(&mut self.cr2, value);
        if value & cr2::DS < 0b0011 << 8 {
            self.cr2 |= cr2::EIGHT_BITS; // what is not allowed is eight bits (RM0351, SPI_CR2, DS)
        }
        if self.is_on() && (before ^ self.cr2) & cr2::SET_UP != 0 {
            let rule = "the set-up changes only while SPE is off (RM0351, SPI configuration)";
            return Err(Breach::new("SPI_CR2", value, rule));
        }
        Ok(())
    }

    fn is_on(&self) -> bool {
        self.cr1 & cr1::SPE != 0
    }

    /// Whether the clock runs for as long as SPE is set.
    fn only_receives(&self) -> bool {
        match self.cr1 & cr1::BIDIMODE {
            0 => self.cr1 & cr1::RXONLY != 0,
            _ => self.cr1 & cr1::BIDIOE == 0,
        }
    }

    fn only_sends(&self) -> bool {
        self.cr1 & cr1::BIDIMODE != 0 && self.cr1 & cr1::BIDIOE != 0
    }

    fn divider(&self) -> u32 {
        (self.cr1 & cr1::BR) >> cr1::BR_AT
    }

    fn is_due(&self, now: Ns) -> bool {
        !self.held && self.shift.as_ref().is_some_and(|shift| shift.ends <= now)
    }

    fn begin(&mut self, at: Ns, cx: &Context<'_>) {
        if self.shift.is_some() || !self.is_on() || cx.clocks.pclk2 == 0 {
            return;
        }
        let out = if self.only_receives() { Some(0) } else { self.sending.pop() };
        let Some(out) = out else {
            return;
        };
        let clocks = 8_u64 << (1 + self.divider());
        self.frame = (clocks * 1_000_000_000 / u64::from(cx.clocks.pclk2)).max(1);
        self.shift = Some(Shift { out, ends: at.saturating_add(self.frame) });
    }

    fn take_in(&mut self, byte: u8) -> Result<(), Breach> {
        if self.only_sends() || self.received.push(byte) {
            return Ok(());
        }
        self.overrun = true;
        self.overrun_read = false;
        if self.only_receives() || self.cr2 & (cr2::RXDMAEN | cr2::RXNEIE) != 0 {
            let rule = "OVR: a received byte is lost (RM0351, SPI error flags)";
            return Err(Breach::new("SPI_SR", self.status(), rule));
        }
        Ok(())
    }

    fn has_received(&self) -> bool {
        let threshold = if self.cr2 & cr2::FRXTH != 0 { 1 } else { 2 };
        self.received.count() >= threshold
    }

    fn status(&self) -> u32 {
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        let busy = self.shift.is_some() || self.is_on() && self.sending.count() > 0;
        flag(self.has_received(), sr::RXNE)
            | flag(self.sending.count() <= HALF, sr::TXE)
            | flag(self.overrun, sr::OVR)
            | flag(busy, sr::BSY)
            | self.received.level() << sr::FRLVL_AT
            | self.sending.level() << sr::FTLVL_AT
    }

    /// OVR is cleared by a load of DR and then one of SR (RM0351, SPI_SR).
    fn read_status(&mut self) -> u32 {
        let status = self.status();
        if core::mem::take(&mut self.overrun_read) {
            self.overrun = false;
        }
        status
    }
}

impl Default for Spi {
    fn default() -> Self {
        Self::new()
    }
}
