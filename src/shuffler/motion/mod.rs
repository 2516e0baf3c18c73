//! The wheel's motor, behind a motion controller on a UART.
//!
//! The controller (a TMC5160 or one like it) makes the ramps, watches the home flag and
//! notices a stall by itself; here it is set up, sent to places and not believed: every
//! write is counted back, every answer checked, and each time the wheel passes its home
//! flag the place must be the one the steps say (a lost step would put cards into the
//! wrong slots, and no count would show it).
//!
//! Written by hand because the published drivers for this family either speak SPI or know
//! the smaller chips without a ramp generator; one of those checks our datagrams in tests.
//!
//! | file | says |
//! |---|---|
//! | [`wheel_drive`] | the wheel as the rules know it: home, slot to slot |
//! | [`rollers`] | the card path beside the wheel: outputs and beams |
//! | [`sensors`] | what the beams, contacts and the eye say, in one word |
//! | [`motion_profile`] | how fast and how hard the wheel turns |

pub mod motion_profile;
pub mod rollers;
pub mod sensors;
pub mod wheel_drive;

pub use motion_profile::MotionProfile;
pub use rollers::{Inputs, Outputs, Rollers};
pub use sensors::{Sampled, Sensors};
pub use wheel_drive::WheelDrive;
