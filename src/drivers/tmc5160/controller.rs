//! The motion controller's registers, read and written with proof.
//!
//! A read is believed when its checksum, address and register are right; a write when the
//! controller's own count of accepted writes has gone up by one. What fails is tried again,
//! a few times and no more.

use embedded_io_async::{Error as _, ErrorKind, Read, ReadExactError, Write};

use super::datagram::{read_request, value_in, write_request};
use super::register::Register;

/// One lost datagram in a thousand costs a repetition, three in a row end the work.
const TRIES: usize = 3;
/// The only controller on its line.
const ADDRESS: u8 = 0;

/// Why the motor cannot be trusted any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Error {
    /// The controller does not answer.
    Silent,
    /// What it answers is no answer.
    Garbled,
    /// It answers, but takes no writes.
    Deaf,
    /// It lost its memory: power or reset. The axis's place is not known.
    Restarted,
    /// It switched the motor off: a short, heat, or too little voltage.
    Driver,
    /// The motor was held fast.
    Stalled,
    /// The home flag is not where the steps say: this many microsteps off.
    LostSteps(i32),
    /// It was to move before its place was known.
    NotHomed,
}

/// A controller on a line whose reads end with [`ErrorKind::TimedOut`] when nothing comes.
#[derive(Debug)]
pub struct Controller<L> {
    line: L,
    accepted: u8,
    repeated: u32,
}

impl<L: Read + Write> Controller<L> {
    /// The controller at the far end of `line`; nothing is sent yet.
    pub fn new(line: L) -> Self {
        Self { line, accepted: 0, repeated: 0 }
    }

    /// Datagrams that had to be repeated since power on: a line that gets worse shows here first.
    pub fn repeated(&self) -> u32 {
        self.repeated
    }

    /// The line it talks over.
    pub fn line(&mut self) -> &mut L {
        &mut self.line
    }

    /// Learns how many writes the controller has counted so far.
    pub async fn greet(&mut self) -> Result<(), Error> {
        self.accepted = self.read(Register::Ifcnt).await? as u8;
        Ok(())
    }

    /// The value of `register`.
    pub async fn read(&mut self, register: Register) -> Result<u32, Error> {
        let mut fault = Error::Silent;
        for _ in 0..TRIES {
            match self.ask(register).await {
                Ok(value) => return Ok(value),
                Err(why) => fault = why,
            }
            self.repeated = self.repeated.saturating_add(1);
            self.quieten().await;
        }
        Err(fault)
    }

    /// Sets `register`, and sees that the controller took it.
    pub async fn write(&mut self, register: Register, value: u32) -> Result<(), Error> {
        let next = self.accepted.wrapping_add(1);
        for _ in 0..TRIES {
            self.send(&write_request(ADDRESS, register, value)).await?;
            match self.read(Register::Ifcnt).await? as u8 {
                counted if counted == next => {
                    self.accepted = next;
                    return Ok(());
                }
                counted if counted == self.accepted => {
                    self.repeated = self.repeated.saturating_add(1)
                }
                _ => return Err(Error::Restarted),
            }
        }
        Err(Error::Deaf)
    }

    async fn ask(&mut self, register: Register) -> Result<u32, Error> {
        self.send(&read_request(ADDRESS, register)).await?;
        let mut answer = [0; 8];
        match self.line.read_exact(&mut answer).await {
            Ok(()) => value_in(&answer, register).map_err(|_| Error::Garbled),
            Err(ReadExactError::Other(error)) if error.kind() != ErrorKind::TimedOut => {
                Err(Error::Garbled)
            }
            Err(_) => Err(Error::Silent),
        }
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.line.write_all(bytes).await.map_err(|_| Error::Silent)?;
        self.line.flush().await.map_err(|_| Error::Silent)
    }

    /// Lets what is still on its way arrive and go by, so that the next answer is a whole one.
    async fn quieten(&mut self) {
        let mut stray = [0; 8];
        for _ in 0..TRIES {
            if !matches!(self.line.read(&mut stray).await, Ok(1..)) {
                return;
            }
        }
    }
}
