//! A capture: nine exposures of one card, by light that is held, checked before it is believed.
//!
//! Each capture takes the same commands in the same order with the same waits, whatever
//! is seen (RD-21), and leaves the head asleep, also when it fails. The light is held where the
//! white of the reference strip has its factory level: after a capture each bank's drive
//! moves by half of what was missing, so that one odd capture moves it little. It has an upper end, and
//! what a dirty window or an old bank takes beyond it shows in the strip, where
//! [`Window`](super::recognise::Window) judges it.

use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::SpiDevice;

use super::eye::FACTORY_WHITE;
use super::ports::{ScanFault, ScanHead};
use super::recognise::{Capture, Frame, FrameSet, Strip};
use crate::drivers::scan_head::{Bank, Error, SpiScanHead};

/// Where a bank's drive begins, and where it ends.
const FIRST_DRIVE: u8 = 128;
const LEAST_DRIVE: u8 = 32;
const MOST_DRIVE: u8 = 192;

impl From<Error> for ScanFault {
    fn from(error: Error) -> Self {
        match error {
            Error::Bus(_) | Error::Absent | Error::Late => Self::Silent,
            Error::Broken | Error::Garbled => Self::Implausible,
        }
    }
}

/// The scan head as the reader uses it.
pub struct CaptureHead<S, D> {
    head: SpiScanHead<S, D>,
    /// The drive of both banks, left first.
    drive: [u8; 2],
}

impl<S: SpiDevice, D: DelayNs> CaptureHead<S, D> {
    /// Its light is not regulated yet.
    pub const fn new(head: SpiScanHead<S, D>) -> Self {
        Self { head, drive: [FIRST_DRIVE; 2] }
    }

    /// How hard the banks are driven, left first: for service, who sees them age.
    pub fn drive(&self) -> [u8; 2] {
        self.drive
    }

    async fn sets(&mut self, into: &mut Capture) -> Result<(), Error> {
        self.head.wake().await?;
        for set in &mut into.sets {
            self.expose(Bank::None, &mut set.dark).await?;
            self.expose(Bank::Left, &mut set.left).await?;
            self.expose(Bank::Right, &mut set.right).await?;
        }
        Ok(())
    }

    async fn expose(&mut self, bank: Bank, frame: &mut Frame) -> Result<(), Error> {
        let level = match bank {
            Bank::None => 0,
            Bank::Left => self.drive[0],
            Bank::Right => self.drive[1],
        };
        let [white, grey, black] = self.head.expose(bank, level, &mut frame.pixels).await?;
        frame.strip = Strip { white, grey, black };
        Ok(())
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
    capture.sets.iter().flat_map(|set| [&set.left, &set.right]).all(|frame| {
        let Strip { white, grey, black } = frame.strip;
        white > grey && grey > black
    })
}

impl<S: SpiDevice, D: DelayNs> ScanHead for CaptureHead<S, D> {
    async fn capture(&mut self, into: &mut Capture) -> Result<(), ScanFault> {
        let taken = self.sets(into).await;
        let slept = self.head.sleep().await;
        taken.and(slept)?;
        if !is_plausible(into) {
            return Err(ScanFault::Implausible);
        }
        self.regulate(into);
        Ok(())
    }
}
