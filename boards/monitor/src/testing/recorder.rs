//! A bench for the models' tests: time, clocks, lines, and an outside that records.

use std::collections::VecDeque;

use crate::clocks::Clocks;
use crate::context::{Context, Ns, Outside, Stream, Width};
use crate::lines::Lines;

/// The clocks as the image sets them.
pub(crate) const RUNNING: Clocks = Clocks {
    hclk: 80_000_000,
    pclk1: 80_000_000,
    pclk2: 80_000_000,
    clk48: 48_000_000,
    ..Clocks::RESET
};

/// Everything around one model.
pub(crate) struct Bench {
    pub now: Ns,
    pub clocks: Clocks,
    pub lines: Lines,
    pub outside: World,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { now: 0, clocks: RUNNING, lines: Lines::new(), outside: World::default() }
    }

    pub(crate) fn cx(&mut self) -> Context<'_> {
        Context {
            now: self.now,
            clocks: &self.clocks,
            lines: &mut self.lines,
            outside: &mut self.outside,
        }
    }
}

/// Noise to give, and what was sent.
#[derive(Default)]
pub(crate) struct World {
    pub noise: VecDeque<u32>,
    pub bus: Vec<u8>,
}

impl Outside for World {
    fn read_memory(&mut self, _: u32, _: &mut [u8]) {}
    fn write_memory(&mut self, _: u32, _: &[u8]) {}
    fn noise(&mut self) -> Option<u32> {
        self.noise.pop_front()
    }
    fn send(&mut self, stream: Stream, bytes: &[u8]) {
        assert_eq!(stream, Stream::Bus);
        self.bus.extend(bytes);
    }
    fn film(&mut self, _: u32, _: &mut [u8]) -> bool {
        false
    }
    fn gpio_load(&mut self, _: u8, _: u32) -> u32 {
        0
    }
    fn gpio_store(&mut self, _: u8, _: u32, _: Width, _: u32) {}
    fn flash_word(&mut self, _: u32) -> [u8; 8] {
        [0xFF; 8]
    }
    fn put_flash(&mut self, _: u32, _: &[u8]) {}
    fn is_torn(&mut self, _: u32) -> bool {
        false
    }
    fn set_torn(&mut self, _: u32, _: bool) {}
    fn flash_step(&mut self) {}
}

/// Random words that are the same each time.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.word() % limit as u64) as usize
    }
}
