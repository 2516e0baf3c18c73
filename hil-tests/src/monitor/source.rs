//! Where the monitor listens: a TCP port, a serial device, or a file of what was there.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use arguments::{Framing, LinkName, Place};

/// How long a read waits before the monitor looks whether someone pressed Ctrl-C.
const GLANCE: Duration = Duration::from_millis(100);
/// Close, 500 kbit/s, open to listen only: the adapter sends nothing on the bus, not even acknowledges.
const LISTEN: &[u8] = b"C\rS6\rL\r";

/// An open link.
pub struct Source(Box<dyn Read + Send>);

/// What a read brought.
#[derive(Debug, PartialEq, Eq)]
pub enum Brought {
    /// This number of bytes.
    Bytes(usize),
    /// Nothing yet.
    Nothing,
    /// The other end is gone, or the file is over.
    End,
}

impl Source {
    /// Opens a link and, on CAN, asks the adapter to listen. A plain file is read to its end.
    pub fn open(name: &LinkName) -> io::Result<Self> {
        match &name.place {
            Place::Tcp(address) => {
                let stream = TcpStream::connect(address)?;
                stream.set_read_timeout(Some(GLANCE))?;
                Self::listen(stream, name.framing)
            }
            Place::Device(path, _) if Path::new(path).is_file() => {
                Ok(Self(Box::new(File::open(path)?)))
            }
            Place::Device(path, baud) => {
                let port = serialport::new(path, *baud).timeout(GLANCE).open()?;
                Self::listen(port, name.framing)
            }
        }
    }

    fn listen(mut wire: impl Read + Write + Send + 'static, framing: Framing) -> io::Result<Self> {
        if framing == Framing::Can {
            wire.write_all(LISTEN)?;
            wire.flush()?;
        }
        Ok(Self(Box::new(wire)))
    }

    /// Reads what is there; waits a moment if nothing is.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<Brought> {
        use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
        match self.0.read(buffer) {
            Ok(0) => Ok(Brought::End),
            Ok(count) => Ok(Brought::Bytes(count)),
            Err(e) if matches!(e.kind(), Interrupted | TimedOut | WouldBlock) => {
                Ok(Brought::Nothing)
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn a_bus_is_asked_for_silence_and_its_end_is_noticed() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let name = format!("can:{}", listener.local_addr().unwrap());
        let mut source = Source::open(&name.parse().unwrap()).unwrap();
        let (mut adapter, _) = listener.accept().unwrap();
        let mut asked = [0; LISTEN.len()];
        adapter.read_exact(&mut asked).unwrap();
        assert_eq!(asked, LISTEN);
        let mut buffer = [0; 16];
        assert_eq!(source.read(&mut buffer).unwrap(), Brought::Nothing);
        adapter.write_all(b"\r").unwrap();
        assert_eq!(source.read(&mut buffer).unwrap(), Brought::Bytes(1));
        drop(adapter);
        assert_eq!(source.read(&mut buffer).unwrap(), Brought::End);
    }
}
