//! The other end of an slcan line, for the hub's tests.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use hil_tests::hub::Frame;
use hil_tests::{Hub, Link};

/// Generous: a good run never waits this long.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A device or a client, by its text.
pub struct Text<S> {
    stream: S,
    unread: Vec<u8>,
}

/// A device on the bus.
pub fn device(hub: &Hub, name: &str) -> Text<UnixStream> {
    let (near, far) = UnixStream::pair().unwrap();
    far.set_read_timeout(Some(PATIENCE)).unwrap();
    hub.attach(name, Link::new(name, near)).unwrap();
    Text { stream: far, unread: Vec::new() }
}

/// A client that has connected and said nothing yet.
pub fn connected(address: SocketAddr) -> Text<TcpStream> {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    Text { stream, unread: Vec::new() }
}

/// A client on the bus.
pub fn client(address: SocketAddr) -> Text<TcpStream> {
    let mut client = connected(address);
    client.say("O\r");
    assert_eq!(client.line(), "\r");
    client
}

impl<S: Read + Write> Text<S> {
    /// Says `text` as it stands.
    pub fn say(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// The next line with its end, or a bell; nothing more once the hub is gone.
    pub fn line(&mut self) -> String {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| matches!(byte, b'\r' | 7)) {
                let line = self.unread.drain(..=end).collect();
                return String::from_utf8(line).unwrap();
            }
            let mut chunk = [0; 4096];
            match self.stream.read(&mut chunk) {
                Ok(0) => return String::new(),
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return String::new(),
                count => self.unread.extend(&chunk[..count.unwrap()]),
            }
        }
    }
}

/// A frame of eight bytes that carries a number.
pub fn numbered(id: u32, number: u32) -> Frame {
    let mut data = [0; 8];
    data[..4].copy_from_slice(&number.to_be_bytes());
    hil_tests::hub::frame::extended(id, &data).unwrap()
}
