//! The nest: when a card is home, when it moved, and when it is gone.
//!
//! A card slides in through the hood's mouth, passes the near edge beam and ends at the
//! far one. Home means: it came that way and in that order, both edge beams are
//! interrupted, the mouth is clear again, and all that for [`HOME_AFTER`]. Whatever comes
//! otherwise (a probe from behind, a half-inserted card, a second one in the mouth) is
//! never read; the nest must be empty for [`EMPTY_AFTER`] before anything is believed again.

use crate::time::{Instant, Millis};

/// How long a card must lie still before it is home.
pub const HOME_AFTER: Millis = Millis::new(60);
/// How long all beams must be clear before the nest is empty.
pub const EMPTY_AFTER: Millis = Millis::new(200);
/// A shorter flicker of a beam is none.
pub const FLICKER: Millis = Millis::new(15);
/// A beam that is interrupted longer without a card at home is broken or blocked.
pub const STUCK_AFTER: Millis = Millis::from_secs(60);

/// Which beams are interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Beams {
    /// Across the hood's mouth.
    pub hood: bool,
    /// At the near edge stop.
    pub near: bool,
    /// At the far edge stop.
    pub far: bool,
}

impl Beams {
    /// Nothing anywhere.
    pub const CLEAR: Self = Self { hood: false, near: false, far: false };
    /// A card that lies home, and nothing else.
    pub const HOME: Self = Self { hood: false, near: true, far: true };

    /// The first interrupted beam: 0 hood, 1 near, 2 far.
    const fn first(self) -> Option<u8> {
        match self {
            Self { hood: true, .. } => Some(0),
            Self { near: true, .. } => Some(1),
            Self { far: true, .. } => Some(2),
            _ => None,
        }
    }
}

/// What happened in the nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NestEvent {
    /// A card is home.
    Home,
    /// The card at home has moved, or something else came in.
    Moved,
    /// A card lay home when the power came on. It did not come as a card does.
    Found,
    /// The nest is empty again after a card lay there.
    Left,
    /// This beam stays interrupted: 0 hood, 1 near, 2 far.
    Stuck(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing was sampled yet.
    Unknown,
    Empty,
    /// A card lay home when the power came on: never read, and no broken beam either.
    Found,
    /// Something came through the mouth.
    Coming,
    Home,
    /// It was home and is going.
    Going,
    /// Something is inside that did not come as a card does.
    Disorder,
}

/// What is known of the nest.
#[derive(Debug, Clone, Copy)]
pub struct Nest {
    place: Place,
    /// The beams as last sampled, and since when they have been so.
    beams: Beams,
    since: Instant,
    /// Since when not all beams have been clear.
    busy: Option<Instant>,
    reported_stuck: bool,
}

impl Nest {
    /// A nest before its first sample.
    pub const fn new() -> Self {
        Self {
            place: Place::Unknown,
            beams: Beams::CLEAR,
            since: Instant::START,
            busy: None,
            reported_stuck: false,
        }
    }

    /// Whether a card is home.
    pub fn is_home(&self) -> bool {
        self.place == Place::Home
    }

    /// Whether nothing is inside.
    pub fn is_empty(&self) -> bool {
        self.place == Place::Empty
    }

    /// Takes the beams as they are at `now`.
    pub fn sample(&mut self, beams: Beams, now: Instant) -> Option<NestEvent> {
        if beams != self.beams {
            (self.beams, self.since) = (beams, now);
        }
        let steady = now.since(self.since);
        if self.place == Place::Unknown {
            self.place = if beams == Beams::HOME { Place::Found } else { Place::Empty };
            self.busy = Some(now);
            return (self.place == Place::Found).then_some(NestEvent::Found);
        }
        if beams == Beams::CLEAR {
            self.busy = None;
            return self.clear_for(steady);
        }
        let busy = now.since(*self.busy.get_or_insert(now));
        let event = self.interrupted(steady);
        if event.is_some() || matches!(self.place, Place::Home | Place::Found) {
            self.busy = Some(now); // however long a card lay there, its way out is new
            return event;
        }
        if busy < STUCK_AFTER || self.reported_stuck {
            return None;
        }
        self.reported_stuck = true;
        beams.first().map(NestEvent::Stuck)
    }

    fn clear_for(&mut self, steady: Millis) -> Option<NestEvent> {
        let before = self.place;
        if before == Place::Home && steady >= FLICKER {
            self.place = Place::Going;
            return Some(NestEvent::Moved);
        }
        if before == Place::Empty || steady < EMPTY_AFTER {
            return None;
        }
        self.place = Place::Empty;
        self.reported_stuck = false;
        matches!(before, Place::Going | Place::Found).then_some(NestEvent::Left)
    }

    fn interrupted(&mut self, steady: Millis) -> Option<NestEvent> {
        let Beams { hood, near, far } = self.beams;
        match self.place {
            Place::Empty => self.place = if hood { Place::Coming } else { Place::Disorder },
            Place::Coming if far && !near => self.place = Place::Disorder,
            Place::Coming if self.beams == Beams::HOME && steady >= HOME_AFTER => {
                self.place = Place::Home;
                return Some(NestEvent::Home);
            }
            Place::Found if self.beams != Beams::HOME && steady >= FLICKER => {
                self.place = Place::Going;
            }
            Place::Home if self.beams != Beams::HOME && steady >= FLICKER => {
                self.place = Place::Going;
                return Some(NestEvent::Moved);
            }
            _ => {}
        }
        None
    }
}

impl Default for Nest {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    const MOUTH: Beams = Beams { hood: true, near: false, far: false };
    const NEAR: Beams = Beams { hood: true, near: true, far: false };
    const ALL: Beams = Beams { hood: true, near: true, far: true };
    const HALF: Beams = Beams { hood: false, near: true, far: false };

    /// Far longer than a beam may stay interrupted.
    const FOR_EVER: u64 = 2 * STUCK_AFTER.get();

    /// Plays beams into an empty nest, each for some milliseconds, sampled every fifth.
    fn play(script: &[(Beams, u64)]) -> Vec<(Instant, NestEvent)> {
        let mut nest = Nest::new();
        assert_eq!(nest.sample(Beams::CLEAR, Instant::START), None);
        play_into(nest, script)
    }

    fn play_into(mut nest: Nest, script: &[(Beams, u64)]) -> Vec<(Instant, NestEvent)> {
        let (mut now, mut events) = (Instant::START, Vec::new());
        for &(beams, ms) in script {
            for _ in 0..ms / 5 {
                events.extend(nest.sample(beams, now).map(|event| (now, event)));
                now += Millis::new(5);
            }
        }
        events
    }

    const COMES: [(Beams, u64); 3] = [(MOUTH, 60), (NEAR, 20), (ALL, 20)];

    /// RD-07, RD-14: a card that slides in is home once, and gone once.
    #[test]
    fn a_card_that_slides_in_and_out_is_home_once_and_gone_once() {
        let script = [&COMES[..], &[(Beams::HOME, 300), (ALL, 40), (Beams::CLEAR, 300)]].concat();
        let events = play(&script);
        let kinds: Vec<_> = events.iter().map(|(_, event)| *event).collect();
        assert_eq!(kinds, [NestEvent::Home, NestEvent::Moved, NestEvent::Left]);
        assert_eq!(events[0].0, Instant::from_millis(100) + HOME_AFTER);
        assert_eq!(events[2].0, Instant::from_millis(440) + EMPTY_AFTER);
    }

    /// RD-14, RD-18: what lies near, stands half in, comes from behind or brings company is not home.
    #[test]
    fn what_is_not_one_whole_card_in_order_is_never_home() {
        let far_first = Beams { hood: true, near: false, far: true };
        for script in [
            [&COMES[..], &[(ALL, 5_000)]].concat(), // the mouth stays occupied
            [&COMES[..2], &[(HALF, 5_000)]].concat(), // half inserted
            std::vec![(MOUTH, 5_000)],              // near the mouth only
            std::vec![(Beams::HOME, 5_000)],        // never came through the mouth
            std::vec![(MOUTH, 50), (far_first, 20), (Beams::HOME, 5_000)],
            std::vec![(HALF, 10), (MOUTH, 20), (Beams::HOME, 5_000)],
        ] {
            assert_eq!(play(&script), [], "{script:?}");
        }
    }

    /// After disorder only an empty nest helps.
    #[test]
    fn disorder_ends_when_the_nest_is_empty() {
        let short = [&[(Beams::HOME, 500), (Beams::CLEAR, 100)], &COMES[..], &[(Beams::HOME, 500)]];
        assert_eq!(play(&short.concat()), [], "not empty for long enough");
        let long = [&[(Beams::HOME, 500), (Beams::CLEAR, 250)], &COMES[..], &[(Beams::HOME, 500)]];
        assert_eq!(play(&long.concat()).len(), 1);
    }

    #[test]
    fn a_flicker_moves_nothing_and_a_bouncing_card_is_not_home() {
        let script = [&COMES[..], &[(Beams::HOME, 200), (HALF, 10), (Beams::HOME, 200)]].concat();
        assert_eq!(play(&script).len(), 1);
        let mut script = COMES.to_vec();
        for _ in 0..40 {
            script.extend([(Beams::HOME, 40), (ALL, 10)]);
        }
        assert_eq!(play(&script), []);
    }

    /// RD-10: a power cut with a card in the nest breaks no beam, however long the card is
    /// left there; nor is it read (RD-14). What is not a card at home may still be a broken beam.
    #[test]
    fn a_card_found_at_power_on_is_neither_read_nor_a_broken_beam() {
        let taken = [(Beams::HOME, FOR_EVER), (ALL, 40), (Beams::CLEAR, 300)];
        let kinds = |script: &[(Beams, u64)]| -> Vec<NestEvent> {
            play_into(Nest::new(), script).into_iter().map(|(_, event)| event).collect()
        };
        assert_eq!(kinds(&taken), [NestEvent::Found, NestEvent::Left]);
        let again = [&taken[..], &COMES[..], &[(Beams::HOME, 500)]].concat();
        assert_eq!(kinds(&again), [NestEvent::Found, NestEvent::Left, NestEvent::Home]);
        assert_eq!(kinds(&[(HALF, FOR_EVER)]), [NestEvent::Stuck(1)]);
        let dragged = [(Beams::HOME, 500), (HALF, FOR_EVER)];
        assert_eq!(kinds(&dragged), [NestEvent::Found, NestEvent::Stuck(1)]);
    }

    /// RD-10: a beam that stays interrupted is published, once; a card left lying is not.
    #[test]
    fn a_stuck_beam_is_told_once() {
        let events = play(&[(HALF, FOR_EVER)]);
        assert_eq!(events, [(Instant::START + STUCK_AFTER, NestEvent::Stuck(1))]);
        let left = [&COMES[..], &[(Beams::HOME, FOR_EVER)]].concat();
        assert_eq!(play(&left).len(), 1, "only home");
        let taken = [&left[..], &[(ALL, 40), (Beams::CLEAR, 300)]].concat();
        let kinds: Vec<_> = play(&taken).iter().map(|(_, event)| *event).collect();
        assert_eq!(kinds, [NestEvent::Home, NestEvent::Moved, NestEvent::Left]);
    }
}
