//! Frames that load the bus to a share of what it can carry: every other one for the device.

use croupier::protocol::framing::can::Frame;
use croupier::protocol::transfer::NodeId;

use crate::hub::frame::extended;

/// What the bus carries in a millisecond, in bits.
const BITS: u32 = 500;
/// An extended frame with eight bytes, stuffed as usual: what the model of the controller takes
/// it for. Fewer bits a frame are more frames.
const FRAME_BITS: u32 = (67 + 64) * 11 / 10;

/// Frames of nodes unknown at the table, drawn from a seed.
#[derive(Debug, Clone)]
pub struct Traffic {
    random: fastrand::Rng,
    device: NodeId,
    percent: u32,
    owed: u32,
    frames: u64,
    requests: u64,
}

impl Traffic {
    /// Percent of the bus.
    pub fn new(device: NodeId, percent: u32, seed: u64) -> Self {
        let random = fastrand::Rng::with_seed(seed);
        Self { random, device, percent, owed: 0, frames: 0, requests: 0 }
    }

    /// How many frames there were.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// How many of them were requests to the device.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// The frames of the next millisecond.
    pub fn in_a_millisecond(&mut self) -> Vec<Frame> {
        self.owed += BITS * self.percent;
        let count = self.owed / (100 * FRAME_BITS);
        self.owed %= 100 * FRAME_BITS;
        (0..count).filter_map(|_| self.frame()).collect()
    }

    /// A message or a request, by turns: any priority, any port, of a node that is no device, one
    /// frame of a longer transfer or a whole one.
    fn frame(&mut self) -> Option<Frame> {
        self.frames += 1;
        let is_request = self.frames.is_multiple_of(2);
        self.requests += u64::from(is_request);
        let random = &mut self.random;
        let (priority, source) = (random.u32(0..8), random.u32(40..120));
        let to = match is_request {
            false => 0b11 << 21 | random.u32(0..8192) << 8,
            true => 0b11 << 24 | random.u32(0..512) << 14 | u32::from(self.device.get()) << 7,
        };
        let data: [u8; 8] = random.u64(..).to_le_bytes();
        extended(priority << 26 | to | source, &data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_percent_are_ninety_percent() {
        let mut traffic = Traffic::new(NodeId::new(10).expect("a node's number"), 90, 1);
        let frames: usize = (0..1000).map(|_| traffic.in_a_millisecond().len()).sum();
        assert_eq!(frames, 90 * 500 * 1000 / 100 / 144);
        assert_eq!(traffic.frames(), frames as u64);
        assert_eq!(traffic.requests(), frames as u64 / 2);
    }
}
