//! The memory that monitor and bench share; README.md has the table.

use crate::processor::{load, store};

const BASE: u32 = 0x1000_2000;
const INBOX: u32 = BASE + 0x100;
/// Bytes of the inbox.
pub(crate) const INBOX_BYTES: u32 = 4096;
/// Says that the monitor runs.
pub(crate) const MARK: u32 = 0x4352_4F55;

/// A word of the table, by its distance from the start.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(crate) enum Word {
    Mark = 0x00,
    Head = 0x04,
    Tail = 0x08,
    Steps = 0x0C,
    NowLow = 0x10,
    NowHigh = 0x14,
    Traps = 0x18,
    Held = 0x1C,
    LongestHold = 0x20,
    RecentHold = 0x24,
    CanLost = 0x28,
    CanReceived = 0x2C,
    CanSent = 0x30,
    Feeds = 0x34,
    FlashWords = 0x38,
    FlashErases = 0x3C,
    UartLost = 0x40,
    LinkWait = 0x44,
}

/// Reads a word.
pub(crate) fn get(word: Word) -> u32 {
    load(BASE + word as u32)
}

/// Writes a word.
pub(crate) fn put(word: Word, value: u32) {
    store(BASE + word as u32, value);
}

/// Clears the table.
pub(crate) fn clear() {
    (0..64).for_each(|index| store(BASE + 4 * index, 0));
}

/// A byte of the inbox, counted from reset.
pub(crate) fn inbox(at: u32) -> u8 {
    let at = at % INBOX_BYTES;
    (load(INBOX + (at & !3)) >> (8 * (at & 3))) as u8
}

/// Why the machine was reset, as far as the monitor or the bench knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Power came on: nothing in memory is from before.
    Power,
    /// The image asked for it.
    Software,
    /// The watchdog.
    Watchdog,
    /// The supply fell below the threshold for a moment.
    BrownOut,
    /// The reset pin.
    Pin,
}

const ALIVE_AT: u32 = 0x1000_1FF0;
const CAUSE_AT: u32 = 0x1000_1FF4;
const ALIVE: u32 = 0x600D_CAFE;
const WATCHDOG: u32 = 0xB17E;

/// The cause of this start; from here on a reset without a word of its own is the image's.
pub(crate) fn take_cause() -> Cause {
    let cause = match (load(ALIVE_AT), load(CAUSE_AT)) {
        (ALIVE, WATCHDOG) => Cause::Watchdog,
        (ALIVE, 0xB012) => Cause::BrownOut,
        (ALIVE, 0x9139) => Cause::Pin,
        (ALIVE, _) => Cause::Software,
        _ => Cause::Power,
    };
    store(ALIVE_AT, ALIVE);
    store(CAUSE_AT, 0);
    cause
}

/// The watchdog is about to reset the machine.
pub(crate) fn note_watchdog() {
    store(CAUSE_AT, WATCHDOG);
}
