//! The chute: what waits there for the dealer, by count and by contact.
//!
//! Two cards can leave the exit as one. Once the first of them is drawn, the count says that
//! the chute is empty and the contact says that it is not. Then the count is not valid any
//! more, and no further card is dealt (SH-19).

use super::CHUTE;
use crate::shuffler::card_path::event::{Beam, Event};
use crate::shuffler::fault::Fault;
use crate::time::{Instant, Millis};

/// A card that falls into the chute or is drawn from it may lie on the contact so long.
const SETTLES: Millis = Millis::new(200);

/// The chute.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chute {
    cards: u16,
    loaded: bool,
    /// Since when the contact feels a card that was not counted.
    doubtful: Option<Instant>,
    /// A card was drawn where none should have been.
    overdrawn: bool,
}

impl Chute {
    /// An empty chute.
    pub(super) const fn new() -> Self {
        Self { cards: 0, loaded: false, doubtful: None, overdrawn: false }
    }

    /// The cards in it, as counted.
    pub(super) const fn cards(&self) -> u16 {
        self.cards
    }

    /// A card left the exit for the chute.
    pub(super) fn fill(&mut self) {
        self.cards += 1;
        self.doubtful = None;
    }

    /// Whether this event is a card that was drawn, which is counted then.
    pub(super) fn is_drawn(&mut self, event: Event) -> bool {
        if event != Event::Beam(Beam::Draw, false) {
            return false;
        }
        match self.cards.checked_sub(1) {
            Some(left) => self.cards = left,
            None => self.overdrawn = true,
        }
        !self.overdrawn
    }

    /// The contact changed.
    pub(super) fn contact_changed(&mut self, loaded: bool) {
        self.loaded = loaded;
    }

    /// Whether another card may come.
    pub(super) const fn has_room(&self) -> bool {
        self.cards < CHUTE && (self.cards > 0 || !self.loaded)
    }

    /// Whether count and contact agree, or may still come to agree.
    pub(super) fn check(&mut self, now: Instant) -> Result<(), Fault> {
        if self.cards > 0 || !self.loaded {
            self.doubtful = None;
        }
        let doubtful = self.loaded && self.cards == 0;
        let since = doubtful.then(|| *self.doubtful.get_or_insert(now));
        let settled = since.is_some_and(|since| since + SETTLES <= now);
        if self.overdrawn || settled { Err(Fault::CountNotValid) } else { Ok(()) }
    }

    /// When it must be checked next.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.doubtful.map(|since| since + SETTLES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWN: Event = Event::Beam(Beam::Draw, false);

    fn at(ms: u64) -> Instant {
        Instant::from_millis(ms)
    }

    /// SH-19: a card that stays behind when the counted one was drawn ends the dealing.
    #[test]
    fn a_card_that_was_not_counted_is_noticed_once_the_counted_one_is_drawn() {
        let mut chute = Chute::new();
        chute.contact_changed(true);
        assert_eq!(chute.check(at(0)), Ok(()), "it falls in before its count");
        chute.fill();
        assert_eq!((chute.check(at(5_000)), chute.deadline()), (Ok(()), None));
        assert!(chute.is_drawn(DRAWN) && !chute.has_room());
        assert_eq!(chute.check(at(6_000)), Ok(()));
        assert_eq!(chute.deadline(), Some(at(6_200)));
        assert_eq!(chute.check(at(6_199)), Ok(()));
        assert_eq!(chute.check(at(6_200)), Err(Fault::CountNotValid));

        let mut drawn = Chute::new();
        drawn.contact_changed(true);
        drawn.fill();
        assert!(drawn.is_drawn(DRAWN));
        assert_eq!(drawn.check(at(0)), Ok(()));
        drawn.contact_changed(false);
        assert_eq!((drawn.check(at(900)), drawn.has_room()), (Ok(()), true), "as it should be");
    }

    /// SH-19.
    #[test]
    fn a_draw_from_an_empty_chute_is_no_count() {
        let mut chute = Chute::new();
        assert!(!chute.is_drawn(Event::Beam(Beam::Draw, true)), "a hand in the beam");
        assert_eq!(chute.check(at(0)), Ok(()));
        assert!(!chute.is_drawn(DRAWN));
        assert_eq!(chute.check(at(0)), Err(Fault::CountNotValid));
    }
}
