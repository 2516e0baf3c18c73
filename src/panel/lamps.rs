//! Which lamps each device has, by what they say at the table.
//!
//! The number is the lamp's place in the board's lamp row: append, never renumber.

/// The hole-card reader's lamps. A game uses the peek pair or the Masque three (RD-23).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ReaderLamp {
    /// Masque: 2 to 5 (685a.3(d)(1)).
    Small = 0,
    /// Masque: 6 to 9 (685a.3(d)(2)).
    Medium = 1,
    /// Masque: ten-value or ace (685a.3(d)(3)).
    Large = 2,
    /// Peek: the hand is a Blackjack.
    Blackjack = 3,
    /// Peek: it is not.
    NoBlackjack = 4,
    /// Read again, or the neutral notice of RD-05.
    Notice = 5,
}

/// How many lamps the reader has.
pub const READER_LAMPS: usize = 6;

/// How many lamps the shuffler's tower has: green is ready or working, amber is advice that can
/// wait for the next change, red is stop and the text says what the rule asks for.
pub const SHUFFLER_LAMPS: usize = 3;

/// The Pai Gow display: segments a to g of one digit, and its point.
pub const PAIGOW_SEGMENTS: usize = 8;
