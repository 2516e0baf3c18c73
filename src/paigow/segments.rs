//! The seven segments of the digit and its point, and what each number looks like.
//!
//! Two numbers differ in two segments at least: 6 has no roof and 7 has a hook, as on old
//! instruments. So no single segment, dead or stuck, can turn one into another, even
//! before the read-back is asked (PG-20). The point is lit in no number: it marks the
//! lamp test.

use core::num::NonZeroU8;

/// A set of segments: bit 0 is a, bit 6 is g, bit 7 is the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Segments(u8);

/// The numbers 1 to 7.
const DIGITS: [Segments; 7] = [
    Segments::of("bc"),
    Segments::of("abdeg"),
    Segments::of("abcdg"),
    Segments::of("bcfg"),
    Segments::of("acdfg"),
    Segments::of("cdefg"),
    Segments::of("abcf"),
];

/// The highest number this display can show.
pub const HIGHEST: NonZeroU8 = NonZeroU8::new(DIGITS.len() as u8).expect("seven");

impl Segments {
    /// Dark.
    pub const NONE: Self = Self(0);
    /// Everything: an 8 with its point, which is no number of the game.
    pub const ALL: Self = Self(0xFF);

    /// The segments with these letters.
    const fn of(letters: &str) -> Self {
        let (letters, mut at, mut bits) = (letters.as_bytes(), 0, 0);
        while at < letters.len() {
            bits |= 1 << (letters[at] - b'a');
            at += 1;
        }
        Self(bits)
    }

    /// How `number` looks; `None` if it is not from 1 to 7.
    pub fn digit(number: NonZeroU8) -> Option<Self> {
        DIGITS.get(usize::from(number.get()) - 1).copied()
    }

    /// The number these segments show, if they show one exactly.
    pub fn number(self) -> Option<NonZeroU8> {
        let place = DIGITS.iter().position(|digit| *digit == self)?;
        NonZeroU8::new(place as u8 + 1)
    }

    /// Each segment by itself, a to g and the point.
    pub fn singles() -> impl Iterator<Item = Self> {
        (0..8).map(|place| Self(1 << place))
    }

    /// The set with these bits.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The set as bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The first segment in which two sets differ: 0 is a, 7 the point.
    pub const fn first_difference(self, other: Self) -> Option<u8> {
        match (self.0 ^ other.0).trailing_zeros() {
            place @ 0..8 => Some(place as u8),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits() -> impl Iterator<Item = (NonZeroU8, Segments)> {
        (1..=7).filter_map(NonZeroU8::new).map(|n| (n, Segments::digit(n).unwrap()))
    }

    /// PG-01.
    #[test]
    fn every_number_has_a_look_and_no_other_number_has_one() {
        for (number, look) in digits() {
            assert_eq!(look.number(), Some(number));
        }
        for number in (8..=255).filter_map(NonZeroU8::new) {
            assert_eq!(Segments::digit(number), None);
        }
        let looks = (0..=255).filter(|bits| Segments::from_bits(*bits).number().is_some());
        assert_eq!(looks.count(), 7);
    }

    /// PG-20: 7 digits x 8 segments x {dead, stuck on}: what the table sees is the number
    /// itself or no number, and the read-back notices every change.
    #[test]
    fn no_dead_or_stuck_segment_turns_a_number_into_another() {
        let mut changed = 0;
        for (number, look) in digits() {
            for place in 0..8 {
                let dead = look.bits() & !(1 << place);
                let stuck = look.bits() | 1 << place;
                for seen in [dead, stuck].map(Segments::from_bits) {
                    let read = seen.number();
                    assert!(read.is_none_or(|read| read == number), "{number} seen as {read:?}");
                    let noticed = look.first_difference(seen);
                    assert_eq!(noticed, (seen != look).then_some(place));
                    changed += usize::from(seen != look);
                }
            }
        }
        assert_eq!(changed, 7 * 8, "each segment is lit or dark, so one fault of two shows");
    }

    /// PG-20: the pattern of the lamp test is far from every number.
    #[test]
    fn the_lamp_test_is_no_number_and_neither_is_it_with_a_segment_gone() {
        for bits in (0..8).map(|place| Segments::ALL.bits() & !(1 << place)) {
            assert_eq!(Segments::from_bits(bits).number(), None);
        }
        assert_eq!(Segments::ALL.number(), None);
        assert!(digits().all(|(_, look)| look.bits() & 0x80 == 0), "no number has the point");
        assert!(Segments::singles().all(|single| single.number().is_none()));
    }
}
