//! Cards as the devices' rules see them: classes first, faces last.
//!
//! A device that learns a rank must not publish it (RD-20, CM-10). So nothing here that can hold a
//! card's face implements `defmt::Format` or `Display`: a rank that cannot be formatted cannot
//! reach a log or a wire by accident. `Debug` is for host tests.
//!
//! ```compile_fail
//! println!("{}", croupier::cards::Rank::Ace); // No rank has words.
//! ```

/// The thirteen ranks. Ordered nowhere: an ace is high, low or neither, by the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// Ace, `A`.
    Ace,
    /// `2`.
    Two,
    /// `3`.
    Three,
    /// `4`.
    Four,
    /// `5`.
    Five,
    /// `6`.
    Six,
    /// `7`.
    Seven,
    /// `8`.
    Eight,
    /// `9`.
    Nine,
    /// `10`, which a deck of game 581 does not have.
    Ten,
    /// Jack, `J`.
    Jack,
    /// Queen, `Q`.
    Queen,
    /// King, `K`.
    King,
}

impl Rank {
    /// Every rank, ace first: the order of a new deck.
    pub const ALL: [Self; 13] = [
        Self::Ace,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
    ];

    /// All that a peek may depend on (RD-01): ace, ten-value, or neither.
    pub const fn peek_class(self) -> PeekClass {
        match self {
            Self::Ace => PeekClass::Ace,
            Self::Ten | Self::Jack | Self::Queen | Self::King => PeekClass::TenValue,
            _ => PeekClass::Other,
        }
    }

    /// Whether this is an ace.
    pub const fn is_ace(self) -> bool {
        matches!(self, Self::Ace)
    }

    /// Whether this counts ten: 10, jack, queen or king.
    pub const fn is_ten_value(self) -> bool {
        matches!(self.peek_class(), PeekClass::TenValue)
    }

    /// The range that a Masque reader shows. An ace is Large, whatever it counts in play (RD-02).
    pub const fn size(self) -> Size {
        match self {
            Self::Two | Self::Three | Self::Four | Self::Five => Size::Small,
            Self::Six | Self::Seven | Self::Eight | Self::Nine => Size::Medium,
            Self::Ten | Self::Jack | Self::Queen | Self::King | Self::Ace => Size::Large,
        }
    }
}

/// The four suits. No rule of any device depends on one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suit {
    /// Clubs.
    Clubs,
    /// Diamonds.
    Diamonds,
    /// Hearts.
    Hearts,
    /// Spades.
    Spades,
}

impl Suit {
    /// Every suit.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];
}

/// One card's face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Card {
    /// An ordinary card.
    Ranked(Rank, Suit),
    /// A joker, which only game 588 plays with.
    Joker,
}

impl Card {
    /// The rank; a joker has none.
    pub const fn rank(self) -> Option<Rank> {
        match self {
            Self::Ranked(rank, _) => Some(rank),
            Self::Joker => None,
        }
    }
}

/// A card's part in a Blackjack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeekClass {
    /// An ace.
    Ace,
    /// 10, jack, queen or king.
    TenValue,
    /// Anything else: such a card is in no Blackjack.
    Other,
}

impl PeekClass {
    /// Whether the two make a Blackjack: one ace and one ten-value card, and nothing else (RD-06).
    pub const fn makes_blackjack_with(self, other: Self) -> bool {
        matches!((self, other), (Self::Ace, Self::TenValue) | (Self::TenValue, Self::Ace))
    }
}

/// The value range of a hole card in game 685a.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// 2 to 5.
    Small,
    /// 6 to 9.
    Medium,
    /// 10, jack, queen, king and ace.
    Large,
}

impl Size {
    /// Every range, smallest first, as the layout's boxes stand.
    pub const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// The one lamp that says so (685a.3(d)).
    pub const fn lamp(self) -> Lamp {
        match self {
            Self::Small => Lamp::Blue,
            Self::Medium => Lamp::Red,
            Self::Large => Lamp::Yellow,
        }
    }

    /// The words of the layout's box, so that colour is not the only cue (RD-16).
    pub const fn legend(self) -> &'static str {
        match self {
            Self::Small => "Small 2-3-4-5",
            Self::Medium => "Medium 6-7-8-9",
            Self::Large => "Large 10-J-Q-K-A",
        }
    }
}

/// A lamp of the Masque reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lamp {
    /// Small.
    Blue,
    /// Medium.
    Red,
    /// Large.
    Yellow,
}

/// The two back colours of a pair of batches. The backs are visible at the table, so this may be
/// logged.
///
/// The number is kept in flash and sent: append new ones, never renumber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum BackColour {
    /// The pair's red batch.
    Red = 1,
    /// The pair's blue batch.
    Blue = 2,
}

impl BackColour {
    /// The other batch of the pair.
    pub const fn other(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }

    /// The number stored and sent.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The colour that `code` stands for.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::Red),
            2 => Some(Self::Blue),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACES_AND_TENS: [Rank; 5] = [Rank::Ace, Rank::Ten, Rank::Jack, Rank::Queen, Rank::King];

    // RD-02.
    #[test]
    fn masque_ranges_are_the_layouts_boxes_and_an_ace_is_large() {
        let boxes = [
            (Size::Small, Lamp::Blue, 1..5),
            (Size::Medium, Lamp::Red, 5..9),
            (Size::Large, Lamp::Yellow, 9..13),
        ];
        for (size, lamp, ranks) in boxes {
            assert_eq!(size.lamp(), lamp);
            for rank in &Rank::ALL[ranks] {
                assert_eq!(rank.size(), size, "{rank:?}");
            }
        }
        assert_eq!(Rank::Ace.size(), Size::Large);
    }

    // RD-16.
    #[test]
    fn masque_legends_are_the_layouts_words() {
        let words = ["Small 2-3-4-5", "Medium 6-7-8-9", "Large 10-J-Q-K-A"];
        assert_eq!(Size::ALL.map(Size::legend), words);
    }

    // RD-01, RD-06: all 169 pairs, so A-A, K-Q, 10-10 and J-10 are misses like A-5.
    #[test]
    fn blackjack_is_one_ace_and_one_ten_value_card_and_nothing_else() {
        for up in Rank::ALL {
            for hole in Rank::ALL {
                let pair = [up, hole];
                let blackjack = pair.iter().all(|rank| ACES_AND_TENS.contains(rank))
                    && pair.iter().filter(|rank| **rank == Rank::Ace).count() == 1;
                let answer = up.peek_class().makes_blackjack_with(hole.peek_class());
                assert_eq!(answer, blackjack, "{up:?} up, {hole:?} in the hole");
            }
        }
    }

    #[test]
    fn aces_and_ten_values_are_apart() {
        for rank in Rank::ALL {
            assert_eq!(rank.is_ace(), rank == Rank::Ace);
            assert_eq!(rank.is_ten_value(), ACES_AND_TENS[1..].contains(&rank), "{rank:?}");
        }
    }

    #[test]
    fn a_joker_has_no_rank() {
        assert_eq!(Card::Joker.rank(), None);
        assert_eq!(Card::Ranked(Rank::Nine, Suit::Hearts).rank(), Some(Rank::Nine));
    }

    #[test]
    fn each_back_colour_is_the_others_other_and_keeps_its_code() {
        for (code, colour) in [(1, BackColour::Red), (2, BackColour::Blue)] {
            assert_eq!(colour.code(), code);
            assert_eq!(BackColour::from_code(code), Some(colour));
            assert_ne!(colour.other(), colour);
            assert_eq!(colour.other().other(), colour);
        }
        assert_eq!(BackColour::from_code(0), None);
        assert_eq!(BackColour::from_code(0xFF), None);
    }
}
