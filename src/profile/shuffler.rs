//! What binds a shuffler.
//!
//! Only four games make the machine show its count, and only four let a stored batch be dealt
//! after an idle hour: both are here so that the machine need not know which.

use super::{Clause, NextStep, Ruled};

/// The two ways a shuffler works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ShufflerKind {
    /// Whole batches, one stored while the other plays.
    Batch,
    /// One batch that circulates.
    Continuous,
}

/// The rules on the shuffler of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ShufflerRules {
    /// When the cards are shuffled, apart from the start and a floorperson's word.
    pub shuffle_after: Ruled<ShuffleAfter>,
    /// The clause on counting after each completed shuffle and showing whether all are there.
    pub count_shown: Option<Clause>,
    /// What a wrong count demands.
    pub wrong_count: WrongCount,
    /// What becomes of a stored batch at an idle table.
    pub idle_batch: Ruled<IdleBatch>,
    /// What an approved machine that reshuffles and counts switches off.
    pub relief: Ruled<Relief>,
    /// What a jam, or a cycle that was not completed, demands.
    pub jam: Ruled<NextStep>,
    /// What a machine that cannot be used demands.
    pub unusable: Ruled<NextStep>,
}

/// When cards are shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ShuffleAfter {
    /// After each shoe.
    Shoe,
    /// After each round.
    Round,
}

/// What a wrong count demands. The deck leaves the table either way (SH-08).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum WrongCount {
    /// The game's own clause says so.
    Said(Clause),
    /// The game has no clause: done by analogy with this one, and a message must say so.
    ByAnalogy(Clause),
}

impl WrongCount {
    /// What the table does next.
    pub const fn next_step(self) -> NextStep {
        NextStep::RemoveDeck
    }

    /// The clause, the game's own or the one it borrows.
    pub const fn clause(self) -> Clause {
        match self {
            Self::Said(clause) | Self::ByAnalogy(clause) => clause,
        }
    }
}

/// What becomes of a batch stored in the machine while a table stood idle (SH-25).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum IdleBatch {
    /// It is spread for inspection and shuffled again.
    SpreadAndReshuffle,
    /// It may be dealt as it is, if it was the only one inside and secure, and no player objects.
    UsableIfSingleAndSecure,
}

/// What an approved machine that reshuffles and counts switches off (SH-12).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Relief {
    /// Subsections (b) to (g): everything but the duty to shuffle.
    AllButShuffling,
    /// Subsections (d) to (f): cut, recut and idle spread. The count in (b) still binds.
    CutRecutAndIdle,
}

impl Relief {
    /// The subsections switched off, as the clause names them.
    pub const fn subsections(self) -> &'static str {
        match self {
            Self::AllButShuffling => "(b)-(g)",
            Self::CutRecutAndIdle => "(d)-(f)",
        }
    }
}
