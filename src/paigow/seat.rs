//! Which place at the table a number means (PG-12).
//!
//! 1 is the dealer. The betting positions follow counter-clockwise, empty ones too; the
//! stacks then go clockwise, so the numbers fall (588.5(i)(2), 588.8(d)).

use core::num::NonZeroU8;

use super::segments::HIGHEST;
use crate::services::Chosen;

/// How many places the game counts, if it draws one and the table has them all (PG-13).
pub fn positions(chosen: &Chosen) -> Option<NonZeroU8> {
    let numbers = chosen.game.profile().start_numbers()?.rule;
    let fits = numbers.first == 1 && numbers.fits(chosen.seats);
    NonZeroU8::new(numbers.last).filter(|last| fits && *last <= HIGHEST)
}

/// A place at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// The dealer.
    Dealer,
    /// A betting position, counted counter-clockwise from the dealer; the first is 1.
    Position(u8),
}

impl Seat {
    /// The place that `number` means.
    pub const fn of(number: NonZeroU8) -> Self {
        match number.get() {
            1 => Self::Dealer,
            number => Self::Position(number - 1),
        }
    }

    /// The betting position counted clockwise from the dealer's left, as tables are
    /// numbered; `None` for the dealer and where there is no such position.
    pub const fn clockwise(self, positions: u8) -> Option<u8> {
        match self {
            Self::Dealer => None,
            Self::Position(place) => match positions.checked_sub(place) {
                Some(0) | None => None,
                place => place,
            },
        }
    }
}

/// The numbers of all places in the order of the deal, which begins at `number`.
pub fn deal_order(number: NonZeroU8, positions: NonZeroU8) -> impl Iterator<Item = u8> {
    let (number, positions) = (u16::from(number.get()), u16::from(positions.get()));
    (0..positions).map(move |dealt| {
        ((number + positions - 1 - dealt) % positions + 1) as u8 // at most `positions`
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const SEVEN: NonZeroU8 = NonZeroU8::new(7).unwrap();

    fn number(number: u8) -> NonZeroU8 {
        NonZeroU8::new(number).unwrap()
    }

    /// PG-12: the table as a ring, seen from above, clockwise: dealer, then positions 1 to 6
    /// from the dealer's left.
    #[test]
    fn all_seven_numbers_agree_with_the_seat_diagram() {
        let clockwise: Vec<_> = (1..=7).map(|n| Seat::of(number(n)).clockwise(7)).collect();
        let expected = [None, Some(6), Some(5), Some(4), Some(3), Some(2), Some(1)];
        assert_eq!(clockwise, expected);
        assert_eq!(Seat::of(number(7)), Seat::Position(6), "the sixth, counter-clockwise");
    }

    /// PG-12: each next stack goes to the next place clockwise.
    #[test]
    fn stacks_go_clockwise_from_the_number_and_reach_every_place_once() {
        for start in 1..=7 {
            let order: Vec<u8> = deal_order(number(start), SEVEN).collect();
            assert_eq!(order[0], start);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [1, 2, 3, 4, 5, 6, 7]);
            // Places on the ring, clockwise: the dealer is 0, the dealer's left is 1.
            let ring = |n: &u8| Seat::of(number(*n)).clockwise(7).unwrap_or(0);
            let steps = order.windows(2).map(|two| (ring(&two[1]) + 7 - ring(&two[0])) % 7);
            assert!(steps.into_iter().all(|step| step == 1), "{order:?}");
        }
    }
}
