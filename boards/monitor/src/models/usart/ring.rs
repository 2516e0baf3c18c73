//! What the bench has sent and the wire has not brought yet.

const SIZE: usize = 256;

/// Bytes in the order in which they came.
pub(super) struct Ring {
    bytes: [u8; SIZE],
    first: u8,
    count: u16,
}

impl Ring {
    /// Nothing in it.
    pub(super) const fn new() -> Self {
        Self { bytes: [0; SIZE], first: 0, count: 0 }
    }

    /// How many more fit.
    pub(super) fn room(&self) -> usize {
        SIZE - usize::from(self.count)
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a byte; false when there is no room.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        if self.room() == 0 {
            return false;
        }
        let place = self.first.wrapping_add(self.count as u8); // SIZE is what a byte counts
        if let Some(slot) = self.bytes.get_mut(usize::from(place)) {
            *slot = byte;
        }
        self.count += 1;
        true
    }

    /// Takes the oldest byte.
    pub(super) fn pop(&mut self) -> Option<u8> {
        if self.count == 0 {
            return None;
        }
        let byte = self.bytes.get(usize::from(self.first)).copied();
        self.first = self.first.wrapping_add(1);
        self.count -= 1;
        byte
    }
}
