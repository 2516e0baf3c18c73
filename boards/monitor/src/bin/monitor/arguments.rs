//! What the bench passes to the monitor: `key=value` words of the command line.

use crate::semihosting;

const LINE: usize = 1536;

/// The words, each ended by a zero byte, so that a path can be handed to the host as it stands.
pub(crate) struct Arguments {
    line: [u8; LINE],
    length: usize,
}

impl Arguments {
    /// Asks the host.
    pub(crate) fn ask() -> Self {
        let mut line = [0; LINE];
        let length = semihosting::command_line(&mut line).unwrap_or(0).min(LINE - 1);
        line.iter_mut().take(length).filter(|byte| **byte == b' ').for_each(|byte| *byte = 0);
        Self { line, length }
    }

    /// The value of `key`, without its ending zero.
    pub(crate) fn value(&self, key: &str) -> Option<&[u8]> {
        self.path(key).and_then(|path| path.split_last()).map(|(_, value)| value)
    }

    /// The value of `key` with its ending zero.
    pub(crate) fn path(&self, key: &str) -> Option<&[u8]> {
        let words = self.line.get(..=self.length)?.split_inclusive(|byte| *byte == 0);
        let mut values =
            words.filter_map(|word| word.strip_prefix(key.as_bytes())?.strip_prefix(b"="));
        values.next()
    }
}

/// A number in hexadecimal digits, with or without `0x`.
pub(crate) fn hex(digits: &[u8]) -> Option<u32> {
    let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
    let text = core::str::from_utf8(digits).ok()?;
    u32::from_str_radix(text, 16).ok()
}

/// A number in decimal digits.
pub(crate) fn decimal(digits: &[u8]) -> Option<u32> {
    core::str::from_utf8(digits).ok()?.parse().ok()
}
