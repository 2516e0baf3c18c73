//! What the hub must know of a frame beyond what it says: time, place, looks.
//!
//! Frames are the protocol's own. Devices send 29-bit frames only; outside clients
//! and foreign traffic may send 11-bit ones, and the bus carries both.

use croupier::protocol::framing::can::Frame;
use embedded_can::{ExtendedId, Id, StandardId};

/// The bus runs at 500 kbit/s.
pub const BITS_PER_SECOND: u64 = 500_000;
/// What destroys a frame: two error flags, the delimiter, the gap after it.
pub const ERROR_BITS: u32 = 6 + 6 + 8 + 3;

/// A frame with a 29-bit id, as every device sends; nothing if no bus could carry it.
pub fn extended(id: u32, data: &[u8]) -> Option<Frame> {
    Frame::new(ExtendedId::new(id)?, data)
}

/// A frame with an 11-bit id: always foreign at this table.
pub fn standard(id: u16, data: &[u8]) -> Option<Frame> {
    Frame::new(StandardId::new(id)?, data)
}

/// The longest `frame` can hold the bus, in bits: every stuff bit it might need, and the gap after.
///
/// The stuff bits depend on the content; taking the worst keeps a load from ever being
/// stated too low. Bound: Davis, Burns, Bril and Lukkien, Real-Time Systems 35 (2007), eq. 1.
pub fn bits(frame: &Frame) -> u32 {
    let header = match frame.id() {
        Id::Standard(_) => 34,
        Id::Extended(_) => 54,
    };
    let stuffed = header + 8 * frame.data().len() as u32;
    stuffed + 13 + (stuffed - 1) / 4
}

/// `frame` with one bit of its payload turned over, if it has one; `bit` counts round and round.
pub fn flipped(frame: &Frame, bit: usize) -> Frame {
    let mut data = frame.data().to_vec();
    if !data.is_empty() {
        let bit = bit % (8 * data.len());
        data[bit / 8] ^= 1 << (bit % 8);
    }
    Frame::new(frame.id(), &data).unwrap_or(*frame)
}

/// As candump shows it: `10AB1234   [2]  01 02`.
pub fn show(frame: &Frame) -> String {
    let id = match frame.id() {
        Id::Standard(id) => format!("{:03X}", id.as_raw()),
        Id::Extended(id) => format!("{:08X}", id.as_raw()),
    };
    let data: String = frame.data().iter().map(|byte| format!(" {byte:02X}")).collect();
    format!("{id:>8}   [{}] {data}", frame.data().len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_bus_could_carry_is_no_frame() {
        assert!(extended(0x1fff_ffff, &[0; 8]).is_some() && standard(0x7ff, &[]).is_some());
        assert_eq!(extended(0x2000_0000, &[]), None);
        assert_eq!(standard(0x800, &[]), None);
        assert_eq!(extended(0, &[0; 9]), None);
    }

    #[test]
    fn the_longest_frame_is_as_long_as_the_literature_says() {
        assert_eq!(bits(&extended(0, &[0; 8]).unwrap()), 160);
        assert_eq!(bits(&standard(0, &[0; 8]).unwrap()), 135);
        assert_eq!(bits(&standard(0, &[]).unwrap()), 55);
    }

    #[test]
    fn a_flipped_bit_is_in_the_payload_and_flips_back() {
        let frame = extended(7, &[1, 2, 3]).unwrap();
        for bit in 0..100 {
            let bent = flipped(&frame, bit);
            assert_eq!(bent.id(), frame.id());
            assert_ne!(bent.data(), frame.data());
            assert_eq!(flipped(&bent, bit), frame);
        }
        let empty = extended(7, &[]).unwrap();
        assert_eq!(flipped(&empty, 3), empty);
    }

    #[test]
    fn frames_read_as_candump_shows_them() {
        assert_eq!(show(&extended(0x10ab_1234, &[1, 0xfe]).unwrap()), "10AB1234   [2]  01 FE");
        assert_eq!(show(&standard(0x7f, &[]).unwrap()), "     07F   [0] ");
    }
}
