//! Reads and writes the fields of an object, bit by bit where it must.
//!
//! DSDL packs fields without gaps, least significant bit first. Nearly all fields here are whole
//! bytes at whole bytes, so that is the short path.

use heapless::Vec;

/// Writes fields one after the other.
#[derive(Debug)]
pub struct Writer<'a> {
    bytes: &'a mut [u8],
    /// Bits written so far.
    at: usize,
}

impl<'a> Writer<'a> {
    /// Writes from the start of `bytes`.
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Adds the low `bits` bits of `value`, at most 64.
    pub fn put(&mut self, value: u64, bits: usize) -> Option<()> {
        if self.at.is_multiple_of(8) && bits.is_multiple_of(8) {
            return self.put_bytes(value.to_le_bytes().get(..bits / 8)?);
        }
        for bit in 0..bits {
            self.put_bit(value >> bit & 1 != 0)?;
        }
        Some(())
    }

    /// Adds whole bytes.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        if !self.at.is_multiple_of(8) {
            return bytes.iter().try_for_each(|&byte| self.put(byte.into(), 8));
        }
        let start = self.at / 8;
        self.bytes.get_mut(start..start.checked_add(bytes.len())?)?.copy_from_slice(bytes);
        self.at += bytes.len() * 8;
        Some(())
    }

    /// Adds zeros up to a whole byte.
    pub fn align(&mut self) {
        // The bits of a byte are cleared when its first one is written.
        self.at = self.at.next_multiple_of(8);
    }

    /// Bytes written, the last perhaps in part.
    pub fn length(&self) -> usize {
        self.at.div_ceil(8)
    }

    fn put_bit(&mut self, bit: bool) -> Option<()> {
        let byte = self.bytes.get_mut(self.at / 8)?;
        let place = self.at % 8;
        if place == 0 {
            *byte = 0;
        }
        *byte |= u8::from(bit) << place;
        self.at += 1;
        Some(())
    }
}

/// Bytes that are not a value of the type: too few, too many, or with a code, a length of a list or
/// padding that the type does not have.
///
/// It does not say which: no caller acts on that, and every read on the chip would pay for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Malformed;

/// What reading gives. Generated code has a `Result` of its own: `croupier.common.Result`.
pub type Decoded<T> = Result<T, Malformed>;

/// Reads fields one after the other.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// Bits read so far.
    at: usize,
    strict: bool,
}

impl<'a> Reader<'a> {
    /// Reads exactly `bytes`: no more, no less, and only zeros as padding.
    pub fn strict(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, strict: true }
    }

    /// Reads as Cyphal asks: zeros follow the end, and what is left over is ignored.
    pub fn lenient(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, strict: false }
    }

    /// Takes `bits` bits, at most 64.
    pub fn take(&mut self, bits: usize) -> Decoded<u64> {
        if self.at.is_multiple_of(8) && bits.is_multiple_of(8) {
            let mut value = [0; 8];
            self.take_into(value.get_mut(..bits / 8).ok_or(Malformed)?)?;
            return Ok(u64::from_le_bytes(value));
        }
        let mut value = 0;
        for bit in 0..bits {
            value |= u64::from(self.take_bit()?) << bit;
        }
        Ok(value)
    }

    /// Takes a signed number of `bits` bits, 1 to 64.
    pub fn take_signed(&mut self, bits: usize) -> Decoded<i64> {
        let spare = 64 - bits;
        Ok((self.take(bits)? << spare).cast_signed() >> spare)
    }

    /// Takes whole bytes.
    pub fn take_bytes<const N: usize>(&mut self) -> Decoded<[u8; N]> {
        let mut bytes = [0; N];
        self.take_into(&mut bytes)?;
        Ok(bytes)
    }

    /// Takes as many bytes as `out` holds.
    fn take_into(&mut self, out: &mut [u8]) -> Decoded<()> {
        if !self.at.is_multiple_of(8) {
            for byte in out {
                *byte = self.take(8)? as u8;
            }
            return Ok(());
        }
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let there = out.len().min(rest.len());
        if self.strict && there < out.len() {
            return Err(Malformed);
        }
        out[..there].copy_from_slice(&rest[..there]);
        out[there..].fill(0);
        self.at = self.at.saturating_add(out.len().saturating_mul(8));
        Ok(())
    }

    /// Passes over `bits` bits of padding, at most 64.
    pub fn skip(&mut self, bits: usize) -> Decoded<()> {
        match self.take(bits)? {
            1.. if self.strict => Err(Malformed),
            _ => Ok(()),
        }
    }

    /// Passes over padding up to a whole byte.
    pub fn align(&mut self) -> Decoded<()> {
        self.skip(self.at.next_multiple_of(8) - self.at)
    }

    /// Fails if something is left that should not be.
    pub fn finish(self) -> Decoded<()> {
        if self.strict && self.at < self.bytes.len() * 8 {
            return Err(Malformed);
        }
        Ok(())
    }

    fn take_bit(&mut self) -> Decoded<bool> {
        let byte = match self.bytes.get(self.at / 8) {
            Some(byte) => *byte,
            None if self.strict => return Err(Malformed),
            None => 0,
        };
        let bit = byte >> (self.at % 8) & 1 != 0;
        self.at += 1;
        Ok(bit)
    }
}

/// Takes a list: its length in `bits` bits, then each with `item`; malformed if it is too long.
pub(in crate::protocol) fn read_list<T, const N: usize>(
    from: &mut Reader<'_>,
    bits: usize,
    mut item: impl FnMut(&mut Reader<'_>) -> Decoded<T>,
) -> Decoded<Vec<T, N>> {
    let mut list = Vec::new();
    for _ in 0..from.take(bits)? {
        let item = item(from)?;
        list.push(item).map_err(|_| Malformed)?;
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_widths_pack_without_gaps_and_come_back() {
        let mut bytes = [0xFF; 8];
        let mut writer = Writer::new(&mut bytes);
        for (value, bits) in [(0b101, 3), (0x1FF, 9), (1, 1), (0xABCDE, 20), (0x77, 8)] {
            writer.put(value, bits).unwrap();
        }
        writer.align();
        assert_eq!(writer.length(), 6);
        let mut reader = Reader::strict(&bytes[..6]);
        assert_eq!(reader.take(3), Ok(0b101));
        assert_eq!(reader.take(9), Ok(0x1FF));
        assert_eq!(reader.take(1), Ok(1));
        assert_eq!(reader.take(20), Ok(0xABCDE));
        assert_eq!(reader.take_bytes(), Ok([0x77]));
        assert_eq!(reader.align(), Ok(()));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn signed_numbers_keep_their_sign_at_every_width() {
        for (value, bits) in [(-1, 1), (-3, 5), (-1, 64), (i64::MIN, 64), (-8_388_608, 24), (7, 4)]
        {
            let mut bytes = [0; 8];
            Writer::new(&mut bytes).put(value.cast_unsigned(), bits).unwrap();
            assert_eq!(Reader::strict(&bytes).take_signed(bits), Ok(value));
        }
    }

    #[test]
    fn a_strict_reader_refuses_short_and_long_and_dirty_padding() {
        assert_eq!(Reader::strict(&[1]).take(16), Err(Malformed));
        assert_eq!(Reader::strict(&[]).take(1), Err(Malformed));
        assert_eq!(Reader::strict(&[0x80]).skip(8), Err(Malformed));
        let mut reader = Reader::strict(&[1, 2]);
        assert_eq!((reader.take(8), reader.finish()), (Ok(1), Err(Malformed)));
    }

    #[test]
    fn a_lenient_reader_extends_with_zeros_and_ignores_the_rest() {
        let mut reader = Reader::lenient(&[1, 2]);
        assert_eq!(reader.take(32), Ok(0x0201));
        assert_eq!((reader.take(64), reader.take(3), reader.finish()), (Ok(0), Ok(0), Ok(())));
        assert_eq!(Reader::lenient(&[1, 2, 3]).finish(), Ok(()));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_nothing_panics() {
        let mut bytes = [0; 2];
        assert_eq!(Writer::new(&mut bytes).put(0, 24), None);
        assert_eq!(Writer::new(&mut bytes).put(0, 72), None);
        assert_eq!(Writer::new(&mut bytes).put_bytes(&[0; 3]), None);
        assert_eq!(Reader::strict(&bytes).take(72), Err(Malformed));
    }

    #[test]
    fn a_list_longer_than_its_room_or_than_its_bytes_is_malformed() {
        let list = |bytes: &[u8]| -> Decoded<Vec<u8, 2>> {
            read_list(&mut Reader::strict(bytes), 8, |from| Ok(from.take(8)? as u8))
        };
        assert_eq!(list(&[2, 7, 8]).as_deref(), Ok(&[7, 8][..]));
        assert_eq!(list(&[3, 7, 8, 9]), Err(Malformed));
        assert_eq!(list(&[2, 7]), Err(Malformed));
        assert_eq!(list(&[]), Err(Malformed));
    }
}
