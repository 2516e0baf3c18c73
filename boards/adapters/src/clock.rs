//! The device's clock, on embassy-time: the one place where the two kinds of time meet.
use croupier::ports::Clock;
use croupier::time::{Instant, Millis};
use embassy_time::Timer;

/// Counts from the start of the time driver.
pub struct DeviceClock;

impl Clock for DeviceClock {
    #[inline(never)] // a long division, wanted in dozens of places
    fn now(&self) -> Instant {
        Instant::from_millis(embassy_time::Instant::now().as_millis())
    }

    fn wait_until(&mut self, at: Instant) -> impl Future<Output = ()> {
        Timer::at(embassy_time::Instant::from_millis(at.as_millis()))
    }

    fn wait_for(&mut self, length: Millis) -> impl Future<Output = ()> {
        Timer::after_millis(length.get())
    }
}
