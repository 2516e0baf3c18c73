//! A USART, on two wires or on one.
//!
//! Bytes take their time: ten bits at the rate that BRR gives. There is no FIFO on this chip:
//! one byte waits in RDR, and the next one that comes is lost (ORE). The far end keeps its own
//! pace, one byte after the other, counted from the moment the last one was **delivered**:
//! a monitor that is late never makes a burst that silicon would not see.
//!
//! In QEMU the image may come late through no fault of its own. So the next byte may wait a while
//! for RDR to be read ([`Usart::set_patience`]); an image that is later than that loses it.
//!
//! On one wire (CR3.HDSEL, or the motion controller's line) what is sent comes back, and the
//! far end speaks only after we have ended.

mod receiver;
mod registers;
mod ring;
#[cfg(test)]
mod rule_tests;
mod set_up;
#[cfg(test)]
mod tests;

use registers::*;
use ring::Ring;

use crate::breach::Breach;
use crate::context::{Context, Ns, Stream, Width};
use crate::lines::Line;

/// Start, eight data bits, stop.
const FRAME_BITS: u64 = 10;
/// The pause of the far end on one wire, in bits (TMC2209 datasheet, SENDDELAY as it comes).
const TURN_BITS: u64 = 8;
const SECOND: u64 = 1_000_000_000;

/// What leaves the transmitter: a byte, or the idle frame that follows TE.
struct Shift {
    byte: Option<u8>,
    ends: Ns,
}

/// A USART.
pub struct Usart {
    line: Line,
    stream: Stream,
    one_wire: bool,
    held: bool,
    cr1: u32,
    cr2: u32,
    cr3: u32,
    brr: u32,
    gtpr: u32,
    rtor: u32,
    isr: u32,
    rdr: u8,
    tdr: u8,
    shift: Option<Shift>,
    coming: Ring,
    /// When the next byte of `coming` is whole.
    comes: Option<Ns>,
    /// When the last byte was whole.
    came: Ns,
    /// When the line will have been idle for a frame.
    idles: Option<Ns>,
    /// When we last stopped sending.
    sent: Ns,
    overruns: u32,
    /// When RDR was filled, and the longest time that a byte stood in it.
    filled: Ns,
    longest_wait: Ns,
    /// How long the next byte waits for RDR to be read.
    patience: Ns,
}

impl Usart {
    /// As after reset, on two wires, with this interrupt line; its bytes go to `stream`.
    pub const fn new(line: Line, stream: Stream) -> Self {
        Self {
            line,
            stream,
            one_wire: false,
            held: false,
            cr1: 0,
            cr2: 0,
            cr3: 0,
            brr: 0,
            gtpr: 0,
            rtor: 0,
            isr: isr::DEFAULT,
            rdr: 0,
            tdr: 0,
            shift: None,
            coming: Ring::new(),
            comes: None,
            came: 0,
            idles: None,
            sent: 0,
            overruns: 0,
            filled: 0,
            longest_wait: 0,
            patience: 0,
        }
    }

    /// UART4, whose line to the motion controller is one wire.
    pub const fn one_wire() -> Self {
        let mut usart = Self::new(Line::Uart4, Stream::Motion);
        usart.one_wire = true;
        usart
    }

    /// Resets the registers, as RCC does. What the far end is sending stays on the wire.
    pub fn reset(&mut self) {
        let coming = core::mem::replace(&mut self.coming, Ring::new());
        let fresh = Self::new(self.line, self.stream);
        let Self { one_wire, held, comes, came, sent, overruns, longest_wait, patience, .. } =
            *self;
        *self = Self {
            one_wire,
            held,
            coming,
            comes,
            came,
            sent,
            overruns,
            longest_wait,
            patience,
            ..fresh
        };
    }

    /// Carries out a load.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        self.advance(cx)?;
        let word = match offset & !3 {
            CR1 => self.cr1,
            CR2 => self.cr2,
            CR3 => self.cr3,
            BRR => self.brr,
            GTPR => self.gtpr,
            RTOR => self.rtor,
            ISR => self.status(cx.now),
            RDR => self.read_data(offset, cx.now),
            TDR => u32::from(self.tdr),
            RQR | ICR => 0,
            _ => return Err(Breach::new("USART", offset, "no such register")),
        };
        self.drive_line(cx);
        let word = word >> (8 * (offset & 3));
        Ok(match width {
            Width::Byte => word & 0xFF,
            Width::Half => word & 0xFFFF,
            Width::Word => word,
        })
    }

    /// Carries out a store.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        self.advance(cx)?;
        if width == Width::Byte && offset != TDR {
            return Err(Breach::new("USART", value, "only data is stored by bytes"));
        }
        let done = match offset {
            CR1 => self.set_cr1(value, cx),
            CR2 => self.set_cr2(value),
            CR3 => self.set_cr3(value),
            BRR => self.set_brr(value),
            GTPR => {
                self.gtpr = value;
                Ok(())
            }
            RTOR => {
                self.rtor = value;
                Ok(())
            }
            RQR => {
                if value & rqr::RXFRQ != 0 {
                    self.isr &= !isr::RXNE;
                }
                Ok(())
            }
            ICR => {
                self.isr &= !(value & isr::CLEARABLE);
                Ok(())
            }
            TDR => self.put(value as u8, cx),
            RDR | ISR => Err(Breach::new("USART", value, "ISR and RDR are read-only")),
            _ => Err(Breach::new("USART", offset, "no such register")),
        };
        self.drive_line(cx);
        done
    }

    /// Does what is due: a byte sent, a byte received, a line found idle.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        while let Some(due) = self.next()
            && due <= cx.now
        {
            if self.shift.as_ref().is_some_and(|shift| shift.ends == due) {
                self.end_frame(cx);
            } else if self.due_in() == Some(due) {
                self.comes = None;
                self.came = cx.now;
                if let Some(byte) = self.coming.pop() {
                    self.take_in(byte, cx.now);
                }
                self.expect(cx.now);
            } else {
                self.idles = None;
                self.isr |= isr::IDLE;
            }
            self.drive_line(cx);
        }
        Ok(())
    }

    /// When something is due.
    pub fn next(&self) -> Option<Ns> {
        if self.held {
            return None;
        }
        let shift = self.shift.as_ref().map(|shift| shift.ends);
        let idles = self.idles.filter(|idles| {
            // The start bit of a byte that waits for RDR is on the line already.
            !self.is_held_off() && self.comes.is_none_or(|comes| comes > *idles)
        });
        [shift, self.due_in(), idles].into_iter().flatten().min()
    }

    /// From now on nothing finishes, or again everything does.
    pub fn set_held(&mut self, held: bool) {
        self.held = held;
    }

    /// Whether DMA is asked for a byte to send.
    pub fn tx_request(&self) -> bool {
        self.cr3 & cr3::DMAT != 0 && self.can_send() && self.isr & isr::TXE != 0
    }

    /// A store to TDR, by the processor or by DMA.
    pub(crate) fn put(&mut self, byte: u8, cx: &mut Context<'_>) -> Result<(), Breach> {
        if !self.can_send() {
            let rule = "a byte needs UE and TE (RM0351, USART character transmission)";
            return Err(Breach::new("USART_TDR", byte.into(), rule));
        }
        if self.isr & isr::TXE == 0 {
            let rule = "written while TXE is low: a byte is lost (RM0351, USART transmission)";
            return Err(Breach::new("USART_TDR", byte.into(), rule));
        }
        self.tdr = byte;
        self.isr &= !isr::TC;
        if self.shift.is_none() {
            self.begin(Some(byte), cx);
        } else {
            self.isr &= !isr::TXE;
        }
        self.drive_line(cx);
        Ok(())
    }

    fn is_enabled(&self) -> bool {
        self.cr1 & cr1::UE != 0
    }

    fn can_send(&self) -> bool {
        self.is_enabled() && self.cr1 & cr1::TE != 0
    }

    /// Whether what we send comes back.
    fn echoes(&self) -> bool {
        self.one_wire || self.cr3 & cr3::HDSEL != 0
    }

    /// Whether the far end must wait for us to end.
    fn is_held_off(&self) -> bool {
        self.echoes() && self.shift.is_some()
    }

    fn begin(&mut self, byte: Option<u8>, cx: &Context<'_>) {
        let ends = cx.now.saturating_add(FRAME_BITS * self.bit_ns(cx));
        self.shift = Some(Shift { byte, ends });
        if self.echoes() {
            self.idles = None;
        }
    }

    /// A frame has left the transmitter.
    fn end_frame(&mut self, cx: &mut Context<'_>) {
        let byte = self.shift.take().and_then(|shift| shift.byte);
        if let Some(byte) = byte {
            cx.outside.send(self.stream, &[byte]);
            if self.echoes() {
                self.take_in(byte, cx.now);
            }
        }
        if self.isr & isr::TXE == 0 {
            self.isr |= isr::TXE;
            self.begin(Some(self.tdr), cx);
            return;
        }
        // An idle frame alone completes nothing (RM0351, USART_ISR, TC).
        if byte.is_some() {
            self.isr |= isr::TC;
        }
        self.sent = cx.now;
        if self.echoes() {
            self.comes = None; // the far end has waited for us
            self.expect(cx.now);
        }
    }

    fn status(&self, now: Ns) -> u32 {
        let mut status = self.isr;
        if self.is_enabled() {
            let listens = self.cr1 & cr1::RE != 0;
            let begun = |comes: Ns| now.saturating_add(self.far_frame()) > comes;
            let busy = listens && !self.is_held_off() && self.comes.is_some_and(begun);
            status |= if busy { isr::BUSY } else { 0 };
            status |= if listens { isr::REACK } else { 0 };
            status |= if self.cr1 & cr1::TE != 0 { isr::TEACK } else { 0 };
        }
        status
    }

    fn drive_line(&self, cx: &mut Context<'_>) {
        let flags = self.isr;
        let enabled = |enable: u32, flag: u32| self.cr1 & enable != 0 && flags & flag != 0;
        let errors = self.cr3 & cr3::EIE != 0 && flags & (isr::FE | isr::NF | isr::ORE) != 0;
        let high = enabled(cr1::RXNEIE, isr::RXNE | isr::ORE)
            || enabled(cr1::IDLEIE, isr::IDLE)
            || enabled(cr1::TCIE, isr::TC)
            || enabled(cr1::TXEIE, isr::TXE)
            || errors;
        cx.lines.set(self.line, high);
    }
}
