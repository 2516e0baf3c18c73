//! Which lamps are lit, and which one says what.
//!
//! Every answer lights exactly one lamp, so supply current and brightness are the same
//! for all of them; two at once is no answer, and none is none.

use crate::panel::lamps::{READER_LAMPS, ReaderLamp};
use crate::protocol::generated::croupier::reader::Reading;

/// A set of the reader's lamps: bit 0 is small, bit 5 the notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Lit(u8);

impl Lit {
    /// Dark.
    pub const NONE: Self = Self(0);
    /// Everything, which is no answer: the lamp test.
    pub const ALL: Self = Self((1 << READER_LAMPS) - 1);

    /// This lamp alone.
    pub const fn one(lamp: ReaderLamp) -> Self {
        Self(1 << lamp as u8)
    }

    /// The lamp with this place in the row alone.
    pub const fn place(place: u8) -> Self {
        Self((1u8 << (place & 7)) & Self::ALL.0)
    }

    /// The lamp that says `word`.
    pub const fn says(word: Reading) -> Self {
        match word {
            Reading::None => Self::NONE,
            Reading::Blackjack => Self::one(ReaderLamp::Blackjack),
            Reading::NoBlackjack => Self::one(ReaderLamp::NoBlackjack),
            Reading::Small => Self::one(ReaderLamp::Small),
            Reading::Medium => Self::one(ReaderLamp::Medium),
            Reading::Large => Self::one(ReaderLamp::Large),
            Reading::CannotRead | Reading::Notice => Self::one(ReaderLamp::Notice),
        }
    }

    /// The set with these bits.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The set as bits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The first lamp in which two sets differ.
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

    /// RD-02, RD-21: one lamp for each word, another for each class.
    #[test]
    fn each_word_lights_exactly_one_lamp() {
        let words = [
            Reading::Blackjack,
            Reading::NoBlackjack,
            Reading::Small,
            Reading::Medium,
            Reading::Large,
        ];
        let mut seen = 0;
        for word in words {
            let lit = Lit::says(word).bits();
            assert_eq!(lit.count_ones(), 1);
            assert_eq!(seen & lit, 0, "{word:?} shares its lamp");
            seen |= lit;
        }
        assert_eq!(Lit::says(Reading::Notice), Lit::says(Reading::CannotRead));
        assert_eq!(seen | Lit::says(Reading::Notice).bits(), Lit::ALL.bits());
        assert_eq!(Lit::says(Reading::None), Lit::NONE);
    }

    #[test]
    fn a_difference_names_its_lamp() {
        for place in 0..READER_LAMPS as u8 {
            assert_eq!(Lit::NONE.first_difference(Lit::place(place)), Some(place));
        }
        assert_eq!(Lit::ALL.first_difference(Lit::ALL), None);
        assert_eq!(Lit::from_bits(0xFF), Lit::ALL);
    }
}
