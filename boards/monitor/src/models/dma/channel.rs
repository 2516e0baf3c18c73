//! One channel of DMA1.

use super::{CCR, CMAR, CNDTR, CPAR};
use crate::breach::Breach;
use crate::context::Context;

const EN: u32 = 1 << 0;
const TCIE: u32 = 1 << 1;
const HTIE: u32 = 1 << 2;
const TEIE: u32 = 1 << 3;
const DIR: u32 = 1 << 4;
const CIRC: u32 = 1 << 5;
const PINC: u32 = 1 << 6;
const MINC: u32 = 1 << 7;
const PSIZE_AT: u32 = 8;
const MSIZE_AT: u32 = 10;
const MEM2MEM: u32 = 1 << 14;
const WRITABLE: u32 = 0x7FFF;

/// Flags of ISR, in the places of their enable bits; the lowest says any of them.
const GIF: u32 = 1 << 0;
const TC: u32 = TCIE;
const HT: u32 = HTIE;

/// What memory DMA can reach: flash, SRAM2, SRAM1.
const FLASH: core::ops::Range<u64> = 0x0800_0000..0x0810_0000;
const SRAM: [core::ops::Range<u64>; 2] = [0x1000_0000..0x1000_8000, 0x2000_0000..0x2001_8000];

/// A request that something on this board makes (RM0351, DMA1 requests for each channel).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    SpiRx,
    SpiTx,
    Usart3Tx,
}

impl Request {
    /// What CSELR selects for a channel.
    pub(super) fn of(index: usize, cselr: u32) -> Option<Self> {
        match (index + 1, cselr >> (4 * index as u32) & 0xF) {
            (2, 1) => Some(Self::SpiRx),
            (2, 2) => Some(Self::Usart3Tx),
            (3, 1) => Some(Self::SpiTx),
            _ => None,
        }
    }

    /// The channel, counted from 0.
    pub(super) fn channel(self) -> usize {
        match self {
            Self::SpiRx | Self::Usart3Tx => 1,
            Self::SpiTx => 2,
        }
    }

    /// The data register.
    fn register(self) -> u32 {
        match self {
            Self::SpiRx | Self::SpiTx => 0x4001_300C,
            Self::Usart3Tx => 0x4000_4828,
        }
    }

    fn is_to_memory(self) -> bool {
        self == Self::SpiRx
    }
}

#[derive(Clone, Copy)]
pub(super) struct Channel {
    ccr: u32,
    cndtr: u16,
    cpar: u32,
    cmar: u32,
    /// CNDTR when it was enabled.
    total: u16,
    /// Items since it was enabled or came round.
    done: u16,
    flags: u32,
}

impl Channel {
    pub(super) const fn new() -> Self {
        Self { ccr: 0, cndtr: 0, cpar: 0, cmar: 0, total: 0, done: 0, flags: 0 }
    }

    pub(super) fn load(&self, register: u32) -> u32 {
        match register {
            CCR => self.ccr,
            CNDTR => self.cndtr.into(),
            CPAR => self.cpar,
            _ => self.cmar,
        }
    }

    pub(super) fn store(
        &mut self,
        register: u32,
        value: u32,
        request: Option<Request>,
    ) -> Result<(), Breach> {
        if register == CCR {
            return self.set_ccr(value & WRITABLE, request);
        }
        let name = match register {
            CNDTR => "DMA_CNDTR",
            CPAR => "DMA_CPAR",
            _ => "DMA_CMAR",
        };
        if self.is_enabled() {
            let rule = "written while EN (RM0351, DMA channel configuration)";
            return Err(Breach::new(name, value, rule));
        }
        match register {
            CNDTR => self.cndtr = value as u16, // the upper half is reserved
            CPAR => self.cpar = value,
            CMAR => self.cmar = value,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn is_enabled(&self) -> bool {
        self.ccr & EN != 0
    }

    /// Enabled, and not at its end.
    pub(super) fn is_ready(&self) -> bool {
        self.is_enabled() && self.cndtr > 0
    }

    /// Items until this channel has a flag to raise.
    pub(super) fn until_flag(&self) -> u16 {
        let half = self.total / 2;
        if self.ccr & HTIE != 0 && self.done < half { half - self.done } else { self.cndtr }
    }

    pub(super) fn flags(&self) -> u32 {
        self.flags | if self.flags != 0 { GIF } else { 0 }
    }

    pub(super) fn clear(&mut self, flags: u32) {
        self.flags &= if flags & GIF != 0 { 0 } else { !flags };
    }

    pub(super) fn interrupts(&self) -> bool {
        self.flags & self.ccr & (TCIE | HTIE | TEIE) != 0
    }

    /// Bytes of one access to the peripheral.
    pub(super) fn peripheral_size(&self) -> u32 {
        size(self.ccr >> PSIZE_AT)
    }

    /// The next item from memory.
    pub(super) fn take(&mut self, cx: &mut Context<'_>) -> u32 {
        let mut item = [0; 4];
        let (address, size) = (self.address(), self.memory_size() as usize);
        if let Some(bytes) = item.get_mut(..size) {
            cx.outside.read_memory(address, bytes);
        }
        self.count();
        u32::from_le_bytes(item)
    }

    /// The next item into memory.
    pub(super) fn put(&mut self, item: u32, cx: &mut Context<'_>) {
        let (address, size) = (self.address(), self.memory_size() as usize);
        if let Some(bytes) = item.to_le_bytes().get(..size) {
            cx.outside.write_memory(address, bytes);
        }
        self.count();
    }

    fn set_ccr(&mut self, value: u32, request: Option<Request>) -> Result<(), Breach> {
        let before = core::mem::replace(&mut self.ccr, value);
        let (was_on, is_on) = (before & EN != 0, value & EN != 0);
        if was_on && is_on && (before ^ value) & !(TCIE | HTIE | TEIE) != 0 {
            let rule = "the set-up changes while EN (RM0351, DMA_CCRx)";
            return Err(Breach::new("DMA_CCR", value, rule));
        }
        if is_on && !was_on {
            (self.total, self.done) = (self.cndtr, 0);
            return self.check(request);
        }
        Ok(())
    }

    /// What must be right once EN is set.
    fn check(&self, request: Option<Request>) -> Result<(), Breach> {
        let Some(request) = request.filter(|_| self.ccr & MEM2MEM == 0) else {
            let rule = "CSELR selects nothing that this board has (RM0351, DMA1 requests)";
            return Err(Breach::new("DMA_CCR", self.ccr, rule));
        };
        if (self.ccr & DIR == 0) != request.is_to_memory() {
            let rule = "DIR is not the direction of the request";
            return Err(Breach::new("DMA_CCR", self.ccr, rule));
        }
        if self.cpar != request.register() || self.ccr & PINC != 0 {
            let rule = "CPAR with PINC is not the data register of the request";
            return Err(Breach::new("DMA_CPAR", self.cpar, rule));
        }
        let items = if self.ccr & MINC != 0 { u64::from(self.cndtr) } else { 1 };
        let from = u64::from(self.cmar);
        let to = from + items * u64::from(self.memory_size());
        let within = |range: &core::ops::Range<u64>| range.start <= from && to <= range.end;
        let readable = !request.is_to_memory() && within(&FLASH);
        if !readable && !SRAM.iter().any(within) {
            let rule = "memory that DMA cannot reach: SRAM, or flash to read from";
            return Err(Breach::new("DMA_CMAR", self.cmar, rule));
        }
        Ok(())
    }

    fn address(&self) -> u32 {
        let step = if self.ccr & MINC != 0 { self.memory_size() } else { 0 };
        self.cmar.wrapping_add(step * u32::from(self.done))
    }

    fn memory_size(&self) -> u32 {
        size(self.ccr >> MSIZE_AT)
    }

    /// One item has gone.
    fn count(&mut self) {
        self.done = self.done.saturating_add(1);
        self.cndtr = self.cndtr.saturating_sub(1);
        if self.done == self.total / 2 {
            self.flags |= HT;
        }
        if self.cndtr == 0 {
            self.flags |= TC;
            if self.ccr & CIRC != 0 {
                (self.cndtr, self.done) = (self.total, 0);
            }
        }
    }
}

/// 1, 2 or 4 bytes; the fourth code is reserved.
fn size(code: u32) -> u32 {
    1 << (code & 0b11).min(2)
}
