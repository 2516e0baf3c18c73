//! The generator's rules, and the driver's sequence on it.

use super::*;
use crate::testing::recorder::Bench;

struct Rig {
    bench: Bench,
    rng: Rng,
}

impl Rig {
    fn new(words: u32) -> Self {
        let mut bench = Bench::new();
        bench.outside.noise.extend((1..=words).map(|word| word * 0x0101_0101));
        Self { bench, rng: Rng::new() }
    }

    fn read(&mut self, offset: u32) -> u32 {
        self.rng.load(offset, Width::Word, &mut self.bench.cx()).unwrap()
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.rng.store(offset, Width::Word, value, &mut self.bench.cx()).unwrap();
    }

    fn is_high(&self) -> bool {
        self.bench.lines.is_high(Line::Rng)
    }

    /// As `Driver::wait_for_word` of the image: polls, each taking 50 ns.
    fn wait_for_word(&mut self) -> Result<(), &'static str> {
        for _ in 0..2_000 {
            self.bench.now += 50;
            let status = self.status()?;
            if status & DRDY != 0 {
                return Ok(());
            }
        }
        Err("silent")
    }

    fn status(&mut self) -> Result<u32, &'static str> {
        match self.read(SR) {
            status if status & (CECS | CEIS) != 0 => Err("clock"),
            status if status & (SECS | SEIS) != 0 => Err("seed"),
            status => Ok(status),
        }
    }

    /// As `Driver::switch_on_anew`.
    fn switch_on_anew(&mut self) -> Result<(), &'static str> {
        self.write(CR, 0);
        self.write(SR, 0);
        self.write(CR, RNGEN);
        assert_eq!(self.read(CR), RNGEN);
        for _ in 0..12 {
            self.wait_for_word()?;
            self.read(DR);
        }
        self.status().map(|_| ())
    }

    /// As `Driver::word`.
    fn word(&mut self) -> Result<u32, &'static str> {
        self.wait_for_word()?;
        let word = self.read(DR);
        self.status()?;
        if word == 0 { Err("zero") } else { Ok(word) }
    }
}

#[test]
fn the_drivers_sequence_passes() {
    let mut rig = Rig::new(14);
    assert_eq!(rig.switch_on_anew(), Ok(()));
    assert_eq!(rig.word(), Ok(13 * 0x0101_0101));
    assert_eq!(rig.word(), Ok(14 * 0x0101_0101));
    assert_eq!(rig.word(), Err("silent"), "the bench has no more noise");
    rig.bench.outside.noise.extend(1..20);
    assert_eq!(rig.switch_on_anew(), Err("silent"), "and never again");
}

#[test]
fn a_word_takes_40_periods_of_48_mhz() {
    let mut rig = Rig::new(3);
    rig.write(CR, RNGEN);
    rig.bench.now = 833;
    assert_eq!(rig.read(SR), 0);
    rig.bench.now = 834;
    assert_eq!(rig.read(SR), DRDY);
    rig.bench.now = 5_000;
    assert_eq!(rig.read(DR), 0x0101_0101);
    assert_eq!(rig.read(SR), 0, "the read takes it");
    rig.bench.now = 5_833;
    assert_eq!(rig.read(SR), 0);
    rig.bench.now = 5_834;
    assert_eq!(rig.read(SR), DRDY);
}

#[test]
fn data_read_before_drdy_is_a_breach() {
    let mut rig = Rig::new(2);
    let read = |rig: &mut Rig| rig.rng.load(DR, Width::Word, &mut rig.bench.cx());
    assert!(read(&mut rig).unwrap_err().rule.contains("before DRDY"), "switched off");
    rig.write(CR, RNGEN);
    assert!(read(&mut rig).unwrap_err().rule.contains("before DRDY"));
    rig.bench.now = 1_000;
    assert_eq!(read(&mut rig), Ok(0x0101_0101));
    assert!(read(&mut rig).unwrap_err().rule.contains("before DRDY"), "twice");
}

#[test]
fn switching_on_without_48_mhz_is_a_breach() {
    for (clk48, rule) in [(0, "without its clock"), (24_000_000, "wants 48 MHz")] {
        let mut rig = Rig::new(1);
        rig.bench.clocks.clk48 = clk48;
        let breach = rig.rng.store(CR, Width::Word, RNGEN, &mut rig.bench.cx()).unwrap_err();
        assert!(breach.rule.contains(rule), "{breach:?}");
    }
}

#[test]
fn a_clock_below_a_32nd_of_the_processors_is_a_clock_error() {
    let mut rig = Rig::new(20);
    rig.bench.clocks.clk48 = 2_400_000;
    assert_eq!(rig.switch_on_anew(), Err("clock"));
    rig.bench.now += 100_000;
    assert_eq!(rig.read(SR), CECS | CEIS, "no word comes");
    rig.write(CR, 0);
    rig.write(SR, 0);
    rig.write(CR, RNGEN | CED);
    rig.bench.now += 20_000;
    assert_eq!(rig.read(SR), DRDY, "unless it is not read");
}

#[test]
fn a_clock_that_stops_later_is_a_clock_error_too() {
    let mut rig = Rig::new(20);
    assert_eq!(rig.switch_on_anew(), Ok(()));
    rig.bench.clocks.clk48 = 0;
    assert_eq!(rig.word(), Err("clock"));
}

#[test]
fn a_clock_error_passes_and_leaves_its_mark() {
    let mut rig = Rig::new(20);
    assert_eq!(rig.switch_on_anew(), Ok(()));
    rig.rng.set_fault(RngFault::Clock);
    assert_eq!(rig.word(), Err("clock"));
    assert_eq!(rig.read(SR), CECS | CEIS);
    rig.rng.set_fault(RngFault::None);
    rig.bench.now += 10_000;
    assert_eq!(rig.read(SR), CEIS | DRDY);
    rig.write(SR, !CEIS);
    assert_eq!(rig.read(SR), DRDY);
}

#[test]
fn after_a_seed_error_no_word_comes_until_cleared_and_switched_on_again() {
    let mut rig = Rig::new(40);
    assert_eq!(rig.switch_on_anew(), Ok(()));
    rig.wait_for_word().unwrap();
    rig.rng.set_fault(RngFault::Seed);
    assert_eq!(rig.read(DR), 0, "failed between the look and the read");
    assert_eq!(rig.read(SR), SECS | SEIS);
    assert_eq!(rig.switch_on_anew(), Err("seed"), "while it lasts");
    rig.rng.set_fault(RngFault::None);
    rig.bench.now += 1_000_000;
    assert_eq!(rig.read(SR), SECS | SEIS, "it does not mend itself");
    rig.write(SR, 0);
    rig.bench.now += 1_000_000;
    assert_eq!(rig.read(SR), SECS, "cleared, not switched on again");
    rig.write(CR, 0);
    rig.write(CR, RNGEN);
    rig.bench.now += 1_000;
    assert_eq!(rig.read(SR), DRDY);
    // The other way round: switched on again, not cleared.
    rig.rng.set_fault(RngFault::Seed);
    rig.read(SR);
    rig.rng.set_fault(RngFault::None);
    rig.write(CR, 0);
    rig.write(CR, RNGEN);
    rig.bench.now += 1_000;
    assert_eq!(rig.read(SR), SECS | SEIS);
    assert_eq!(rig.switch_on_anew(), Ok(()));
}

#[test]
fn the_line_follows_word_and_errors_only_with_ie() {
    let mut rig = Rig::new(9);
    rig.write(CR, RNGEN);
    assert_eq!(rig.rng.next(), None);
    rig.bench.now = 1_000;
    assert_eq!((rig.read(SR), rig.is_high()), (DRDY, false));
    rig.write(CR, RNGEN | IE);
    assert!(rig.is_high());
    rig.read(DR);
    assert!(!rig.is_high());
    assert_eq!(rig.rng.next(), Some(1_834));
    rig.bench.now = 1_834;
    rig.rng.advance(&mut rig.bench.cx()).unwrap();
    assert!(rig.is_high());
    rig.read(DR);
    rig.rng.set_fault(RngFault::Clock);
    assert_eq!(rig.rng.next(), Some(0));
    rig.rng.advance(&mut rig.bench.cx()).unwrap();
    assert!(rig.is_high());
}

#[test]
fn only_words_of_three_registers() {
    let mut rig = Rig::new(1);
    let cx = &mut rig.bench.cx();
    assert!(rig.rng.load(0x0C, Width::Word, cx).unwrap_err().rule.contains("no such"));
    assert!(rig.rng.store(0x10, Width::Word, 0, cx).unwrap_err().rule.contains("no such"));
    assert!(rig.rng.store(DR, Width::Word, 0, cx).is_err());
    assert!(rig.rng.load(SR, Width::Byte, cx).unwrap_err().rule.contains("words only"));
    rig.rng.store(CR, Width::Word, RNGEN, cx).unwrap();
    let breach = rig.rng.store(CR, Width::Word, RNGEN | CED, cx).unwrap_err();
    assert!(breach.rule.contains("while the generator is off"));
}

#[test]
fn a_fault_from_outside_outlives_a_reset_through_rcc() {
    let mut rig = Rig::new(9);
    rig.rng.set_fault(RngFault::Clock);
    rig.rng.reset();
    rig.write(CR, RNGEN);
    rig.bench.now = 1_000;
    assert_ne!(rig.read(SR) & CECS, 0);
}
