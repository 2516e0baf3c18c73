//! The bit timing, and what the table bus asks of it.

use crate::breach::Breach;

/// The table bus.
const RATE: u64 = 500_000;
/// What the bit timing must bear, in millionths: HSI16 at both ends (STM32L475 datasheet).
const LEAST_TOLERANCE: u32 = 10_000;
/// A bit of the table bus, where BTR does not say yet, in nanoseconds.
const USUAL_BIT: u64 = 2_000;
const SILM_LBKM: u32 = 0b11 << 30;

/// BTR after reset.
const RESET: u32 = 0x0123_0000;

/// BTR.
#[derive(Debug, Clone)]
pub(super) struct Timing {
    btr: u32,
    /// A bit in nanoseconds.
    bit: u64,
    set: bool,
}

impl Timing {
    pub(super) const fn new() -> Self {
        Self { btr: RESET, bit: USUAL_BIT, set: false }
    }

    pub(super) fn btr(&self) -> u32 {
        self.btr
    }

    /// Whether the image has chosen it.
    pub(super) fn is_set(&self) -> bool {
        self.set
    }

    /// The time of this number of bits, in nanoseconds.
    pub(super) fn bits(&self, bits: u32) -> u64 {
        u64::from(bits) * self.bit
    }

    /// The count of bit times that stamps frames.
    pub(super) fn stamp(&self, now: u64) -> u16 {
        (now / self.bit.max(1)) as u16
    }

    /// A write to BTR in initialization mode.
    pub(super) fn store(&mut self, value: u32, pclk1: u32) -> Result<(), Breach> {
        let breach = |rule| Err(Breach::new("CAN_BTR", value, rule));
        if value & SILM_LBKM != 0 {
            return breach("loop back and silent mode are not modelled");
        }
        let segments = Segments::of(value);
        let quanta = u64::from(segments.prescaler * segments.bit());
        let clock = u64::from(pclk1) * 1_000;
        if clock < quanta * RATE * 995 || clock > quanta * RATE * 1_005 {
            return breach("not 500 kbit/s (bit time = (BRP+1)(1+TS1+1+TS2+1)/PCLK1)");
        }
        if segments.tolerance() < LEAST_TOLERANCE {
            return breach(
                "HSI16 is off by up to 1 %: the bit timing tolerates less, the least of \
                 SJW/(20 NBT) and min(seg1, seg2)/(2(13 NBT - seg2))",
            );
        }
        self.btr = value;
        self.bit = quanta * 1_000_000_000 / u64::from(pclk1).max(1);
        self.set = true;
        Ok(())
    }
}

/// The parts of a bit, in quanta (RM0351, bxCAN bit timing).
struct Segments {
    prescaler: u32,
    seg1: u32,
    seg2: u32,
    jump: u32,
}

impl Segments {
    fn of(btr: u32) -> Self {
        Self {
            prescaler: (btr & 0x3FF) + 1,
            seg1: (btr >> 16 & 0xF) + 1,
            seg2: (btr >> 20 & 0x7) + 1,
            jump: (btr >> 24 & 0x3) + 1,
        }
    }

    fn bit(&self) -> u32 {
        1 + self.seg1 + self.seg2
    }

    /// How far both clocks may be off, in millionths.
    fn tolerance(&self) -> u32 {
        let jump = self.jump.min(self.seg2) * 1_000_000 / (20 * self.bit());
        let segment = self.seg1.min(self.seg2) * 1_000_000 / (2 * (13 * self.bit() - self.seg2));
        jump.min(segment)
    }
}
