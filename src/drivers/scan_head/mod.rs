//! The scan head on SPI: exposures with two banks of light, checked before they are believed.
//!
//! The reference head is an imager with its own two LED drivers behind five commands. No
//! ready driver exists for it, so this one is written here, on `embedded-hal-async`
//! alone: it runs on any board and is tested on the host.
//!
//! | command | argument | answer |
//! |---|---|---|
//! | `0x01` who | | `0xC5`, version |
//! | `0x02` wake | 1 awake, 0 asleep and dark | |
//! | `0x10` expose | bank (0 none, 1 left, 2 right), level | |
//! | `0x20` state | | 0 busy, 1 done, else broken |
//! | `0x30` frame | | 32 x 48 pixels, row by row; white, grey, black; CRC-16/IBM-3740, high byte first |
//!
//! Each capture takes the same commands in the same order with the same waits, whatever
//! is seen (RD-21), and leaves the head asleep, also when it fails. The light is held where the
//! white of the reference strip has its factory level: after a capture each bank's drive
//! moves by half of what was missing, so that one odd capture moves it little. It has an upper end, and
//! what a dirty window or an old bank takes beyond it shows in the strip, where
//! [`Window`](crate::reader::recognise::Window) judges it.

use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::{Operation, SpiDevice};

use crate::checksum::CCITT_FALSE;
use crate::reader::eye::FACTORY_WHITE;
use crate::reader::ports::{ScanFault, ScanHead};
use crate::reader::recognise::frame::{HEIGHT, WIDTH};
use crate::reader::recognise::{Capture, Frame, FrameSet, Strip};

const KIND: u8 = 0xC5;
const WHO: u8 = 0x01;
const WAKE: u8 = 0x02;
const EXPOSE: u8 = 0x10;
const STATE: u8 = 0x20;
const FRAME: u8 = 0x30;

const DONE: u8 = 1;
const BUSY: u8 = 0;

/// The head needs this long from waking to its first good exposure.
const WAKE_US: u32 = 2_000;
/// One exposure; a quarter period of nothing that flickers in a casino.
const EXPOSURE_US: u32 = 3_000;
/// An exposure that is not done then is asked for again this often, with this pause.
const ASKS: u32 = 5;
const PAUSE_US: u32 = 200;

/// Where a bank's drive begins, and where it ends.
const FIRST_DRIVE: u8 = 128;
const LEAST_DRIVE: u8 = 32;
const MOST_DRIVE: u8 = 192;

/// Which light shines.
#[derive(Clone, Copy)]
enum Bank {
    None = 0,
    Left = 1,
    Right = 2,
}

/// The scan head.
pub struct SpiScanHead<S, D> {
    spi: S,
    delay: D,
    /// The drive of both banks, left first.
    drive: [u8; 2],
}

impl<S: SpiDevice, D: DelayNs> SpiScanHead<S, D> {
    /// A head that sleeps.
    pub fn new(spi: S, delay: D) -> Self {
        Self { spi, delay, drive: [FIRST_DRIVE; 2] }
    }

    /// How hard the banks are driven, left first: for service, who sees them age.
    pub fn drive(&self) -> [u8; 2] {
        self.drive
    }

    async fn sets(&mut self, into: &mut Capture) -> Result<(), ScanFault> {
        self.wake(true).await?;
        self.delay.delay_us(WAKE_US).await;
        self.identify().await?;
        for set in &mut into.sets {
            self.expose(Bank::None, &mut set.dark).await?;
            self.expose(Bank::Left, &mut set.left).await?;
            self.expose(Bank::Right, &mut set.right).await?;
        }
        Ok(())
    }

    async fn wake(&mut self, awake: bool) -> Result<(), ScanFault> {
        self.spi.write(&[WAKE, awake.into()]).await.map_err(|_| ScanFault::Silent)
    }

    async fn ask(&mut self, command: u8, answer: &mut [u8]) -> Result<(), ScanFault> {
        let mut asked = [Operation::Write(&[command]), Operation::Read(answer)];
        self.spi.transaction(&mut asked).await.map_err(|_| ScanFault::Silent)
    }

    /// A line without a head reads all zeros or all ones.
    async fn identify(&mut self) -> Result<(), ScanFault> {
        let mut who = [0; 2];
        self.ask(WHO, &mut who).await?;
        if who[0] == KIND { Ok(()) } else { Err(ScanFault::Silent) }
    }

    async fn expose(&mut self, bank: Bank, frame: &mut Frame) -> Result<(), ScanFault> {
        let level = match bank {
            Bank::None => 0,
            Bank::Left => self.drive[0],
            Bank::Right => self.drive[1],
        };
        let order = [EXPOSE, bank as u8, level];
        self.spi.write(&order).await.map_err(|_| ScanFault::Silent)?;
        self.delay.delay_us(EXPOSURE_US).await;
        self.await_done().await?;
        self.fetch(frame).await
    }

    async fn await_done(&mut self) -> Result<(), ScanFault> {
        for _ in 0..ASKS {
            let mut state = [0];
            self.ask(STATE, &mut state).await?;
            match state[0] {
                DONE => return Ok(()),
                BUSY => self.delay.delay_us(PAUSE_US).await,
                _ => return Err(ScanFault::Implausible),
            }
        }
        Err(ScanFault::Silent)
    }

    async fn fetch(&mut self, frame: &mut Frame) -> Result<(), ScanFault> {
        let (mut strip, mut sum) = ([0; 3], [0; 2]);
        let pixels = frame.pixels.as_flattened_mut();
        let mut parts = [
            Operation::Write(&[FRAME]),
            Operation::Read(pixels),
            Operation::Read(&mut strip),
            Operation::Read(&mut sum),
        ];
        self.spi.transaction(&mut parts).await.map_err(|_| ScanFault::Silent)?;
        let mut check = CCITT_FALSE.digest();
        check.update(frame.pixels.as_flattened());
        check.update(&strip);
        let [white, grey, black] = strip;
        frame.strip = Strip { white, grey, black };
        if check.finalize() == u16::from_be_bytes(sum) {
            Ok(())
        } else {
            Err(ScanFault::Implausible)
        }
    }

    /// Moves each bank's drive by half of what its white is off, within its bounds.
    fn regulate(&mut self, capture: &Capture) {
        let [left, right] = whites(capture);
        for (drive, white) in self.drive.iter_mut().zip([left, right]) {
            let wanted = u16::from(*drive) * u16::from(FACTORY_WHITE) / u16::from(white.max(1));
            let wanted = wanted.clamp(LEAST_DRIVE.into(), MOST_DRIVE.into());
            *drive = (u16::from(*drive) + wanted).div_ceil(2) as u8; // both are below 256
        }
    }
}

/// The white that each bank adds to the dark, on average over the sets.
fn whites(capture: &Capture) -> [u8; 2] {
    let sets = capture.sets.len() as u16;
    let mean = |lit: fn(&FrameSet) -> &Frame| {
        let above =
            |set: &FrameSet| u16::from(lit(set).strip.white.saturating_sub(set.dark.strip.white));
        (capture.sets.iter().map(above).sum::<u16>() / sets) as u8 // a mean of bytes
    };
    [mean(|set| &set.left), mean(|set| &set.right)]
}

/// Whether lit strips step down from white to black, as no stuck or unlit imager shows them.
fn is_plausible(capture: &Capture) -> bool {
    const _: () = assert!(WIDTH * HEIGHT == 1536, "as the head sends them");
    capture.sets.iter().flat_map(|set| [&set.left, &set.right]).all(|frame| {
        let Strip { white, grey, black } = frame.strip;
        white > grey && grey > black
    })
}

impl<S: SpiDevice, D: DelayNs> ScanHead for SpiScanHead<S, D> {
    async fn capture(&mut self, into: &mut Capture) -> Result<(), ScanFault> {
        let taken = self.sets(into).await;
        let slept = self.wake(false).await;
        taken.and(slept)?;
        if !is_plausible(into) {
            return Err(ScanFault::Implausible);
        }
        self.regulate(into);
        Ok(())
    }
}
