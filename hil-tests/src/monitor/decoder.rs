//! Bytes from a link, put together to transfers; what is none is counted.

use std::time::Duration;

use arguments::Framing;
use croupier::protocol::counters::Counters;
use croupier::protocol::framing::can::{Frame, Receiver};
use croupier::protocol::framing::serial::Decoder;
use croupier::protocol::framing::slcan;
use croupier::protocol::transfer::{Interest, Port, Transfer};
use croupier::time::Instant;

/// The longest transfer that is shown whole.
const BYTES: usize = 2048;
/// Transfers that may be in the making at once: more than nodes and ports at a table.
const SLOTS: usize = 64;

/// Interested in everything.
struct Curious;

impl Interest for Curious {
    fn extent(&self, _port: Port) -> Option<usize> {
        Some(BYTES)
    }
}

/// An onlooker's decoder on one link.
pub enum BusDecoder {
    /// On a bus.
    Can {
        /// Text to frames.
        text: slcan::Decoder,
        /// Frames to transfers.
        receiver: Box<Receiver<SLOTS, BYTES>>,
    },
    /// On a line.
    Serial(Box<Decoder<BYTES>>),
}

impl BusDecoder {
    /// An decoder for this framing.
    pub fn new(framing: Framing) -> Self {
        match framing {
            Framing::Can => Self::Can {
                text: slcan::Decoder::new(),
                receiver: Box::new(Receiver::for_onlooker()),
            },
            Framing::Serial => Self::Serial(Box::new(Decoder::for_onlooker())),
        }
    }

    /// Takes bytes as they come from the link.
    pub fn receive(&mut self, bytes: &[u8], at: Duration, report: &mut impl FnMut(&Transfer<'_>)) {
        for &byte in bytes {
            match self {
                Self::Serial(decoder) => {
                    decoder.accept(byte, &Curious).iter().for_each(&mut *report);
                }
                Self::Can { text, receiver } => {
                    if let Some(slcan::Line::Frame(frame)) = text.accept(byte) {
                        receiver.accept(&frame, moment(at), &Curious).iter().for_each(&mut *report);
                    }
                }
            }
        }
    }

    /// Takes a frame from a recording. A line has no frames: there it is nothing.
    pub fn receive_frame(
        &mut self,
        frame: &Frame,
        at: Duration,
        report: impl FnMut(&Transfer<'_>),
    ) {
        if let Self::Can { receiver, .. } = self {
            receiver.accept(frame, moment(at), &Curious).iter().for_each(report);
        }
    }

    /// What was understood and what was not, by kind; lines of text that were none come last.
    pub fn counts(&self) -> Vec<(&'static str, u32)> {
        match self {
            Self::Can { text, receiver } => {
                let mut counts = kinds(receiver.counters());
                counts.push(("bad text", text.counters().malformed));
                counts
            }
            Self::Serial(decoder) => kinds(decoder.counters()),
        }
    }
}

fn moment(at: Duration) -> Instant {
    u64::try_from(at.as_millis()).map_or(Instant::MAX, Instant::from_millis)
}

fn kinds(counters: &Counters) -> Vec<(&'static str, u32)> {
    // An onlooker takes everything and has no address: the other counts stay at zero.
    vec![
        ("transfers", counters.delivered),
        ("foreign", counters.foreign),
        ("malformed", counters.malformed),
        ("bad checksums", counters.checksums),
        ("repeated", counters.duplicates),
        ("without beginning", counters.strays),
        ("without end", counters.unfinished + counters.timed_out),
        ("given up for others", counters.evicted),
        ("too long", counters.overflows),
    ]
}
