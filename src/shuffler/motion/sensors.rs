//! Sixteen sensor lines as one word, and the mark in it that says the word can be believed.
//!
//! Three lines are tied to fixed levels on the mechanism's board. A wire off, a clock
//! pulse lost or a register without power spoils the mark, and a spoilt word is not
//! used: a machine without sensors must not take its path for free. A single bad word is
//! passed over, for motors are near; several in a row are a sensor fault.

use super::rollers::Inputs;
use crate::cards::BackColour;
use crate::shuffler::event::{Back, Look};

/// The three highest lines, as they are tied: low, high, low.
pub const MARK: u16 = 0b010 << 13;
const MARKED: u16 = 0b111 << 13;

/// Words in a row that may be bad, a millisecond apart.
const MOST_BAD: u8 = 3;

/// Light through two cards and through one, as the eye's comparator tells them apart.
const LIGHT: [u8; 2] = [20, 45];

/// The word of a chain of two registers. A read that failed is a word without its mark.
pub fn word<E>(lines: Result<[u8; 2], E>) -> u16 {
    lines.map_or(0, u16::from_be_bytes)
}

/// What a word comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampled {
    /// This is what the sensors show.
    Seen(Inputs),
    /// A bad word, which is passed over.
    Passed,
    /// Too many bad words in a row. Reported once, until a good word comes.
    Blind,
}

/// Reads words from the sensors.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sensors {
    bad: u8,
}

impl Sensors {
    /// No word yet.
    pub const fn new() -> Self {
        Self { bad: 0 }
    }

    /// Takes a word: beams (mouth, throat, exit, draw) in the lowest four bits, contacts
    /// (lid, door, feed, delivery) in the next, then three of the eye's verdict and one of
    /// its light, the slot beam, then the mark. High is blocked, open or loaded.
    pub fn take(&mut self, word: u16) -> Sampled {
        if word & MARKED == MARK {
            self.bad = 0;
            return Sampled::Seen(inputs(word));
        }
        if self.bad > MOST_BAD {
            return Sampled::Passed;
        }
        self.bad += 1;
        if self.bad > MOST_BAD { Sampled::Blind } else { Sampled::Passed }
    }
}

fn inputs(word: u16) -> Inputs {
    let is_high = |line: u16| word & 1 << line != 0;
    let back = match word >> 8 & 0b111 {
        1 => Back::Colour(BackColour::Red),
        2 => Back::Colour(BackColour::Blue),
        3 => Back::Cover,
        4 => Back::FaceUp,
        _ => Back::Unknown,
    };
    Inputs {
        beams: [0, 1, 2, 3, 12].map(is_high),
        contacts: [4, 5, 6, 7].map(is_high),
        eye: Look { back, light: LIGHT[usize::from(is_high(11))] },
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// SH-18, SH-26, SH-29: every line has its meaning, and no other.
    #[test]
    fn every_line_is_read_for_what_it_is() {
        let mut sensors = Sensors::new();
        let mut seen = |lines: u16| match sensors.take(MARK | lines) {
            Sampled::Seen(inputs) => inputs,
            other => panic!("{other:?}"),
        };
        for line in [0, 1, 2, 3, 12] {
            assert_eq!(seen(1 << line).beams, [0, 1, 2, 3, 12].map(|place| place == line));
        }
        for line in 0..4 {
            assert_eq!(seen(16 << line).contacts, [0, 1, 2, 3].map(|place| place == line));
        }
        let backs = [
            Back::Unknown,
            Back::Colour(BackColour::Red),
            Back::Colour(BackColour::Blue),
            Back::Cover,
            Back::FaceUp,
            Back::Unknown,
            Back::Unknown,
            Back::Unknown,
        ];
        for (code, back) in (0..).zip(backs) {
            assert_eq!(seen(code << 8).eye, Look { back, light: 20 });
            assert_eq!(seen(code << 8 | 1 << 11).eye, Look { back, light: 45 });
        }
    }

    /// SH-23: a load pin that cannot be moved gives no word that could be believed.
    #[test]
    fn a_chain_that_fails_gives_a_word_without_its_mark() {
        assert_eq!(word::<()>(Ok([0x4A, 0x01])), 0x4A01, "the last register's lines are highest");
        assert_eq!(word(Err(())), 0);
        assert_eq!(Sensors::new().take(word(Err(()))), Sampled::Passed);
    }

    /// SH-23: a chain that is dead, or a pulse out of step, is never taken for a free path.
    #[test]
    fn a_spoilt_word_is_passed_over_and_a_fourth_in_a_row_is_blindness() {
        for good in 0..1 << 13 {
            let word = MARK | good;
            for bad in [0, u16::MAX, word << 1, word << 1 | 1, word >> 1, word >> 1 | 1 << 15] {
                assert_eq!(Sensors::new().take(bad), Sampled::Passed, "{bad:016b}");
            }
        }
        let mut sensors = Sensors::new();
        let told: Vec<_> = (0..6).map(|_| sensors.take(0)).collect();
        let blind: Vec<_> = told.iter().map(|told| *told == Sampled::Blind).collect();
        assert_eq!(blind, [false, false, false, true, false, false]);
        assert!(matches!(sensors.take(MARK), Sampled::Seen(_)));
        assert_eq!(sensors.take(0), Sampled::Passed, "and the count begins again");
    }
}
