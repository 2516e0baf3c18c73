//! What the tests of RCC, PWR, FLASH and IWDG have around the model: a clock and a flash.

use crate::clocks::Clocks;
use crate::context::{Context, Ns, Outside, Stream, Width};
use crate::lines::Lines;

/// Where the tested flash begins; it ends with bank 2.
pub(crate) const START: u32 = 0x000F_8000;
const BYTES: usize = 0x8000;

/// Flash that a bench can cut the power of.
pub(crate) struct Memory {
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
    pub(crate) fn torn_words(&self) -> usize {
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
pub(crate) struct Bench {
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
    pub(crate) fn new() -> Self {
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
    pub(crate) fn cx(&mut self) -> Context<'_> {
        Context {
            now: self.now,
            clocks: &self.clocks,
            lines: &mut self.lines,
            outside: &mut self.memory,
        }
    }
}

mod tests {
    use super::*;
    use crate::models::{flash::Flash, iwdg::Iwdg, pwr::Pwr, rcc::Rcc};

    /// A small generator, so that a failure can be run again.
    struct Noise(u64);

    impl Noise {
        fn next(&mut self) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (self.0 >> 32) as u32
        }

        fn pick<T: Copy>(&mut self, from: &[T]) -> T {
            from[self.next() as usize % from.len()]
        }

        /// A value that gets somewhere: a key, one bit, or anything.
        fn value(&mut self) -> u32 {
            let keys = [0x4567_0123, 0xCDEF_89AB, 0x5555, 0xAAAA, 0xCCCC, 0, u32::MAX];
            match self.next() % 4 {
                0 => self.pick(&keys),
                1 => 1 << (self.next() % 32),
                _ => self.next(),
            }
        }
    }

    #[test]
    fn nothing_a_guest_does_makes_a_model_panic_or_touch_flash_outside_its_window() {
        let (mut noise, mut steps) = (Noise(1), 0);
        for _ in 0..2_000 {
            let mut bench = Bench::new();
            let (mut rcc, mut pwr) = (Rcc::new(), Pwr::new());
            let (mut flash, mut iwdg) = (Flash::new(), Iwdg::new());
            rcc.backup_unlocked = true;
            // Unlocked, the data cache off, PG set: else little gets as far as the array.
            for (offset, value) in [(0, 0x204), (8, 0x4567_0123), (8, 0xCDEF_89AB), (0x14, 1)] {
                flash.store(offset, Width::Word, value, &mut bench.cx()).unwrap();
            }
            for _ in 0..60 {
                bench.clocks = rcc.clocks();
                bench.now =
                    bench.now.saturating_add(Ns::from(noise.next() >> noise.pick(&[8, 20])));
                let width = noise.pick(&[Width::Byte, Width::Half, Width::Word, Width::Word]);
                let (offset, value) = (noise.next() % 0xA0, noise.value());
                let cx = &mut bench.cx();
                let _ = match noise.next() % 6 {
                    0 => rcc.store(offset, width, value, cx),
                    1 => pwr.store(offset, width, value, cx),
                    2 => flash.store(offset % 0x20, width, value, cx),
                    3 => iwdg.store(offset % 0x14, width, value, cx),
                    4 => {
                        let word = START.wrapping_add(value % 0x9000) & !7;
                        let _ = flash.program(word, width, value, cx);
                        flash.program(word | 4, width, 0, cx)
                    }
                    _ => {
                        flash.read_check(value, cx);
                        let _ = (rcc.load(offset, width, cx), pwr.load(offset, width, cx));
                        let _ = (flash.load(offset, width, cx), iwdg.load(offset, width, cx));
                        Ok(())
                    }
                };
                let _ = (rcc.advance(cx), pwr.advance(cx), flash.advance(cx), iwdg.advance(cx));
                let _ = (rcc.next(), pwr.next(), flash.next(), iwdg.next());
                let now = cx.now;
                iwdg.bites(now);
            }
            steps += bench.memory.steps;
        }
        assert!(steps > 1_000, "{steps}");
    }

    #[test]
    fn the_four_models_take_less_than_a_kilobyte() {
        let bytes = size_of::<Rcc>() + size_of::<Pwr>() + size_of::<Flash>() + size_of::<Iwdg>();
        assert!(bytes < 1024, "{bytes}");
    }
}
