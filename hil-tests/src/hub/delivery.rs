//! Frames on their way to a receiver: delayed, or held until another overtakes.

use std::collections::BTreeMap;
use std::time::Duration;

use croupier::protocol::framing::can::Frame;

use super::faults::HOLD;
use super::seat::Place;

/// When, and as which of those due at the same time.
type Turn = (Duration, u64);

/// Everything that has left the bus and not yet arrived.
#[derive(Default)]
pub(super) struct Deliveries {
    turns: BTreeMap<Turn, (Place, Frame)>,
    held: Vec<(Place, Turn)>,
    count: u64,
}

impl Deliveries {
    /// `frame` will reach `to` at `due`, overtaking what is held for it.
    pub(super) fn push(&mut self, to: Place, frame: Frame, due: Duration) {
        self.insert(to, frame, due);
        let (overtaken, held) = self.held.drain(..).partition(|(place, _)| *place == to);
        self.held = held;
        let overtaken: Vec<(Place, Turn)> = overtaken;
        for (_, turn) in overtaken {
            if let Some((place, frame)) = self.turns.remove(&turn) {
                self.insert(place, frame, due);
            }
        }
    }

    /// `frame` will reach `to` after the next one that does.
    pub(super) fn hold(&mut self, to: Place, frame: Frame, due: Duration) {
        let turn = self.insert(to, frame, due + HOLD);
        self.held.push((to, turn));
    }

    fn insert(&mut self, to: Place, frame: Frame, due: Duration) -> Turn {
        let turn = (due, self.count);
        self.count += 1;
        self.turns.insert(turn, (to, frame));
        turn
    }

    /// The next that has arrived by `now`.
    pub(super) fn pop(&mut self, now: Duration) -> Option<(Place, Frame)> {
        let first = self.turns.first_entry().filter(|first| first.key().0 <= now)?;
        let turn = *first.key();
        self.held.retain(|(_, held)| *held != turn);
        Some(first.remove())
    }

    /// When the next arrives.
    pub(super) fn next(&self) -> Option<Duration> {
        self.turns.first_key_value().map(|((due, _), _)| *due)
    }

    /// `place` is gone; nothing arrives there any more.
    pub(super) fn forget(&mut self, place: Place) {
        self.turns.retain(|_, (to, _)| *to != place);
        self.held.retain(|(to, _)| *to != place);
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::extended;
    use super::*;

    fn frame(number: u8) -> Frame {
        extended(1, &[number]).unwrap()
    }

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    fn arrived(deliveries: &mut Deliveries, now: Duration) -> Vec<(Place, u8)> {
        std::iter::from_fn(|| deliveries.pop(now)).map(|(to, f)| (to, f.data()[0])).collect()
    }

    #[test]
    fn a_held_frame_comes_right_after_the_one_that_overtakes_it() {
        let mut deliveries = Deliveries::default();
        deliveries.hold(1, frame(1), ms(0));
        deliveries.push(2, frame(9), ms(1));
        assert_eq!(arrived(&mut deliveries, ms(1)), [(2, 9)], "another receiver's frame is none");
        deliveries.push(1, frame(2), ms(2));
        deliveries.push(1, frame(3), ms(2));
        assert_eq!(arrived(&mut deliveries, ms(2)), [(1, 2), (1, 1), (1, 3)]);
    }

    #[test]
    fn a_held_frame_that_nobody_overtakes_comes_late() {
        let mut deliveries = Deliveries::default();
        deliveries.hold(1, frame(1), ms(0));
        assert_eq!(deliveries.next(), Some(HOLD));
        assert_eq!(arrived(&mut deliveries, HOLD - ms(1)), []);
        assert_eq!(arrived(&mut deliveries, HOLD), [(1, 1)]);
        assert_eq!(deliveries.next(), None);
    }
}
