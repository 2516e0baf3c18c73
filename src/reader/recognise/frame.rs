//! What the scan head delivers: small grey frames of a card's index corner.
//!
//! A frame is the one place where a card's face exists in the device. So there is no
//! `Debug`, no `Clone` and no log format for it, and every frame is wiped when it goes
//! out of scope or, sooner, when the reader must forget it (RD-20).
//!
//! Geometry, needed to mount an imager or to render a card: pixel row 0, column 0 is at
//! the card's corner; columns run along the short edge, rows along the long one. A pixel
//! is a square of [`PITCH_UM`]. With the card [`PLAY_UM`] off in any direction, 1.5 to
//! 10.5 mm by 1.5 to 16.5 mm of it are always seen: a jumbo index (11 mm high, a "10" of
//! 8 mm) fits, and a small one (5 mm) still has strokes of two pixels.

use zeroize::Zeroize;

/// Pixels across, along the card's short edge.
pub const WIDTH: usize = 32;
/// Pixels down, along the card's long edge.
pub const HEIGHT: usize = 48;
/// Microns that one pixel covers, both ways.
pub const PITCH_UM: i32 = 375;
/// Where the outer corner of pixel (0, 0) lies, in microns inside the card's corner (across, down).
pub const ORIGIN_UM: (i32, i32) = (0, 0);
/// How far a card that the edge beams call home may lie from its nominal place, each way.
pub const PLAY_UM: i32 = 1500;
/// Frame sets taken of one card; all must agree.
pub const SETS: usize = 3;

/// The reference patches beside the card, each the average of its pixels in the same frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strip {
    /// White, as bright as good card stock.
    pub white: u8,
    /// Mid grey: half the white's reflectance.
    pub grey: u8,
    /// Black.
    pub black: u8,
}

/// One exposure.
pub struct Frame {
    /// Grey levels, row by row, the card's corner first.
    pub pixels: [[u8; WIDTH]; HEIGHT],
    /// The reference patches in the same exposure.
    pub strip: Strip,
}

impl Frame {
    /// A frame that has seen nothing.
    pub const fn new() -> Self {
        Self { pixels: [[0; WIDTH]; HEIGHT], strip: Strip { white: 0, grey: 0, black: 0 } }
    }

    /// Forgets what it has seen.
    pub fn wipe(&mut self) {
        self.pixels.zeroize();
        self.strip.white.zeroize();
        self.strip.grey.zeroize();
        self.strip.black.zeroize();
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Three exposures that belong together: what shines on the card differs, the card does not.
#[derive(Default)]
pub struct FrameSet {
    /// No lamp: what leaks in from the room.
    pub dark: Frame,
    /// The left bank alone.
    pub left: Frame,
    /// The right bank alone.
    pub right: Frame,
}

impl FrameSet {
    /// A set that has seen nothing.
    pub const fn new() -> Self {
        Self { dark: Frame::new(), left: Frame::new(), right: Frame::new() }
    }

    /// Forgets what it has seen.
    pub fn wipe(&mut self) {
        self.dark.wipe();
        self.left.wipe();
        self.right.wipe();
    }
}

/// All that is seen of one card.
#[derive(Default)]
pub struct Capture {
    /// The sets, in the order they were taken.
    pub sets: [FrameSet; SETS],
}

impl Capture {
    /// A capture that has seen nothing.
    pub const fn new() -> Self {
        Self { sets: [const { FrameSet::new() }; SETS] }
    }

    /// Forgets what it has seen; done before a lamp is lit.
    pub fn wipe(&mut self) {
        self.sets.iter_mut().for_each(FrameSet::wipe);
    }
}
