//! A guest in step with the world around it: each waits for the other.
//!
//! The monitor raises a pin at every millisecond of the device's time and holds the device
//! and its clock. The world receives it in the stream that carries all pins, so it has received
//! first what the outputs did in that millisecond; when it has come as far and has set the
//! inputs, it lets the guest go on. A busy host makes both wait, and neither late.

use std::sync::Arc;
use std::time::Duration;

use super::hand::GuestHand;
use super::qtest::ChipPin;
use crate::error::Result;
use crate::wait::{Waited, Watched};

/// The word to the monitor.
pub(super) const ARGUMENT: (&str, &str) = ("step", "world");
/// The pin that rises at the end of a step: PD15.
pub(super) const PIN: ChipPin = ChipPin { port: 3, number: 15 };
/// The interrupt that makes the monitor look into its inbox: TSC, which nothing else raises.
pub(super) const INTERRUPT: u8 = 77;
/// What guest and world go on by.
pub const STEP: Duration = Duration::from_millis(1);

/// How many steps a guest has come to the end of.
pub(super) type Count = Arc<Watched<u64>>;

/// The steps of one guest, for the world beside it.
#[derive(Clone)]
pub struct Steps {
    pub(super) count: Count,
    pub(super) hand: Arc<GuestHand>,
}

impl Steps {
    /// How many there were so far.
    pub fn so_far(&self) -> u64 {
        self.count.look(|count| *count)
    }

    /// Waits for the end of the first step after `seen` of them.
    pub fn after(&self, seen: u64, within: Duration) -> Waited<u64> {
        self.count.wait(within, |count| (*count > seen).then_some(*count))
    }

    /// Hands the guest what its links' users have written, and lets it go on, one step.
    pub fn go_on(&self) -> Result<()> {
        self.hand.let_go_on()
    }
}
