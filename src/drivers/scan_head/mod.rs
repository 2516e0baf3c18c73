//! The scan head on SPI: a small imager with two banks of light behind five commands.
//!
//! | | |
//! |---|---|
//! | Part | the reference scan head of this project; the table below is its data sheet |
//! | Bus | SPI mode 0 with a select line, 5 MHz in our images: a frame takes 2.5 ms |
//! | Not covered | other frame sizes; exposure time, which is fixed in the head |
//!
//! | command | argument | answer |
//! |---|---|---|
//! | `0x01` who | | `0xC5`, version |
//! | `0x02` wake | 1 awake, 0 asleep and dark | |
//! | `0x10` expose | bank (0 none, 1 left, 2 right), level | |
//! | `0x20` state | | 0 busy, 1 done, else broken |
//! | `0x30` frame | | 32 x 48 pixels, row by row; white, grey, black; CRC-16/IBM-3740, high byte first |
//!
//! The last three bytes of a frame are the head's reference patches, each a mean of its pixels.
//! A frame is returned only if its checksum is right. What it shows is not judged here.
//!
//! Written by hand because the part is this project's own.

use crc::{CRC_16_IBM_3740, Crc};
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::spi::{self, ErrorKind, Operation, SpiDevice};

#[cfg(test)]
mod tests;

/// Pixels across.
pub const WIDTH: usize = 32;
/// Pixels down.
pub const HEIGHT: usize = 48;

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

const CHECKSUM: &Crc<u16> = &Crc::<u16>::new(&CRC_16_IBM_3740);

/// Which light shines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Bank {
    /// Neither bank.
    None = 0,
    /// The left bank alone.
    Left = 1,
    /// The right bank alone.
    Right = 2,
}

/// Why there is no frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// The bus failed.
    Bus(ErrorKind),
    /// No scan head answers: a line without one reads all zeros or all ones.
    Absent,
    /// The exposure is not done in its time.
    Late,
    /// The head says that it is broken.
    Broken,
    /// The frame's checksum is wrong.
    Garbled,
}

/// The scan head.
pub struct SpiScanHead<S, D> {
    spi: S,
    delay: D,
}

impl<S: SpiDevice, D: DelayNs> SpiScanHead<S, D> {
    /// A head that sleeps.
    pub const fn new(spi: S, delay: D) -> Self {
        Self { spi, delay }
    }

    /// Wakes the head, waits until it can expose, and checks that it answers.
    pub async fn wake(&mut self) -> Result<(), Error> {
        self.command(&[WAKE, 1]).await?;
        self.delay.delay_us(WAKE_US).await;
        let mut who = [0; 2];
        self.ask(WHO, &mut who).await?;
        if who[0] == KIND { Ok(()) } else { Err(Error::Absent) }
    }

    /// Puts the head to sleep, dark. Do so after a failure too.
    pub async fn sleep(&mut self) -> Result<(), Error> {
        self.command(&[WAKE, 0]).await
    }

    /// Exposes once by the light of `bank` at `level`: `pixels` row by row, and the reference
    /// patches white, grey and black. After an error `pixels` is undefined.
    pub async fn expose(
        &mut self,
        bank: Bank,
        level: u8,
        pixels: &mut [[u8; WIDTH]; HEIGHT],
    ) -> Result<[u8; 3], Error> {
        self.command(&[EXPOSE, bank as u8, level]).await?;
        self.delay.delay_us(EXPOSURE_US).await;
        self.await_done().await?;
        self.fetch(pixels).await
    }

    async fn await_done(&mut self) -> Result<(), Error> {
        for _ in 0..ASKS {
            let mut state = [0];
            self.ask(STATE, &mut state).await?;
            match state[0] {
                DONE => return Ok(()),
                BUSY => self.delay.delay_us(PAUSE_US).await,
                _ => return Err(Error::Broken),
            }
        }
        Err(Error::Late)
    }

    async fn fetch(&mut self, pixels: &mut [[u8; WIDTH]; HEIGHT]) -> Result<[u8; 3], Error> {
        let (mut patches, mut sum) = ([0; 3], [0; 2]);
        let mut parts = [
            Operation::Write(&[FRAME]),
            Operation::Read(pixels.as_flattened_mut()),
            Operation::Read(&mut patches),
            Operation::Read(&mut sum),
        ];
        self.spi.transaction(&mut parts).await.map_err(bus)?;
        let mut check = CHECKSUM.digest();
        check.update(pixels.as_flattened());
        check.update(&patches);
        if check.finalize() == u16::from_be_bytes(sum) { Ok(patches) } else { Err(Error::Garbled) }
    }

    async fn command(&mut self, command: &[u8]) -> Result<(), Error> {
        self.spi.write(command).await.map_err(bus)
    }

    async fn ask(&mut self, command: u8, answer: &mut [u8]) -> Result<(), Error> {
        let mut asked = [Operation::Write(&[command]), Operation::Read(answer)];
        self.spi.transaction(&mut asked).await.map_err(bus)
    }
}

fn bus(error: impl spi::Error) -> Error {
    Error::Bus(error.kind())
}
