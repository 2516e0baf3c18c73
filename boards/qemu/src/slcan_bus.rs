//! The table bus as slcan text on a UART, for a machine that models no CAN.
//!
//! The bench's hub stands for the bus. It answers each frame with `Z`, as an adapter
//! does when the frame is out, and the speaker takes that for what CAN's acknowledge
//! slot is: until it comes, the frame is sent again. A receiver drops the repeat.

use adapters::wire::{HearBus, SpeakBus};
use croupier::protocol::can::Frame;
use croupier::protocol::slcan::{Answer, Decoder, Line, Text};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, with_timeout};
use embedded_io_async::{Read, Write};

static ACKNOWLEDGED: Signal<CriticalSectionRawMutex, ()> = Signal::new();
/// How long a frame waits for its acknowledge.
const PATIENCE: Duration = Duration::from_millis(250);

/// The bus's incoming text.
pub struct Ear<R> {
    line: R,
    decoder: Decoder,
    bytes: [u8; 64],
    at: usize,
    end: usize,
}

impl<R: Read> Ear<R> {
    /// Hears on `line`.
    pub fn new(line: R) -> Self {
        Self { line, decoder: Decoder::new(), bytes: [0; 64], at: 0, end: 0 }
    }
}

impl<R: Read> HearBus for Ear<R> {
    async fn frame(&mut self) -> Frame {
        loop {
            while let Some(&byte) = self.bytes.get(self.at..self.end).and_then(<[u8]>::first) {
                self.at += 1;
                match self.decoder.accept(byte) {
                    Some(Line::Frame(frame)) => return frame,
                    Some(Line::Answer(Answer::Sent)) => ACKNOWLEDGED.signal(()),
                    _ => {}
                }
            }
            // Nothing is lost if this is cancelled: either no byte was taken or all count.
            let read = self.line.read(&mut self.bytes).await;
            (self.at, self.end) = (0, read.unwrap_or(0));
        }
    }
}

/// The bus's outgoing text.
pub struct Mouth<W>(pub W);

impl<W: Write> SpeakBus for Mouth<W> {
    async fn put(&mut self, frame: &Frame) {
        loop {
            ACKNOWLEDGED.reset();
            _ = self.0.write_all(Text::of(frame).as_bytes()).await;
            if with_timeout(PATIENCE, ACKNOWLEDGED.wait()).await.is_ok() {
                return;
            }
        }
    }
}
