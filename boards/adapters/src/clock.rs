//! The device's clock, on embassy-time.
use croupier::ports::Clock;
use embassy_time::{Instant, Timer};

/// Milliseconds since the time driver started.
pub struct DeviceClock;

impl Clock for DeviceClock {
    #[inline(never)] // a long division, wanted in dozens of places
    fn now_ms(&self) -> u64 {
        Instant::now().as_millis()
    }

    fn wait_until(&mut self, at: u64) -> impl Future<Output = ()> {
        Timer::at(Instant::from_millis(at))
    }

    fn wait_for(&mut self, ms: u64) -> impl Future<Output = ()> {
        Timer::after_millis(ms)
    }
}
