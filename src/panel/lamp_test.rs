//! The lamp test: while its key is held, every lamp blinks together.
//!
//! All lamps at once is what no answer looks like, and blinking is what no steady
//! fault looks like; so a lamp test cannot be read as either (PG-20, RD-09).

use super::debounce::KeyEvent;
use crate::time::{Instant, Millis};

/// The lamp test of one device.
#[derive(Debug, Clone, Copy, Default)]
pub struct LampTest {
    held_since: Option<Instant>,
}

impl LampTest {
    /// Half a blink: this long lit, this long dark.
    pub const HALF_BLINK: Millis = Millis::new(250);

    /// No key held.
    pub const fn new() -> Self {
        Self { held_since: None }
    }

    /// The test after `event` at `now`.
    pub fn after(self, event: KeyEvent, now: Instant) -> Self {
        match event {
            KeyEvent::Pressed => Self { held_since: Some(now) },
            KeyEvent::Released => Self { held_since: None },
        }
    }

    /// Whether the test rules the lamps now.
    pub fn is_running(self) -> bool {
        self.held_since.is_some()
    }

    /// Whether the lamps are lit at `now`. A test starts lit.
    pub fn is_lit(self, now: Instant) -> bool {
        self.held_since.is_some_and(|since| (now.since(since) / Self::HALF_BLINK).is_multiple_of(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Instant {
        Instant::from_millis(milliseconds)
    }

    /// RD-09, PG-20.
    #[test]
    fn lamps_blink_while_the_key_is_held_and_go_dark_after() {
        let idle = LampTest::new();
        assert!(!idle.is_lit(at(0)));

        let held = idle.after(KeyEvent::Pressed, at(1000));
        assert!(held.is_lit(at(1000)) && held.is_lit(at(1249)));
        assert!(!held.is_lit(at(1250)) && !held.is_lit(at(1499)));
        assert!(held.is_lit(at(1500)));

        let released = held.after(KeyEvent::Released, at(1510));
        assert!(!released.is_lit(at(1510)) && !released.is_running());
    }
}
