//! What hangs on SPI1: nothing, the reader's scan head, or the shuffler's chain.

use super::scan_head::ScanHead;
use super::shift_register::ShiftRegister;
use crate::breach::Breach;
use crate::context::Context;

/// The far end of SPI1.
pub enum SpiBus {
    /// Nothing: the line floats high.
    Nothing,
    /// The scan head, with a select pin.
    Head(ScanHead),
    /// The shift registers, with a load pin.
    Chain(ShiftRegister),
}

impl SpiBus {
    /// Eight clocks: one byte there, one byte back.
    pub fn exchange(&mut self, out: u8, cx: &mut Context<'_>) -> Result<u8, Breach> {
        match self {
            Self::Nothing => Ok(0xFF),
            Self::Head(head) => head.exchange(out, cx),
            Self::Chain(chain) => Ok(chain.exchange()),
        }
    }

    /// The part's pin beside the bus: the head's select or the chain's load, both active low.
    pub fn pin(&mut self, high: bool, cx: &mut Context<'_>) -> Result<(), Breach> {
        match self {
            Self::Nothing => Ok(()),
            Self::Head(head) => head.select(!high, cx),
            Self::Chain(chain) => chain.load(!high, cx),
        }
    }

    /// The fastest clock that the part stands, in hertz.
    pub fn most_hz(&self) -> u32 {
        match self {
            Self::Nothing => u32::MAX,
            Self::Head(_) => 5_000_000,
            Self::Chain(_) => 1_000_000,
        }
    }

    /// The part's clock mode: 2 CPOL + CPHA; any, when nothing is there.
    pub fn mode(&self) -> Option<u32> {
        match self {
            Self::Nothing => None,
            Self::Head(_) => Some(0),
            Self::Chain(_) => Some(2),
        }
    }
}
