//! The way in: from the feed tray through mouth and throat into the slot that stands there.
//!
//! A card that is not as it should be, too thick, too long in the mouth or unseen, has not
//! reached the wheel yet: it is taken back and fed again, three times at most. A card that
//! sticks all the same is a jam.

use super::event::{Action, Axis, Back, Beam, Effort, Look};
use super::path::{Actions, Report, push};
use super::wheel::TIMINGS;
use crate::shuffler::fault::{Fault, Station};
use crate::time::{Instant, Millis};

/// How often a card is taken back and fed again before that is a fault.
const TRIES: u8 = 3;

// Two cards picked at once (a double feed), or one askew, show by these and by
// `TIMINGS.double`, the longest passage of one card.

/// Light that comes through one card at least, in per cent; two let about 20 through.
/// The reference mechanism's eye compares it to a third itself and says one or two.
const LIGHT_OF_ONE: u8 = 33;
/// A shorter passage is no whole card.
const SHORTEST_PASSAGE: Millis = Millis::new(45);

/// Where the card is that was picked last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mouth {
    Empty,
    /// The roller pulls; a card must show until then.
    Picking {
        until: Instant,
        boosted: bool,
    },
    /// The card blocks the mouth.
    Passing {
        since: Instant,
        look: Option<Look>,
    },
    /// It has left the mouth and must come to the throat.
    Leaving {
        until: Instant,
        back: Back,
    },
    /// The rollers run backwards.
    BackingUp {
        until: Instant,
        then: Then,
    },
}

/// What follows when the rollers have run backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// The card is fed again.
    Again,
    /// It is given up.
    Fail(Fault),
    /// Nothing is fed any more.
    Rest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Throat {
    Empty,
    Staged,
    Loading { until: Instant },
}

/// The way in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inlet {
    mouth: Mouth,
    throat: Throat,
    tries: u8,
}

impl Inlet {
    pub(super) const fn new() -> Self {
        Self { mouth: Mouth::Empty, throat: Throat::Empty, tries: 0 }
    }

    /// Whether no card is in the mouth or on its way to the throat.
    pub(super) const fn mouth_is_free(&self) -> bool {
        matches!(self.mouth, Mouth::Empty)
    }

    /// Whether a card waits in front of the wheel.
    pub(super) const fn has_staged(&self) -> bool {
        matches!(self.throat, Throat::Staged)
    }

    /// Whether a card is half in the wheel.
    pub(super) const fn is_loading(&self) -> bool {
        matches!(self.throat, Throat::Loading { .. })
    }

    pub(super) fn feed(&mut self, now: Instant, actions: &mut Actions) {
        self.tries = 0;
        self.pick(Effort::Normal, now, actions);
    }

    pub(super) fn load(&mut self, now: Instant, actions: &mut Actions) {
        self.throat = Throat::Loading { until: now + TIMINGS.blocked };
        push(actions, Action::Load(Effort::Normal));
    }

    fn pick(&mut self, effort: Effort, now: Instant, actions: &mut Actions) {
        let boosted = effort == Effort::Boosted;
        let wait = if boosted { TIMINGS.boosted_pick } else { TIMINGS.pick };
        self.mouth = Mouth::Picking { until: now + wait, boosted };
        push(actions, Action::Feed(effort));
    }

    /// What is before the wheel goes back to the tray; reported as [`Report::Cleared`].
    pub(super) fn clear_out(&mut self, now: Instant, actions: &mut Actions) {
        let mouth = Mouth::BackingUp { until: now + TIMINGS.back_up, then: Then::Rest };
        *self = Self { mouth, ..Self::new() };
        push(actions, Action::BackUp);
    }

    /// A card that is not as it should be goes back to the tray, and is tried again.
    fn take_back(&mut self, fault: Fault, at: Instant, actions: &mut Actions) -> Option<Report> {
        self.tries += 1;
        let then = if self.tries >= TRIES { Then::Fail(fault) } else { Then::Again };
        self.mouth = Mouth::BackingUp { until: at + TIMINGS.back_up, then };
        push(actions, Action::BackUp);
        None
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let mouth = match self.mouth {
            Mouth::Empty => None,
            Mouth::Picking { until, .. }
            | Mouth::Leaving { until, .. }
            | Mouth::BackingUp { until, .. } => Some(until),
            Mouth::Passing { since, .. } => Some(since + TIMINGS.blocked),
        };
        let throat = match self.throat {
            Throat::Loading { until } => Some(until),
            Throat::Empty | Throat::Staged => None,
        };
        [mouth, throat].into_iter().flatten().min()
    }

    /// Lets time pass; `clear` says whether every beam is free.
    pub(super) fn pass_time(
        &mut self,
        now: Instant,
        clear: bool,
        actions: &mut Actions,
    ) -> Option<Report> {
        if let Throat::Loading { until } = self.throat
            && until <= now
        {
            return Some(Report::Failed(Fault::Jam(Station::Throat)));
        }
        let jam = |station| Some(Report::Failed(Fault::Jam(station)));
        match self.mouth {
            Mouth::Picking { until, boosted: false } if until <= now => {
                self.pick(Effort::Boosted, now, actions);
                None
            }
            Mouth::Picking { until, boosted: true } if until <= now => {
                self.mouth = Mouth::Empty;
                Some(Report::TrayEmpty)
            }
            // A card that lies askew comes straight when it is fed again; a stuck one stays.
            Mouth::Passing { since, .. } if since + TIMINGS.blocked <= now => {
                self.take_back(Fault::Jam(Station::Mouth), now, actions)
            }
            Mouth::Leaving { until, .. } if until <= now => jam(Station::Throat),
            Mouth::BackingUp { until, then } if until <= now => match then {
                _ if !clear => jam(Station::Mouth),
                Then::Fail(fault) => Some(Report::Failed(fault)),
                Then::Again => {
                    self.pick(Effort::Gentle, now, actions);
                    None
                }
                Then::Rest => {
                    self.mouth = Mouth::Empty;
                    Some(Report::Cleared)
                }
            },
            _ => None,
        }
    }

    /// The pick roller's motor did not follow. While no card is in the mouth it tries once more,
    /// with more torque.
    pub(super) fn stalled(&mut self, at: Instant, actions: &mut Actions) -> Option<Report> {
        if !matches!(self.mouth, Mouth::Picking { boosted: false, .. }) {
            return Some(Report::Failed(Fault::Stall(Axis::Pick)));
        }
        self.pick(Effort::Boosted, at, actions);
        None
    }

    /// The mouth's beam changed.
    pub(super) fn mouth_changed(
        &mut self,
        blocked: bool,
        at: Instant,
        actions: &mut Actions,
    ) -> Option<Report> {
        match (self.mouth, blocked) {
            (Mouth::Picking { .. }, true) => {
                self.mouth = Mouth::Passing { since: at, look: None };
                None
            }
            (Mouth::Passing { since, look }, false) => {
                let passage = at.since(since);
                let whole = SHORTEST_PASSAGE..=TIMINGS.double;
                match look {
                    _ if self.throat != Throat::Empty => Some(Report::Failed(Fault::Overrun)),
                    Some(Look { back, light })
                        if light >= LIGHT_OF_ONE && whole.contains(&passage) =>
                    {
                        let until = at + TIMINGS.entry;
                        self.mouth = Mouth::Leaving { until, back };
                        None
                    }
                    Some(_) => self.take_back(Fault::DoubleFeed, at, actions),
                    None => self.take_back(Fault::Sensor(Beam::Mouth), at, actions),
                }
            }
            (Mouth::BackingUp { .. }, _) | (_, false) => None,
            (_, true) => Some(Report::Failed(Fault::Jam(Station::Mouth))),
        }
    }

    /// The eye saw a card.
    pub(super) fn seen(
        &mut self,
        look: Look,
        at: Instant,
        actions: &mut Actions,
    ) -> Option<Report> {
        match &mut self.mouth {
            // Two are taken back when they have left the mouth: the card before them may
            // still be half in the wheel, and both rollers turn back together.
            Mouth::Passing { look: seen @ None, .. } => {
                *seen = Some(look);
                None
            }
            // A second card followed without a gap.
            Mouth::Passing { .. } => self.take_back(Fault::DoubleFeed, at, actions),
            _ => None,
        }
    }

    /// The throat's beam changed.
    pub(super) fn throat_changed(&mut self, blocked: bool) -> Option<Report> {
        match (self.throat, self.mouth, blocked) {
            (Throat::Empty, Mouth::Leaving { back, .. }, true) => {
                (self.mouth, self.throat) = (Mouth::Empty, Throat::Staged);
                Some(Report::Staged(back))
            }
            (Throat::Loading { .. }, _, false) => {
                self.throat = Throat::Empty;
                Some(Report::Loaded)
            }
            (Throat::Empty, Mouth::BackingUp { .. }, _) | (Throat::Empty, _, false) => None,
            _ => Some(Report::Failed(Fault::Jam(Station::Throat))),
        }
    }
}
