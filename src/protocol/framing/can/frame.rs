//! One classic CAN data frame.

use embedded_can::Id;

/// Bytes a classic frame can carry.
pub const MOST_BYTES: usize = 8;

/// A data frame: its identifier, which also decides who wins the bus, and its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    id: Id,
    length: u8,
    /// Zero beyond `length`, so that equal frames are equal.
    bytes: [u8; MOST_BYTES],
}

impl Frame {
    /// The frame with these bytes, or nothing if there are more than eight.
    pub fn new(id: impl Into<Id>, data: &[u8]) -> Option<Self> {
        let mut bytes = [0; MOST_BYTES];
        bytes.get_mut(..data.len())?.copy_from_slice(data);
        Some(Self { id: id.into(), length: data.len() as u8, bytes })
    }

    /// Its identifier.
    pub const fn id(&self) -> Id {
        self.id
    }

    /// Its bytes.
    pub fn data(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or(&self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use embedded_can::StandardId;

    use super::*;

    #[test]
    fn a_frame_holds_up_to_eight_bytes_and_no_more() {
        for length in 0..=8 {
            let data = &[0xC5; 9][..length];
            assert_eq!(Frame::new(StandardId::ZERO, data).unwrap().data(), data);
        }
        assert_eq!(Frame::new(StandardId::ZERO, &[0; 9]), None);
    }
}
