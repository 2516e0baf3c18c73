//! A socket that never makes the bus wait: what cannot be written now waits, or is lost.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags};
use rustix::io::ioctl_fionbio;

/// One end of a stream, read and written without blocking.
pub(super) struct Line {
    file: File,
    out: Vec<u8>,
    most: usize,
    ended: bool,
}

impl Line {
    /// A line on which at most this many bytes wait to be written.
    pub(super) fn new(stream: OwnedFd, most: usize) -> io::Result<Self> {
        ioctl_fionbio(&stream, true)?;
        Ok(Self { file: stream.into(), out: Vec::new(), most, ended: false })
    }

    /// Whether the other end has gone.
    pub(super) fn is_ended(&self) -> bool {
        self.ended
    }

    /// What to wait for.
    pub(super) fn interest(&self) -> PollFd<'_> {
        PollFd::new(self, self.flags())
    }

    /// What to wait for, on a handle of its own.
    pub(super) fn watch(&self) -> Option<(OwnedFd, PollFlags)> {
        Some((self.as_fd().try_clone_to_owned().ok()?, self.flags()))
    }

    fn flags(&self) -> PollFlags {
        let writing = if self.out.is_empty() { PollFlags::empty() } else { PollFlags::OUT };
        PollFlags::IN | writing
    }

    /// What has come, if anything.
    pub(super) fn read<'a>(&mut self, buffer: &'a mut [u8]) -> &'a [u8] {
        match self.file.read(buffer) {
            Ok(0) => self.ended = true,
            Ok(count) => return &buffer[..count],
            Err(error) => self.ended |= !passing(&error),
        }
        &[]
    }

    /// Whether half of what may wait does.
    pub(super) fn is_crowded(&self) -> bool {
        self.out.len() > self.most / 2
    }

    /// Adds `bytes` to what is to be written, if there is room.
    pub(super) fn say(&mut self, bytes: &[u8]) -> bool {
        let room = self.out.len() + bytes.len() <= self.most;
        if room {
            self.out.extend(bytes);
        }
        room
    }

    /// Adds `bytes` whether there is room or not: an answer must not get lost.
    pub(super) fn answer(&mut self, bytes: &[u8]) {
        self.out.extend(bytes);
    }

    /// Writes what can be written.
    pub(super) fn flush(&mut self) {
        while !self.out.is_empty() && !self.ended {
            match self.file.write(&self.out) {
                Ok(count) => drop(self.out.drain(..count)),
                Err(error) if passing(&error) => return,
                Err(_) => self.ended = true,
            }
        }
    }
}

impl AsFd for Line {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

fn passing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_reader_that_does_not_read_loses_frames_but_no_answer_and_nobody_waits() {
        let (near, mut far) = UnixStream::pair().unwrap();
        let mut line = Line::new(near.into(), 1000).unwrap();
        let mut said = 0;
        for _ in 0..1_000_000 {
            if !line.say(b"T000000010\r") {
                break;
            }
            said += 1;
            line.flush();
        }
        assert!(!line.say(b"T000000010\r"), "it says when there is no room");
        line.answer(b"Z\r");
        let mut seen = Vec::new();
        let mut chunk = [0; 4096];
        while !seen.ends_with(b"Z\r") {
            line.flush();
            let count = far.read(&mut chunk).unwrap();
            seen.extend(&chunk[..count]);
        }
        assert_eq!(seen.len(), said * 11 + 2);
        drop(far);
        assert!(line.read(&mut chunk).is_empty() && line.is_ended());
    }
}
