//! The mechanism's motors and sensors: the wheel, and the card path beside it.
//!
//! The wheel turns by a motion controller ([`tmc5160`](crate::drivers::tmc5160)); a lost step
//! would put cards into the wrong slots, and no count would show it, so each time the wheel
//! passes its home flag the place must be the one the steps say. Rollers, ejector and diverter
//! are outputs; beams and contacts come through a chain of registers
//! ([`hc165`](crate::drivers::hc165)), or on pins of their own.
//!
//! | file | says |
//! |---|---|
//! | [`wheel_drive`] | the wheel as the rules know it: home, slot to slot |
//! | [`motion_profile`] | how fast and how hard the wheel turns |
//! | [`rollers`] | the card path beside the wheel: outputs and beams |
//! | [`sensors`] | what the beams, contacts and the eye say, in one word |

pub mod motion_profile;
pub mod rollers;
pub mod sensors;
pub mod wheel_drive;

pub use rollers::{Inputs, Outputs, Rollers};
pub use sensors::{Sampled, Sensors};
pub use wheel_drive::WheelDrive;
