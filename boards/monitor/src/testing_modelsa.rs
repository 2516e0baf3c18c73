//! What the tests of RCC, PWR, FLASH and IWDG have around the model: a clock and a flash.

use crate::clocks::Clocks;
use crate::context::{Context, Ns, Outside, Stream, Width};
use crate::lines::Lines;

/// Where the tested flash begins; it ends with bank 2.
pub const START: u32 = 0x000F_8000;
const BYTES: usize = 0x8000;

/// Flash that a bench can cut the power of.
pub struct Memory {
    bytes: Vec<u8>,
    torn: Vec<bool>,
    /// Steps of flash operations so far.
    pub steps: u32,
    /// The power is gone at this step.
    pub cut_at: Option<u32>,
}

impl Memory {
    fn has_power(&self) -> bool {
        self.cut_at.is_none_or(|cut| self.steps < cut)
    }

    /// How many words are torn.
    pub fn torn_words(&self) -> usize {
        self.torn.iter().filter(|torn| **torn).count()
    }
}

impl Outside for Memory {
    fn read_memory(&mut self, _: u32, _: &mut [u8]) {}
    fn write_memory(&mut self, _: u32, _: &[u8]) {}
    fn noise(&mut self) -> Option<u32> {
        None
    }
    fn send(&mut self, _: Stream, _: &[u8]) {}
    fn film(&mut self, _: u32, _: &mut [u8]) -> bool {
        false
    }
    fn gpio_load(&mut self, _: u8, _: u32) -> u32 {
        0
    }
    fn gpio_store(&mut self, _: u8, _: u32, _: Width, _: u32) {}

    fn flash_word(&mut self, offset: u32) -> [u8; 8] {
        let at = (offset - START) as usize;
        self.bytes[at..at + 8].try_into().unwrap()
    }

    fn put_flash(&mut self, offset: u32, bytes: &[u8]) {
        if self.has_power() {
            let at = (offset - START) as usize;
            self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }

    fn is_torn(&mut self, offset: u32) -> bool {
        self.torn[(offset - START) as usize / 8]
    }

    fn set_torn(&mut self, offset: u32, torn: bool) {
        if self.has_power() {
            self.torn[(offset - START) as usize / 8] = torn;
        }
    }

    fn flash_step(&mut self) {
        self.steps += 1;
    }
}

/// One model's surroundings.
pub struct Bench {
    /// The device's time.
    pub now: Ns,
    /// The clocks the model sees.
    pub clocks: Clocks,
    /// The interrupt lines.
    pub lines: Lines,
    /// The flash.
    pub memory: Memory,
}

impl Bench {
    /// Time zero, clocks as after reset, an erased flash.
    pub fn new() -> Self {
        Self {
            now: 0,
            clocks: Clocks::RESET,
            lines: Lines::new(),
            memory: Memory {
                bytes: vec![0xFF; BYTES],
                torn: vec![false; BYTES / 8],
                steps: 0,
                cut_at: None,
            },
        }
    }

    /// The present moment.
    pub fn cx(&mut self) -> Context<'_> {
        Context {
            now: self.now,
            clocks: &self.clocks,
            lines: &mut self.lines,
            outside: &mut self.memory,
        }
    }
}
