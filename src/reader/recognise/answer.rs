//! The only words recognition has: the permitted answer, and nothing that ranks a card.
//!
//! A [`Judgement`] cannot hold a rank, a score or a reason that differs between cards of one
//! class (RD-01, RD-20). What a card looked like stays in frames that are wiped.

use super::frame::{Capture, Frame};

/// What the rules allow to be asked about the hole card: one of these, once a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Question {
    /// Is it an ace? (Peek under a ten-value card.)
    Ace,
    /// Is it a ten-value card? (Peek under an ace.)
    TenValue,
    /// Which range is it in? (Masque.)
    Range,
}

/// The permitted answers. A peek gets `Yes` or `No`, a Masque read a range; both may get `CannotRead`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Answer {
    /// It is what was asked for.
    Yes,
    /// It is not.
    No,
    /// 2 to 5.
    Small,
    /// 6 to 9.
    Medium,
    /// 10, jack, queen, king or ace.
    Large,
    /// No card of the taught brand lies there clearly enough: never a guess.
    CannotRead,
}

/// The outcome of one read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// The answer to the question.
    pub answer: Answer,
    /// The rank is one that this game's deck has not. Published only when the round is over
    /// (RD-17).
    pub foreign: bool,
}

impl Judgement {
    /// No answer.
    pub const CANNOT_READ: Self = Self { answer: Answer::CannotRead, foreign: false };
}

/// How much of the factory's white still comes back through the window, per hundred, for advice.
pub const ADVISE_PERCENT: u16 = 85;
/// The same, for taking the reader out of service.
pub const SERVICE_PERCENT: u16 = 70;

/// The state of window and lamps, from the reference strip: nothing of the card is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Window {
    /// Good.
    Clean,
    /// Below [`ADVISE_PERCENT`]: "clean the window".
    Dirty,
    /// Below [`SERVICE_PERCENT`], or a bank dark: out of service.
    Unusable,
}

impl Window {
    /// Judges the worst bank of the worst set against the white that the factory measured.
    pub fn of(capture: &Capture, factory_white: u8) -> Self {
        let lit = |lamp: &Frame, dark: &Frame| {
            u16::from(lamp.strip.white.saturating_sub(dark.strip.white))
        };
        let white = capture
            .sets
            .iter()
            .map(|set| lit(&set.left, &set.dark).min(lit(&set.right, &set.dark)))
            .min()
            .unwrap_or(0);
        let factory = u16::from(factory_white.max(1));
        match white * 100 {
            level if level < SERVICE_PERCENT * factory => Self::Unusable,
            level if level < ADVISE_PERCENT * factory => Self::Dirty,
            _ => Self::Clean,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RD-09: advice below 85 of a hundred, out of service below 70, and the worst exposure counts.
    #[test]
    fn a_window_is_as_good_as_its_worst_bank_in_its_worst_set() {
        let judged = |left: u8, right: u8, dark: u8| {
            let mut capture = Capture::new();
            for set in &mut capture.sets {
                (set.left.strip.white, set.right.strip.white) = (200 + dark, 200 + dark);
                set.dark.strip.white = dark;
            }
            capture.sets[1].left.strip.white = left;
            capture.sets[2].right.strip.white = right;
            Window::of(&capture, 200)
        };
        assert_eq!(judged(170, 200, 0), Window::Clean);
        assert_eq!(judged(200, 169, 0), Window::Dirty);
        assert_eq!(judged(140, 170, 0), Window::Dirty);
        assert_eq!(judged(200, 139, 0), Window::Unusable);
        assert_eq!(judged(0, 200, 0), Window::Unusable);
        // Light from the room is no light of the lamps.
        assert_eq!(judged(170, 255, 30), Window::Dirty);
    }
}
