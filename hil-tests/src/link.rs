//! A serial link to a device: bytes both ways, with a deadline on every read.
//!
//! In QEMU it is a socket of the bridge to the monitor, on a rig a serial port. It can be cloned so that one
//! thread reads while another writes, as a CAN hub or a mechanical world must.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serialport::SerialPort;

use crate::error::{BenchError, Result, Tail};

/// What a link can run on.
pub trait Wire: Read + Write + Send {
    /// The longest a read may block; zero is not a time-out.
    fn set_patience(&mut self, patience: Duration) -> io::Result<()>;
    /// Whether a read would return at once.
    fn has_some(&self) -> io::Result<bool>;
    /// A second handle on the same wire.
    fn another(&self) -> io::Result<Box<dyn Wire>>;
    /// The bare stream, for one who serves many at once.
    fn stream(&self) -> io::Result<OwnedFd>;
}

impl Wire for UnixStream {
    fn set_patience(&mut self, patience: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(patience))
    }

    fn has_some(&self) -> io::Result<bool> {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        Ok(poll(&mut [PollFd::new(self, PollFlags::IN)], Some(&now))? > 0)
    }

    fn another(&self) -> io::Result<Box<dyn Wire>> {
        Ok(Box::new(self.try_clone()?))
    }

    fn stream(&self) -> io::Result<OwnedFd> {
        self.as_fd().try_clone_to_owned()
    }
}

impl Wire for Box<dyn SerialPort> {
    fn set_patience(&mut self, patience: Duration) -> io::Result<()> {
        Ok(self.set_timeout(patience)?)
    }

    fn has_some(&self) -> io::Result<bool> {
        Ok(self.bytes_to_read()? > 0)
    }

    fn another(&self) -> io::Result<Box<dyn Wire>> {
        Ok(Box::new(self.try_clone()?))
    }

    fn stream(&self) -> io::Result<OwnedFd> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "a serial port has no place on the hub"))
    }
}

/// A named link of one device.
pub struct Link {
    name: String,
    wire: Box<dyn Wire>,
    breach: Arc<Mutex<Option<String>>>,
}

impl Link {
    /// A link over `wire`; `name` is for the sentences.
    pub fn new(name: impl Into<String>, wire: impl Wire + 'static) -> Self {
        Self { name: name.into(), wire: Box::new(wire), breach: Arc::default() }
    }

    /// Nothing comes any more once `breach` says what rule the device has broken.
    pub fn ended_by(self, breach: Arc<Mutex<Option<String>>>) -> Self {
        Self { breach, ..self }
    }

    /// A second handle, for a thread of its own.
    pub fn another(&self) -> Result<Self> {
        let wire = self.wire.another().map_err(BenchError::io(format!("cloning {}", self.name)))?;
        Ok(Self { name: self.name.clone(), wire, breach: Arc::clone(&self.breach) })
    }

    /// Gives the bare stream away, to one who serves many at once.
    pub fn into_stream(self) -> Result<OwnedFd> {
        self.wire.stream().map_err(BenchError::io(format!("attaching {}", self.name)))
    }

    /// Sends all of `bytes`.
    pub fn send(&mut self, bytes: &[u8]) -> Result<()> {
        let sent = self.wire.write_all(bytes).and_then(|()| self.wire.flush());
        sent.map_err(BenchError::io(format!("sending to {}", self.name)))
    }

    /// Fills `buffer` within the deadline, or says how far it came.
    pub fn receive(&mut self, buffer: &mut [u8], within: Duration) -> Result<()> {
        let deadline = Instant::now() + within;
        let mut have = 0;
        while have < buffer.len() {
            let left = deadline.saturating_duration_since(Instant::now());
            have += match self.some(&mut buffer[have..], left)? {
                0 => return Err(self.short(have, buffer.len(), within)),
                count => count,
            };
        }
        Ok(())
    }

    /// Receives what comes first within the deadline; zero bytes when nothing came.
    pub fn some(&mut self, buffer: &mut [u8], within: Duration) -> Result<usize> {
        if let Some(words) = self.breach.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            let (device, tail) = (self.name.clone(), Tail::default());
            return Err(BenchError::Breach { device, words, tail });
        }
        let doing = || format!("reading from {}", self.name);
        let patience = within.max(Duration::from_millis(1));
        self.wire.set_patience(patience).map_err(BenchError::io(doing()))?;
        loop {
            return match self.wire.read(buffer) {
                Ok(count) => Ok(count),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) if ran_out(&e) => Ok(0),
                Err(source) => Err(BenchError::Io { doing: doing(), source }),
            };
        }
    }

    /// Receives what has come already; zero bytes when nothing has.
    pub fn at_hand(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let there = self.wire.has_some();
        let there = there.map_err(BenchError::io(format!("reading from {}", self.name)))?;
        if there { self.some(buffer, Duration::ZERO) } else { Ok(0) }
    }

    fn short(&self, have: usize, wanted: usize, within: Duration) -> BenchError {
        let words = format!("{have} of {wanted} bytes came within {} ms", within.as_millis());
        BenchError::io(format!("reading from {}", self.name))(io::Error::new(
            io::ErrorKind::TimedOut,
            words,
        ))
    }
}

// Sockets say one, serial ports the other.
fn ran_out(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_carries_bytes_both_ways_and_says_how_many_are_missing() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let mut link = Link::new("table link", near);
        link.send(b"ace").unwrap();
        let mut got = [0; 3];
        far.read_exact(&mut got).unwrap();
        assert_eq!(&got, b"ace");

        let mut none = [0; 4];
        assert_eq!(link.at_hand(&mut none).unwrap(), 0, "nothing has come");
        far.write_all(b"ki").unwrap();
        assert_eq!(link.at_hand(&mut none).unwrap(), 2);
        far.write_all(b"ki").unwrap();
        let mut king = [0; 4];
        let error = link.receive(&mut king, Duration::from_millis(20)).unwrap_err();
        assert!(error.to_string().contains("2 of 4 bytes"), "{error}");
    }
}
