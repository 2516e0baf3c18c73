//! Which machine it is: its wheel, and what the rules call it.

use super::card_path::wheel::Wheel;
use crate::profile::ShufflerKind;

/// The three reference machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Model {
    /// One deck a batch.
    SingleDeck,
    /// Up to eight decks a batch.
    MultiDeck,
    /// One batch that circulates.
    Continuous,
}

impl Model {
    /// The number, depth and speed of its slots.
    pub const fn wheel(self) -> Wheel {
        match self {
            Self::SingleDeck => Wheel::SINGLE_DECK,
            Self::MultiDeck => Wheel::MULTI_DECK,
            Self::Continuous => Wheel::CONTINUOUS,
        }
    }

    /// What the rules call it.
    pub const fn kind(self) -> ShufflerKind {
        match self {
            Self::SingleDeck | Self::MultiDeck => ShufflerKind::Batch,
            Self::Continuous => ShufflerKind::Continuous,
        }
    }
}
