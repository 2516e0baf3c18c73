//! The optical world: what the reader's scan head sees of a card, at a real table.
//!
//! | file | says |
//! |---|---|
//! | [`level`] | how bad the world may be: every disturbance, its unit, nominal and harsh |
//! | [`disturbance`] | one read's share of it, drawn from a seed |
//! | [`face`] | what is printed in a card's corner, as reflectance, ready to be seen blurred |
//! | [`pose`] | where the card lies: place, turn, curl, bent corner, motion |
//! | [`marks`] | what lies on card or window: lint, ash, smears, scratches |
//! | [`light`] | the two banks, glare, and the room's light that leaks in and flickers |
//! | [`sensor`] | pixels, noise, exposure, the reference strip |
//! | [`camera`] | all of it together: nine frames of one card |
//! | [`stranger`] | what a reader must refuse |
//! | [`film`] | a capture as bytes, as the monitor reads them |
//! | [`peer`] | the plain matcher that ours is measured against |
//!
//! Lengths are in millimetres, angles in radians, light in parts of what good card stock
//! sends back under one bank. The same seed gives the same frames, on any number of cores.

pub mod camera;
pub mod disturbance;
pub mod face;
pub mod film;
pub mod level;
pub mod light;
pub mod marks;
pub mod peer;
pub mod pose;
pub mod sensor;
pub mod stranger;

pub use camera::{Scene, capture};
pub use disturbance::Disturbance;
pub use face::{Face, Raster};
pub use level::Level;
pub use stranger::Stranger;

/// A point or a direction on card or window: across, down.
pub type Point = (f32, f32);
