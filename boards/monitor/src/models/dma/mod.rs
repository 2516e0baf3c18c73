//! DMA1: channels that move bytes between memory and a peripheral's data register.
//!
//! Three requests have something behind them on this board: SPI1 in both directions and
//! USART3's transmitter. [`serve`] moves what they ask for. Priorities do not matter among
//! three, and no transfer goes wrong here: what would is a breach when the channel is enabled.

mod channel;
mod serve;
#[cfg(test)]
mod tests;

use channel::{Channel, Request};
pub use serve::serve;

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};
use crate::lines::Line;

const ISR: u32 = 0x00;
const IFCR: u32 = 0x04;
const CCR1: u32 = 0x08;
const CSELR: u32 = 0xA8;
/// From one channel to the next, and the registers of one.
const STRIDE: u32 = 20;
const CCR: u32 = 0;
const CNDTR: u32 = 4;
const CPAR: u32 = 8;
const CMAR: u32 = 12;

const CHANNELS: usize = 7;
const LINES: [Line; CHANNELS] = [
    Line::Dma1Channel1,
    Line::Dma1Channel2,
    Line::Dma1Channel3,
    Line::Dma1Channel4,
    Line::Dma1Channel5,
    Line::Dma1Channel6,
    Line::Dma1Channel7,
];

/// DMA1.
pub struct Dma {
    channels: [Channel; CHANNELS],
    cselr: u32,
}

impl Dma {
    /// As after reset.
    pub const fn new() -> Self {
        Self { channels: [Channel::new(); CHANNELS], cselr: 0 }
    }

    /// Resets the registers, as RCC does.
    pub fn reset(&mut self) {
        *self = Self::new();
    }

    /// Carries out a load.
    pub fn load(
        &mut self,
        offset: u32,
        width: Width,
        _cx: &mut Context<'_>,
    ) -> Result<u32, Breach> {
        let word = match offset & !3 {
            ISR => self.status(),
            IFCR => 0,
            CSELR => self.cselr,
            register => {
                let (index, register) = place(register)?;
                self.channels.get(index).map_or(0, |channel| channel.load(register))
            }
        };
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
        if width != Width::Word {
            return Err(Breach::new("DMA", offset, "stored by words (RM0351, DMA registers)"));
        }
        let done = match offset {
            ISR => Err(Breach::new("DMA_ISR", value, "ISR is read-only")),
            IFCR => {
                for (index, channel) in (0..).zip(&mut self.channels) {
                    channel.clear(value >> (4 * index) & 0xF);
                }
                Ok(())
            }
            CSELR => self.select(value),
            _ => {
                let (index, register) = place(offset)?;
                let request = Request::of(index, self.cselr);
                match self.channels.get_mut(index) {
                    Some(channel) => channel.store(register, value, request),
                    None => Ok(()),
                }
            }
        };
        self.drive_lines(cx);
        done
    }

    /// Nothing: [`serve`] moves this model, for it has the peripherals.
    pub fn advance(&mut self, _cx: &mut Context<'_>) -> Result<(), Breach> {
        Ok(())
    }

    /// Nothing is due but what the peripherals ask for.
    pub fn next(&self) -> Option<Ns> {
        None
    }

    fn select(&mut self, value: u32) -> Result<(), Breach> {
        let changed = core::mem::replace(&mut self.cselr, value) ^ value;
        let enabled = |(index, channel): (u32, &Channel)| {
            channel.is_enabled() && changed >> (4 * index) & 0xF != 0
        };
        if (0..).zip(&self.channels).any(enabled) {
            let rule = "a channel's request changes while it is enabled (RM0351, DMA_CSELR)";
            return Err(Breach::new("DMA_CSELR", value, rule));
        }
        Ok(())
    }

    /// The enabled channel that serves this request.
    fn serving(&mut self, request: Request) -> Option<&mut Channel> {
        let index = request.channel();
        let selected = Request::of(index, self.cselr) == Some(request);
        self.channels.get_mut(index).filter(|channel| selected && channel.is_ready())
    }

    /// Items that go before this request's channel has something to say.
    fn left(&mut self, request: Request) -> u16 {
        self.serving(request).map_or(0, |channel| channel.until_flag())
    }

    fn status(&self) -> u32 {
        (0..).zip(&self.channels).map(|(index, channel)| channel.flags() << (4 * index)).sum()
    }

    fn drive_lines(&self, cx: &mut Context<'_>) {
        for (line, channel) in LINES.into_iter().zip(&self.channels) {
            cx.lines.set(line, channel.interrupts());
        }
    }
}

impl Default for Dma {
    fn default() -> Self {
        Self::new()
    }
}

/// Channel and register of an offset.
fn place(offset: u32) -> Result<(usize, u32), Breach> {
    let within = offset.checked_sub(CCR1).map(|from| (from / STRIDE, from % STRIDE));
    match within {
        Some((index, register @ ..=CMAR)) if (index as usize) < CHANNELS => {
            Ok((index as usize, register))
        }
        _ => Err(Breach::new("DMA", offset, "no such register")),
    }
}
