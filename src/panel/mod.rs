//! The face of a device: its keys and lamps, and the lamp test all devices share.
//!
//! The gaming-day check (CM-05, RD-09) begins with lamps that can be seen to work. The
//! [lamp test](lamp_test) blinks every lamp together, which no answer ever does, so it
//! cannot be taken for a verdict, a verdict for it, or an 8 for a start number (PG-20).

pub mod debounce;
pub mod lamp_test;
pub mod lamps;

pub use debounce::{Debounce, KeyEvent};
pub use lamp_test::LampTest;
