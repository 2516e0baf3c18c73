//! Finds the transfers in a stream of bytes.

use core::mem;

use cobs::{DecodeResult, DecoderState};
use zeroize::Zeroize;

use super::encoder::CHECKSUM;
use super::header::{self, SIZE};
use crate::protocol::counters::{Counters, Loss};
use crate::protocol::framing::crc::Crc32c;
use crate::protocol::transfer::{Header, Interest, NodeId, Port, Transfer};

/// Bytes in, transfers out, of up to `BYTES` bytes each. That, and a header, is all its
/// memory; a stream without delimiters runs through it.
pub struct Decoder<const BYTES: usize> {
    node: Option<NodeId>,
    cobs: DecoderState,
    stage: Stage,
    head: [u8; SIZE],
    bytes: [u8; BYTES],
    counters: Counters,
}

/// How far the frame at hand is understood.
enum Stage {
    /// This number of bytes of the header is there.
    Head(usize),
    /// The port is listened to: the payload and its checksum.
    Body(Body),
    /// The rest is not needed.
    Lost(Loss),
}

/// A payload in the making.
struct Body {
    header: Header,
    crc: Crc32c,
    /// What the listener takes.
    extent: usize,
    /// Seen so far, checksum included, kept or not.
    total: usize,
}

impl<const BYTES: usize> Decoder<BYTES> {
    /// Receives for `node`: messages, and services addressed to it.
    pub const fn for_node(node: NodeId) -> Self {
        Self::new(Some(node))
    }

    /// Receives for an onlooker: messages, and services between any nodes.
    pub const fn for_onlooker() -> Self {
        Self::new(None)
    }

    const fn new(node: Option<NodeId>) -> Self {
        Self {
            node,
            cobs: DecoderState::Idle,
            stage: Stage::Head(0),
            head: [0; SIZE],
            bytes: [0; BYTES],
            counters: Counters::ZERO,
        }
    }

    /// What was delivered and what was dropped.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Overwrites what was received, such as new keys, and waits for the next frame.
    pub fn wipe(&mut self) {
        self.bytes.zeroize();
        self.stage = Stage::Lost(Loss::Unfinished);
    }

    /// Takes one byte; gives the transfer that it completes.
    pub fn accept(&mut self, byte: u8, interest: &impl Interest) -> Option<Transfer<'_>> {
        match self.cobs.feed(byte) {
            Ok(DecodeResult::NoData) => None,
            Ok(DecodeResult::DataStart) => {
                self.stage = Stage::Head(0);
                None
            }
            Ok(DecodeResult::DataContinue(byte)) => {
                self.take(byte, interest);
                None
            }
            Ok(DecodeResult::DataComplete) => self.finish(),
            Err(_) => {
                self.counters.lose(Loss::Malformed);
                None
            }
        }
    }
    /// Takes a byte of the frame at hand.
    fn take(&mut self, byte: u8, interest: &impl Interest) {
        match &mut self.stage {
            Stage::Head(seen) => {
                if let Some(place) = self.head.get_mut(*seen) {
                    *place = byte;
                }
                *seen += 1;
                if *seen == SIZE {
                    self.stage = self.screen(interest).map_or_else(Stage::Lost, Stage::Body);
                }
            }
            Stage::Body(body) => {
                if body.total < body.extent
                    && let Some(place) = self.bytes.get_mut(body.total)
                {
                    *place = byte;
                }
                body.crc.update(&[byte]);
                body.total = body.total.saturating_add(1);
                if body.extent > BYTES && body.length() > BYTES {
                    self.stage = Stage::Lost(Loss::Overflow);
                }
            }
            Stage::Lost(_) => {}
        }
    }

    /// Looks at the header alone.
    fn screen(&self, interest: &impl Interest) -> Result<Body, Loss> {
        let header = header::decode(&self.head)?;
        if let Some(own) = self.node {
            if header.source == Some(own) {
                return Err(Loss::Impostor);
            }
            if matches!(header.port, Port::Request(_, to) | Port::Response(_, to) if to != own) {
                return Err(Loss::Unwanted);
            }
        }
        let extent = interest.extent(header.port).ok_or(Loss::Unwanted)?;
        Ok(Body { header, crc: Crc32c::new(), extent, total: 0 })
    }

    /// The delimiter is here.
    fn finish(&mut self) -> Option<Transfer<'_>> {
        let lost = match mem::replace(&mut self.stage, Stage::Head(0)) {
            Stage::Body(body) if body.total < CHECKSUM => Loss::Malformed,
            Stage::Body(body) if !body.crc.is_closed() => Loss::Checksum,
            Stage::Body(body) => {
                self.counters.deliver();
                let payload = self.bytes.get(..body.length().min(body.extent))?;
                return Some(Transfer { header: body.header, payload });
            }
            Stage::Head(_) => Loss::Malformed,
            Stage::Lost(why) => why,
        };
        self.counters.lose(lost);
        None
    }
}

impl Body {
    /// Bytes of payload, if no more come.
    fn length(&self) -> usize {
        self.total.saturating_sub(CHECKSUM)
    }
}
