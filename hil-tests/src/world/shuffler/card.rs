//! Cards as things: each one itself, with a back, a side that lies up, and wear.

use croupier::cards::BackColour;
use croupier::shuffler::event::Back;

/// A card's number in its world, never used twice.
pub type CardId = u16;

/// One card. What is printed on its face is not modelled: no machine here looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// What lies up when it lies as it should.
    pub back: Back,
    /// It lies face up.
    pub face_up: bool,
    /// How worn it is, from 0 to 1: worn cards let more light through and cling.
    pub wear: f32,
}

impl Card {
    /// A fresh card of a batch.
    pub fn new(colour: BackColour) -> Self {
        Self { back: Back::Colour(colour), face_up: false, wear: 0.0 }
    }

    /// A cover card.
    pub fn cover() -> Self {
        Self { back: Back::Cover, face_up: false, wear: 0.0 }
    }

    /// What an eye above it sees.
    pub fn looks(&self) -> Back {
        if self.face_up { Back::FaceUp } else { self.back }
    }

    /// Light that comes through it, per cent.
    pub fn light(&self) -> f32 {
        45.0 + 5.0 * self.wear
    }
}

/// A whole deck or batch in the order of a new pack.
pub fn pack(count: usize, colour: BackColour) -> Vec<Card> {
    vec![Card::new(colour); count]
}
