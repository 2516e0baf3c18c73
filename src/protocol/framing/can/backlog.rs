//! Frames between a CAN controller and its reader, counted: how many wait, how many were lost.
//!
//! A driver that queues frames in its interrupt drops one that finds the queue full, and says
//! nothing; the controller drops one that finds its own three places full, and sets a flag.
//! Either shows a device that was too long about something else, so both are counted here.

/// The count for a queue of `PLACES` frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog<const PLACES: u32> {
    waiting: u32,
    lost: u32,
}

impl<const PLACES: u32> Backlog<PLACES> {
    /// Nothing came yet.
    pub const fn new() -> Self {
        Self { waiting: 0, lost: 0 }
    }

    /// `frames` go from the controller to the queue; `overrun` when the controller had to drop
    /// at least one before.
    pub fn arrive(&mut self, frames: u32, overrun: bool) {
        let waiting = self.waiting.saturating_add(frames);
        let dropped = waiting.saturating_sub(PLACES);
        self.waiting = waiting - dropped;
        self.lost = self.lost.saturating_add(dropped).saturating_add(u32::from(overrun));
    }

    /// The reader took a frame from the queue.
    pub fn take(&mut self) {
        self.waiting = self.waiting.saturating_sub(1);
    }

    /// The reader found the queue empty: a frame that came between two looks at the controller
    /// was not counted, and must not be carried on for ever.
    pub fn is_empty_now(&mut self) {
        self.waiting = 0;
    }

    /// Frames lost since the start, at the least.
    pub const fn lost(&self) -> u32 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_the_queue_full_is_lost() {
        let mut backlog = Backlog::<4>::new();
        backlog.arrive(3, false);
        backlog.arrive(1, false);
        assert_eq!(backlog.lost(), 0, "four have room");
        backlog.arrive(3, false);
        assert_eq!(backlog.lost(), 3);
        backlog.take();
        backlog.arrive(2, false);
        assert_eq!(backlog.lost(), 4, "one had room");
    }

    #[test]
    fn what_the_controller_dropped_is_lost_too() {
        let mut backlog = Backlog::<4>::new();
        backlog.arrive(3, true);
        assert_eq!(backlog.lost(), 1);
    }

    #[test]
    fn an_empty_queue_ends_every_miscount() {
        let mut backlog = Backlog::<4>::new();
        for _ in 0..100 {
            backlog.arrive(2, false);
            backlog.take(); // the other was taken before it was counted
            backlog.is_empty_now();
        }
        assert_eq!(backlog.lost(), 0);
        let mut full = Backlog::<4> { waiting: 4, lost: u32::MAX };
        full.arrive(1, true);
        assert_eq!(full.lost(), u32::MAX);
    }
}
