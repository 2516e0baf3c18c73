//! A key's contacts bounce; a press is one event.
//!
//! Time is handed in. A level counts once it has been steady for the
//! settling time, so a key storm (CM-12) becomes presses that a hand could have made.

use crate::time::{Instant, Millis};

/// What a hand did to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyEvent {
    /// Down, and settled.
    Pressed,
    /// Up, and settled.
    Released,
}

/// One key's contacts.
#[derive(Debug, Clone, Copy)]
pub struct Debounce {
    settled_down: bool,
    /// The level that is not settled yet, and since when it has been steady.
    moving: Option<Instant>,
}

impl Debounce {
    /// How long contacts must be steady.
    pub const SETTLE: Millis = Millis::new(15);

    /// A key that is up.
    pub const fn new() -> Self {
        Self { settled_down: false, moving: None }
    }

    /// Takes the contacts' level at `now`; answers when a press or release has settled.
    pub fn sample(&mut self, down: bool, now: Instant) -> Option<KeyEvent> {
        if down == self.settled_down {
            self.moving = None;
            return None;
        }
        let since = *self.moving.get_or_insert(now);
        if now.since(since) < Self::SETTLE {
            return None;
        }
        self.moving = None;
        self.settled_down = down;
        Some(if down { KeyEvent::Pressed } else { KeyEvent::Released })
    }
}

impl Default for Debounce {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Instant {
        Instant::from_millis(milliseconds)
    }

    #[test]
    fn a_press_counts_after_it_has_settled() {
        let mut key = Debounce::new();
        assert_eq!(key.sample(true, at(100)), None);
        assert_eq!(key.sample(true, at(114)), None);
        assert_eq!(key.sample(true, at(115)), Some(KeyEvent::Pressed));
        assert_eq!(key.sample(true, at(116)), None, "one press, one event");
        assert_eq!(key.sample(false, at(200)), None);
        assert_eq!(key.sample(false, at(215)), Some(KeyEvent::Released));
    }

    /// CM-12.
    #[test]
    fn bouncing_contacts_give_one_press() {
        let mut key = Debounce::new();
        let mut events = 0;
        for now in 0..40 {
            events += usize::from(key.sample(now % 3 != 0, at(now)).is_some());
        }
        assert_eq!(events, 0, "never steady for the settling time");
        for now in 40..60 {
            events += usize::from(key.sample(true, at(now)).is_some());
        }
        assert_eq!(events, 1);
    }

    #[test]
    fn a_level_that_falls_back_starts_the_wait_over() {
        let mut key = Debounce::new();
        assert_eq!(key.sample(true, at(0)), None);
        assert_eq!(key.sample(false, at(10)), None);
        assert_eq!(key.sample(true, at(11)), None);
        assert_eq!(key.sample(true, at(25)), None);
        assert_eq!(key.sample(true, at(26)), Some(KeyEvent::Pressed));
    }
}
