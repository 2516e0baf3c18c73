//! The firmware's random core on this computer, and what it drew, for the judge.
//!
//! A device never shows an order. Here the judge must know it, to see that the
//! cards came out just so; nothing prints or keeps it.

use std::fs::File;
use std::io::Read;

use croupier::entropy::{Lost, Memory, NoiseFault, NoiseSource, RandomCore, RngLatch};
use croupier::shuffler::Fault;
use croupier::shuffler::ports::{Ask, Drawing, Orders, Source};
use fastrand::Rng;

/// Noise from a seed, or from the operating system's random device.
pub enum HostNoise {
    /// The same in every run.
    Seeded(Rng),
    /// Never the same; read a page at a time.
    Device(File, Vec<u8>),
}

impl HostNoise {
    /// Noise from `seed`, or from the random device.
    pub fn new(seed: Option<u64>) -> std::io::Result<Self> {
        Ok(match seed {
            Some(seed) => Self::Seeded(Rng::with_seed(seed)),
            None => Self::Device(File::open("/dev/urandom")?, Vec::new()),
        })
    }
}

impl NoiseSource for HostNoise {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        match self {
            Self::Seeded(rng) => Ok(rng.u32(..)),
            Self::Device(file, page) => {
                if page.len() < 4 {
                    page.resize(4096, 0);
                    file.read_exact(page).map_err(|_| NoiseFault::Silent)?;
                }
                let word = page.split_off(page.len() - 4);
                word.try_into().map(u32::from_le_bytes).map_err(|_| NoiseFault::Silent)
            }
        }
    }
}

/// Every simulated device is started for the first time.
pub struct Forgetful;

impl Memory for Forgetful {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        Ok(RngLatch::new())
    }

    fn keep(&mut self, _: &RngLatch) -> Result<(), Lost> {
        Ok(())
    }
}

/// The random core, and the order it drew last. It answers at once.
pub struct Watched {
    drawing: Drawing<HostNoise, Forgetful>,
    last: Vec<u16>,
    answer: Option<Result<(), Fault>>,
}

impl Watched {
    /// A core that the device has yet to start.
    pub fn new(noise: HostNoise) -> Self {
        let drawing = Drawing::new(RandomCore::new(noise, Forgetful, *b"simulation 0"));
        Self { drawing, last: Vec::new(), answer: None }
    }

    /// What was drawn last: the card, as fed, for each place.
    pub fn last(&self) -> &[u16] {
        &self.last
    }

    fn serve(&mut self, ask: Ask) -> Result<(), Fault> {
        let last = &mut self.last;
        match ask {
            Ask::Start => self.drawing.start(),
            Ask::Order(count) => self.drawing.draw(count, |order| {
                last.clear();
                last.extend_from_slice(order);
            }),
            // Work between shuffles moves no card, and is tried in the tests of the core.
            Ask::Cycle(_) => Ok(()),
            Ask::Retry => self.drawing.retry(),
        }
    }
}

impl Source for &mut Watched {
    fn ask(&mut self, ask: Ask) {
        self.answer = Some(self.serve(ask));
    }

    fn answer(&mut self) -> Option<Result<(), Fault>> {
        self.answer.take()
    }

    fn take_order<R>(&mut self, use_it: impl FnOnce(&[u16]) -> R) -> R {
        use_it(&self.last) // not wiped: the judge compares with it
    }
}
