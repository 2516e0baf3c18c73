//! A list of bits that takes an eighth of the memory of a list of bools.

use core::fmt;

use super::{Reader, Writer};

/// Up to `8 * BYTES` bits.
#[derive(Clone, PartialEq, Eq)]
pub struct BitList<const BYTES: usize> {
    length: usize,
    bytes: [u8; BYTES],
}

impl<const BYTES: usize> BitList<BYTES> {
    /// How many bits are in it.
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds one; `None` if the list is full.
    pub fn push(&mut self, bit: bool) -> Option<()> {
        *self.bytes.get_mut(self.length / 8)? |= u8::from(bit) << (self.length % 8);
        self.length += 1;
        Some(())
    }

    /// The bits, first to last.
    pub fn iter(&self) -> impl Iterator<Item = bool> {
        (0..self.length).map(|at| self.bytes[at / 8] >> (at % 8) & 1 != 0)
    }

    /// Adds the bits to `to`, without their number.
    pub fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.iter().try_for_each(|bit| to.put(bit.into(), 1))
    }

    /// Takes `length` bits from `from`.
    pub fn read(from: &mut Reader<'_>, length: usize) -> Option<Self> {
        let mut list = Self::default();
        for _ in 0..length {
            list.push(from.take(1)? != 0)?;
        }
        Some(list)
    }
}

impl<const BYTES: usize> Default for BitList<BYTES> {
    fn default() -> Self {
        Self { length: 0, bytes: [0; BYTES] }
    }
}

impl<const BYTES: usize> fmt::Debug for BitList<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back_in_order_and_one_too_many_is_refused() {
        let mut list = BitList::<2>::default();
        for at in 0..16 {
            list.push(at % 3 == 0).unwrap();
        }
        assert_eq!((list.push(true), list.len()), (None, 16));
        let mut bytes = [0; 2];
        list.write(&mut Writer::new(&mut bytes)).unwrap();
        assert_eq!(bytes, [0b0100_1001, 0b1001_0010]);
        assert_eq!(BitList::read(&mut Reader::strict(&bytes), 16), Some(list));
        assert_eq!(BitList::<2>::read(&mut Reader::lenient(&bytes), 17), None);
    }
}
