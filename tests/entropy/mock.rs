//! A generator peripheral, a flash and a device that tests can break at will.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use croupier::entropy::{
    CLOCK_ERROR, Cause, DATA_READY, Driver, ENABLED, LATCH_BYTES, Lost, Memory, RandomCore,
    RngFault, RngLatch, RngRegisters, SEED_ERROR, State,
};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Sticky error marks; the others say what is wrong now.
const STICKY: u32 = (CLOCK_ERROR | SEED_ERROR) & (1 << 5 | 1 << 6);
/// Polls before the source is silent.
pub const POLLS: u32 = 100;

/// Where the processor is when it reads the status.
#[derive(Clone, Copy)]
pub struct Moment {
    /// Words read so far.
    pub words: u64,
    /// Whether the last thing read was a word.
    pub after_word: bool,
}

/// The mock peripheral.
pub struct Chip {
    pub noise: Box<dyn FnMut(u64) -> u32>,
    pub status: Box<dyn FnMut(Moment) -> u32>,
    pub control: u32,
    /// Everything that was written to it.
    pub controls: Vec<u32>,
    pub control_stuck: bool,
    /// Control is altered so when that many words have been read.
    pub control_altered: Option<(u64, u32)>,
    pub words: u64,
    pub polls: u64,
    sticky: u32,
    after_word: bool,
}

/// A handle on the mock peripheral, as the driver holds it.
#[derive(Clone)]
pub struct Registers(Rc<RefCell<Chip>>);

impl RngRegisters for Registers {
    fn control(&mut self) -> u32 {
        self.0.borrow().control
    }

    fn set_control(&mut self, value: u32) {
        let mut chip = self.0.borrow_mut();
        chip.controls.push(value);
        if !chip.control_stuck {
            chip.control = value;
        }
    }

    fn status(&mut self) -> u32 {
        let chip = &mut *self.0.borrow_mut();
        chip.polls += 1;
        let now = (chip.status)(Moment { words: chip.words, after_word: chip.after_word });
        chip.after_word = false;
        chip.sticky |= now & STICKY;
        if chip.control & ENABLED != 0 { now | chip.sticky } else { chip.sticky }
    }

    fn clear_errors(&mut self) {
        self.0.borrow_mut().sticky = 0;
    }

    fn data(&mut self) -> u32 {
        let chip = &mut *self.0.borrow_mut();
        let word = (chip.noise)(chip.words);
        chip.words += 1;
        chip.after_word = true;
        if let Some((at, control)) = chip.control_altered
            && at == chip.words
        {
            chip.control = control;
        }
        word
    }
}

/// Flash that outlives the core, or is lost.
#[derive(Clone, Default)]
pub struct Flash {
    bytes: Rc<RefCell<Option<[u8; LATCH_BYTES]>>>,
    pub unreadable: Rc<Cell<bool>>,
    pub unwritable: Rc<Cell<bool>>,
}

impl Memory for Flash {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        match *self.bytes.borrow() {
            _ if self.unreadable.get() => Err(Lost),
            None => Ok(RngLatch::new()),
            Some(bytes) => RngLatch::from_bytes(&bytes).ok_or(Lost),
        }
    }

    fn keep(&mut self, kept: &RngLatch) -> Result<(), Lost> {
        if self.unwritable.get() {
            return Err(Lost);
        }
        *self.bytes.borrow_mut() = Some(kept.to_bytes());
        Ok(())
    }
}

pub type Core = RandomCore<Driver<Registers>, Flash>;

/// A device: chip, flash, core.
pub struct Device {
    pub chip: Rc<RefCell<Chip>>,
    pub flash: Flash,
    pub core: Core,
}

impl Device {
    /// Switched on with a healthy chip, not started.
    pub fn new(seed: u64) -> Self {
        Self::with(healthy(seed), Flash::default())
    }

    pub fn with(noise: impl FnMut(u64) -> u32 + 'static, flash: Flash) -> Self {
        let chip = Rc::new(RefCell::new(Chip {
            noise: Box::new(noise),
            status: Box::new(|_| DATA_READY),
            control: 0,
            controls: Vec::new(),
            control_stuck: false,
            control_altered: None,
            words: 0,
            polls: 0,
            sticky: 0,
            after_word: false,
        }));
        let core = RandomCore::new(driver_of(&chip), flash.clone(), *b"serial 12345");
        Self { chip, flash, core }
    }

    /// Started and ready.
    pub fn ready(seed: u64) -> Self {
        let mut device = Self::new(seed);
        device.core.start().expect("a healthy chip starts");
        assert_eq!(device.core.state(), State::Ready);
        device
    }

    /// The same device after a power cut, with a healthy chip.
    pub fn power_cycled(&self, seed: u64) -> Self {
        Self::with(healthy(seed), self.flash.clone())
    }

    /// From now on the words are `noise(n)`, n counting from zero.
    pub fn break_noise(&mut self, mut noise: impl FnMut(u64) -> u32 + 'static) {
        let from = self.words();
        self.chip.borrow_mut().noise = Box::new(move |word| noise(word - from));
    }

    /// From now on the status is `status(moment)`, its words counting from zero.
    pub fn break_status(&mut self, mut status: impl FnMut(Moment) -> u32 + 'static) {
        let from = self.words();
        self.chip.borrow_mut().status =
            Box::new(move |at| status(Moment { words: at.words - from, ..at }));
    }

    pub fn words(&self) -> u64 {
        self.chip.borrow().words
    }

    /// Cycles until latched; the cause and how many words it took, at most `patience`.
    pub fn words_until_latch(&mut self, patience: u64) -> (Cause, u64) {
        let from = self.words();
        while self.words() - from <= patience {
            if let Err(RngFault::Latched(cause)) = self.core.cycle(0) {
                return (cause, self.words() - from);
            }
        }
        panic!("no alarm in {patience} words");
    }
}

/// A driver for the chip, with no tests behind it.
pub fn driver_of(chip: &Rc<RefCell<Chip>>) -> Driver<Registers> {
    Driver::new(Registers(Rc::clone(chip)), POLLS)
}

/// Good noise; a zero or repeated word is left out, so that tests of other faults are exact.
pub fn healthy(seed: u64) -> impl FnMut(u64) -> u32 {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut last = 0;
    move |_| {
        loop {
            let word = rng.next_u32();
            if word != 0 && word != last {
                last = word;
                return word;
            }
        }
    }
}

/// Bits that are one with a chance of `p(bit number)`.
pub fn biased(seed: u64, p: impl Fn(u64) -> f64) -> impl FnMut(u64) -> u32 {
    let mut rng = StdRng::seed_from_u64(seed);
    move |word| {
        (0..32).fold(0, |bits, place| {
            let is_one = f64::from(rng.next_u32()) < p(word * 32 + place) * 4_294_967_296.0;
            bits | u32::from(is_one) << place
        })
    }
}
