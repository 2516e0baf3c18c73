//! The shuffler's chain of shift registers, at the far end of SPI1.
//!
//! Two 74HC165 in a row. While the load pin is low they follow their sixteen inputs; from its
//! rise on, each clock shifts one out, the highest first. The three highest inputs are tied on
//! the mechanism's board: the mark by which the firmware tells a word from a loose wire.

use crate::breach::Breach;
use crate::context::{Context, Ns};

/// The highest three inputs, as they are tied.
const MARK: u16 = 0b010 << 13;
const MARKED: u16 = 0b111 << 13;

/// The shortest load pulse that arrives through the ribbon at 3.3 V.
const LOAD_NS: Ns = 1_000;

/// The chain.
pub struct ShiftRegister {
    inputs: u16,
    held: u16,
    /// Since when the load pin is low.
    loading: Option<Ns>,
    /// Time goes with instructions, so the length of a pulse means something.
    exact: bool,
}

impl ShiftRegister {
    /// Free beams, closed contacts; nothing loaded yet. Only when time is `exact` is the load
    /// pulse measured: a host is faster than the chip, and a pulse counted in cycles is shorter.
    pub const fn new(exact: bool) -> Self {
        Self { inputs: MARK, held: 0, loading: None, exact }
    }

    /// The thirteen lines that are not tied, bit 0 the mouth beam.
    pub fn set_inputs(&mut self, inputs: u16) {
        self.inputs = inputs & !MARKED | MARK;
    }

    /// The load pin falls or rises.
    pub fn load(&mut self, low: bool, cx: &Context<'_>) -> Result<(), Breach> {
        match (self.loading, low) {
            (None, true) => self.loading = Some(cx.now),
            (Some(since), false) => {
                self.loading = None;
                self.held = self.inputs;
                let took = cx.now.saturating_sub(since);
                if self.exact && took < LOAD_NS {
                    let rule = "a load pulse of a 74HC165 through the ribbon takes 1 us, in ns";
                    return Err(Breach::new("chain load pin", took as u32, rule));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Eight clocks. What is sent goes nowhere.
    pub fn exchange(&mut self) -> u8 {
        if self.loading.is_some() {
            // A register that loads does not shift: the highest input, eight times.
            return if self.inputs >> 15 == 1 { 0xFF } else { 0 };
        }
        let [first, second] = self.held.to_be_bytes();
        self.held = u16::from_be_bytes([second, 0]);
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::hardware::Bench;

    fn pulse(chain: &mut ShiftRegister, from: Ns, width: Ns) -> Result<(), Breach> {
        let mut bench = Bench::new();
        bench.now = from;
        chain.load(true, &bench.cx())?;
        bench.now = from + width;
        chain.load(false, &bench.cx())
    }

    #[test]
    fn the_highest_line_comes_first_and_the_mark_is_tied() {
        let mut chain = ShiftRegister::new(true);
        chain.set_inputs(0xF321);
        pulse(&mut chain, 500, 1_000).unwrap();
        assert_eq!([chain.exchange(), chain.exchange()], [0x53, 0x21]);
        assert_eq!(chain.exchange(), 0, "nothing is left");
    }

    #[test]
    fn inputs_are_taken_when_the_load_pin_rises() {
        let mut chain = ShiftRegister::new(true);
        let mut bench = Bench::new();
        chain.set_inputs(0x001);
        pulse(&mut chain, 0, 1_000).unwrap();
        chain.load(true, &bench.cx()).unwrap();
        assert_eq!(chain.exchange(), 0, "it does not shift while it loads");
        chain.set_inputs(0x002);
        bench.now = 2_000;
        chain.load(false, &bench.cx()).unwrap();
        chain.set_inputs(0x004);
        assert_eq!([chain.exchange(), chain.exchange()], [0x40, 0x02]);
    }

    #[test]
    fn a_load_pulse_under_a_microsecond_is_a_breach() {
        let mut chain = ShiftRegister::new(true);
        assert_eq!(pulse(&mut chain, 0, 25).unwrap_err().value, 25);
        assert!(pulse(&mut chain, 10_000, 999).is_err());
        assert_eq!(pulse(&mut chain, 20_000, 1_000), Ok(()));
    }
}
