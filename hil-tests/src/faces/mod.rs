//! Evaluating a brand of cards: from its artwork to whether a reader may be taught it.
//!
//! | file | says |
//! |---|---|
//! | [`artwork`] | a picture file, and the corners of a card in it |
//! | [`naming`] | which card a file's name means, and the other way |
//! | [`deck`] | a brand's 52 faces at both ends, from a folder or a sheet |
//! | [`plain`] | brands of our own: plain indices in a font |
//! | [`catalogue`] | the brands there are |
//! | [`debian`] | artwork and fonts that Debian has, fetched without root |
//! | [`trial`] | taught, proven, and read under seeded troubles |
//! | [`tally`] | counts by class, with 95 % bounds |
//! | [`evaluation`] | all of that for one brand |
//! | [`verdict`] | whether it may be approved, and every reason why not |
//! | [`report`], [`pictures`] | what was found: text, a page, the worst cases |
//! | [`problem`] | what can be wrong with artwork, each in one sentence |
//!
//! Nothing of a brand's artwork is kept: it is rendered when it is asked for.

pub mod artwork;
pub mod catalogue;
pub mod debian;
pub mod deck;
pub mod evaluation;
pub mod naming;
pub mod pictures;
pub mod plain;
pub mod problem;
pub mod report;
pub mod tally;
pub mod trial;
pub mod verdict;

pub use deck::{Deck, Face52};
pub use problem::{Problem, Result};
