//! A capture as bytes, as the monitor reads them from the file `film=`.
//!
//! Set by set: dark, left, right; each frame its pixels row by row, then the strip's white,
//! grey and black. No header: the sizes are those of the firmware's own `frame` module.

use std::fs;
use std::path::Path;

use croupier::reader::recognise::frame::{Capture, Frame, HEIGHT, SETS, WIDTH};

use crate::error::{BenchError, Result};

/// Bytes of one frame.
pub const FRAME_BYTES: usize = WIDTH * HEIGHT + 3;
/// Bytes of one capture.
pub const FILM_BYTES: usize = SETS * 3 * FRAME_BYTES;

/// The capture's bytes.
pub fn bytes(capture: &Capture) -> Vec<u8> {
    let frames = capture.sets.iter().flat_map(|set| [&set.dark, &set.left, &set.right]);
    frames.flat_map(frame_bytes).collect()
}

fn frame_bytes(frame: &Frame) -> impl Iterator<Item = u8> {
    let strip = [frame.strip.white, frame.strip.grey, frame.strip.black];
    frame.pixels.iter().flatten().copied().chain(strip)
}

/// Writes the capture where the guest's monitor reads it.
pub fn write(capture: &Capture, path: &Path) -> Result<()> {
    fs::write(path, bytes(capture))
        .map_err(BenchError::io(format!("cannot write {}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_follow_each_other_dark_left_right_with_their_strips() {
        let mut capture = Capture::new();
        capture.sets[1].left.pixels[2][3] = 77;
        capture.sets[2].right.strip.black = 9;
        let bytes = bytes(&capture);
        assert_eq!(bytes.len(), FILM_BYTES);
        assert_eq!(bytes[4 * FRAME_BYTES + 2 * WIDTH + 3], 77);
        assert_eq!(bytes.last(), Some(&9));
        assert_eq!(bytes.iter().filter(|&&byte| byte != 0).count(), 2);
    }
}
