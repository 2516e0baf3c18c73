//! The USART's configuration: what may be written when, and what it comes to.

use super::registers::*;
use super::{FRAME_BITS, SECOND, Usart};
use crate::breach::Breach;
use crate::context::{Context, Ns, Stream};
use crate::lines::Line;

impl Usart {
    pub(super) fn set_cr1(&mut self, value: u32, cx: &mut Context<'_>) -> Result<(), Breach> {
        let before = self.cr1;
        self.cr1 = value;
        if value & cr1::UE == 0 {
            // Operations are discarded, flags take their defaults (RM0351, USART_CR1, UE).
            self.isr = isr::DEFAULT;
            self.shift = None;
            self.idles = None;
            self.expect(cx.now);
            return Ok(());
        }
        if before & cr1::UE != 0 && (before ^ value) & cr1::FRAME != 0 {
            let rule = "M, PCE, PS and OVER8 change only while UE is off (RM0351, USART_CR1)";
            return Err(Breach::new("USART_CR1", value, rule));
        }
        let could_send = before & cr1::UE != 0 && before & cr1::TE != 0;
        if self.can_send() && !could_send && self.shift.is_none() {
            self.begin(None, cx);
        }
        self.check_set_up(cx)
    }

    /// What must be right once UE is set.
    fn check_set_up(&self, cx: &Context<'_>) -> Result<(), Breach> {
        let wanted = self.far_rate();
        let rate = SECOND.checked_div(self.bit_ns(cx)).unwrap_or(0);
        if rate.abs_diff(wanted) * 50 > wanted {
            let rule = "the rate is more than 2 % off the far end's: 115200, the display's 9600";
            return Err(Breach::new("USART_BRR", self.brr, rule));
        }
        if self.cr1 & (cr1::M0 | cr1::M1 | cr1::PCE) != 0 {
            let rule = "the far end has eight data bits and no parity";
            return Err(Breach::new("USART_CR1", self.cr1, rule));
        }
        if self.one_wire && self.cr1 & cr1::TE != 0 && self.cr3 & cr3::HDSEL == 0 {
            let rule = "TX and RX of the one-wire motion controller driven as two wires: \
                        CR3.HDSEL is off";
            return Err(Breach::new("USART_CR3", self.cr3, rule));
        }
        Ok(())
    }

    pub(super) fn set_cr2(&mut self, value: u32) -> Result<(), Breach> {
        let changed = self.cr2 ^ value;
        self.cr2 = value;
        if self.is_enabled() && changed & cr2::FRAME != 0 {
            let rule = "STOP and the line's senses change only while UE is off (RM0351, USART_CR2)";
            return Err(Breach::new("USART_CR2", value, rule));
        }
        Ok(())
    }

    pub(super) fn set_cr3(&mut self, value: u32) -> Result<(), Breach> {
        let changed = self.cr3 ^ value;
        self.cr3 = value;
        if self.is_enabled() && changed & cr3::FRAME != 0 {
            let rule = "HDSEL and its like change only while UE is off (RM0351, USART_CR3)";
            return Err(Breach::new("USART_CR3", value, rule));
        }
        Ok(())
    }

    pub(super) fn set_brr(&mut self, value: u32) -> Result<(), Breach> {
        self.brr = value & 0xFFFF;
        if self.is_enabled() {
            let rule = "BRR is written only while UE is off (RM0351, USART_BRR)";
            return Err(Breach::new("USART_BRR", value, rule));
        }
        Ok(())
    }

    pub(super) fn far_rate(&self) -> u64 {
        if matches!(self.stream, Stream::Display) { 9_600 } else { 115_200 }
    }

    pub(super) fn far_frame(&self) -> Ns {
        FRAME_BITS * SECOND / self.far_rate()
    }

    /// One bit as BRR gives it (RM0351, USART baud rate generation).
    pub(super) fn bit_ns(&self, cx: &Context<'_>) -> Ns {
        let on_second = matches!(self.line, Line::Usart1);
        let clock = if on_second { cx.clocks.pclk2 } else { cx.clocks.pclk1 };
        let (divider, clock) = if self.cr1 & cr1::OVER8 == 0 {
            (self.brr, u64::from(clock))
        } else {
            (self.brr & 0xFFF0 | (self.brr & 0b111) << 1, 2 * u64::from(clock))
        };
        (u64::from(divider) * SECOND).checked_div(clock).unwrap_or(0)
    }
}
