//! One of the SPI's two FIFOs: 32 bits.

const SIZE: usize = 4;

/// Up to four bytes, oldest first.
#[derive(Clone, Copy)]
pub(super) struct Fifo {
    bytes: [u8; SIZE],
    count: u8,
}

impl Fifo {
    /// Empty.
    pub(super) const fn new() -> Self {
        Self { bytes: [0; SIZE], count: 0 }
    }

    /// How many bytes are in it.
    pub(super) fn count(&self) -> u8 {
        self.count
    }

    /// FTLVL or FRLVL: by quarters up to half, and 3 from there on.
    pub(super) fn level(&self) -> u32 {
        u32::from(self.count.min(3))
    }

    /// Adds a byte; false when it is full.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        match self.bytes.get_mut(usize::from(self.count)) {
            Some(slot) => *slot = byte,
            None => return false,
        }
        self.count += 1;
        true
    }

    /// Takes the oldest byte.
    pub(super) fn pop(&mut self) -> Option<u8> {
        let count = self.count.checked_sub(1)?;
        let [first, rest @ ..] = self.bytes;
        let [second, third, fourth] = rest;
        self.bytes = [second, third, fourth, 0];
        self.count = count;
        Some(first)
    }
}
