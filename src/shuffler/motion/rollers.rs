//! Rollers, ejector, diverter: which of them run, and until which beam says enough.
//!
//! A card must stop with its edge in the throat, and the rules would be too late for that:
//! here an output goes off in the millisecond in which its beam changes. The rules decide
//! everything else, and their deadlines end in [`Action::Stop`].

use heapless::Deque;

use crate::shuffler::event::{Action, Beam, Contact, Effort, Event, Look, Outlet};
use crate::shuffler::wheel::TIMINGS;
use crate::time::{Instant, Millis};

/// A beam's new level counts after this many equal samples in a row, a millisecond apart.
const SETTLED: u8 = 2;
/// The eye looks when a card has come this far into the mouth: to its middle.
const LOOK_AFTER: Millis = Millis::new(TIMINGS.passage.get() / 2);

/// A pin is driven up to a millisecond after the decision, and time counts whole milliseconds:
/// what takes its time from the pin on is waited for that much longer.
const DRIVEN: Millis = Millis::new(2);

/// The outputs that drive the card path. On is `true`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outputs {
    /// The pick roller turns.
    pub pick: bool,
    /// The throat roller turns.
    pub throat: bool,
    /// Rollers turn backwards.
    pub reverse: bool,
    /// Rollers and ejector work at 60 %.
    pub gentle: bool,
    /// Rollers and ejector work with more torque.
    pub boosted: bool,
    /// The ejector pushes.
    pub eject: bool,
    /// The diverter leads back to the feed tray.
    pub to_return: bool,
}

/// What the sensors show at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inputs {
    /// The beams that are blocked, in the order of [`Beam::ALL`].
    pub beams: [bool; Beam::ALL.len()],
    /// The contacts, in the order of [`Contact::ALL`].
    pub contacts: [bool; 4],
    /// What the eye sees in the mouth.
    pub eye: Look,
}

/// A motor that runs until a beam ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    effort: Effort,
    /// The ejector's card has come: it may leave.
    came: bool,
    /// When an ejector that met nothing draws back, so that the wheel can turn.
    until: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    blocked: bool,
    since: Instant,
    samples: u8,
}

/// The card path's outputs and sensors.
#[derive(Debug)]
pub struct Rollers {
    /// Pulls until the throat is blocked.
    pick: Option<Run>,
    /// Drives until the throat is free. The next card may be picked meanwhile.
    throat: Option<Run>,
    /// Pushes until a card has come and gone.
    eject: Option<Run>,
    backwards_until: Option<Instant>,
    to_return: bool,
    beams: [Level; Beam::ALL.len()],
    contacts: [Option<bool>; 4],
    look_at: Option<Instant>,
    diverted_at: Option<Instant>,
    noticed: Deque<(Event, Instant), 16>,
}

impl Default for Rollers {
    fn default() -> Self {
        Self::new()
    }
}

impl Rollers {
    /// Everything off. The first sample reports each contact as it stands.
    pub const fn new() -> Self {
        let free = Level { blocked: false, since: Instant::START, samples: 0 };
        Self {
            pick: None,
            throat: None,
            eject: None,
            backwards_until: None,
            to_return: false,
            beams: [free; Beam::ALL.len()],
            contacts: [None; 4],
            look_at: None,
            diverted_at: None,
            noticed: Deque::new(),
        }
    }

    /// What must be on.
    pub fn outputs(&self) -> Outputs {
        let runs = [self.pick, self.throat, self.eject];
        let with = |effort| runs.iter().flatten().any(|run| run.effort == effort);
        let reverse = self.backwards_until.is_some();
        Outputs {
            pick: self.pick.is_some() || reverse,
            throat: self.throat.is_some() || reverse,
            reverse,
            gentle: with(Effort::Gentle),
            boosted: with(Effort::Boosted),
            eject: self.eject.is_some(),
            to_return: self.to_return,
        }
    }

    /// The oldest thing noticed and not yet taken, with its time.
    pub fn take(&mut self) -> Option<(Event, Instant)> {
        self.noticed.pop_front()
    }

    /// Sets the outputs for `action`; what moves the wheel is ignored.
    pub fn act(&mut self, action: Action, now: Instant) {
        let until = now + TIMINGS.exit;
        let run = |effort| Some(Run { effort, came: false, until });
        match action {
            Action::Feed(effort) => self.pick = run(effort),
            Action::Load(effort) => self.throat = run(effort),
            Action::Eject(effort) => self.eject = run(effort),
            Action::BackUp => {
                (self.pick, self.throat) = (None, None);
                let until = now + TIMINGS.back_up;
                self.backwards_until = Some(until);
            }
            Action::Divert(outlet) => {
                self.to_return = outlet == Outlet::Return;
                self.diverted_at = Some(now + TIMINGS.divert + DRIVEN);
            }
            Action::Stop => {
                (self.pick, self.throat, self.eject) = (None, None, None);
                self.backwards_until = None;
            }
            Action::Home | Action::Turn { .. } | Action::Look | Action::Shake => {}
        }
    }

    /// Takes a sample; call every millisecond.
    pub fn sample(&mut self, inputs: &Inputs, now: Instant) {
        for (contact, closed) in Contact::ALL.into_iter().zip(inputs.contacts) {
            self.touch(contact, closed, now);
        }
        for (beam, blocked) in Beam::ALL.into_iter().zip(inputs.beams) {
            if let Some(edge) = self.settle(beam, blocked, now) {
                self.notice(Event::Beam(beam, blocked), edge);
                self.changed(beam, blocked, edge);
            }
        }
        if self.look_at.is_some_and(|at| at <= now) {
            self.look_at = None;
            self.notice(Event::Seen(inputs.eye), now);
        }
        if self.diverted_at.is_some_and(|at| at <= now) {
            self.diverted_at = None;
            self.notice(Event::Diverted, now);
        }
        if self.eject.is_some_and(|run| !run.came && run.until <= now) {
            self.eject = None;
        }
        if self.backwards_until.is_some_and(|until| until <= now) {
            self.backwards_until = None;
        }
    }

    /// A beam changed: what it ends, ends now.
    fn changed(&mut self, beam: Beam, blocked: bool, edge: Instant) {
        match (beam, blocked) {
            (Beam::Mouth, true) if self.pick.is_some() => {
                self.look_at = Some(edge + LOOK_AFTER);
            }
            (Beam::Mouth, false) => self.look_at = None,
            (Beam::Throat, true) => self.pick = None,
            (Beam::Throat, false) => self.throat = None,
            (Beam::Exit, true) => {
                if let Some(run) = &mut self.eject {
                    run.came = true;
                }
            }
            (Beam::Exit, false) if self.eject.is_some_and(|run| run.came) => self.eject = None,
            _ => {}
        }
    }

    fn touch(&mut self, contact: Contact, closed: bool, now: Instant) {
        if let Some(known) = self.contacts.get_mut(contact as usize)
            && known.replace(closed) != Some(closed)
        {
            self.notice(Event::Contact(contact, closed), now);
        }
    }

    /// When a beam's new level began, once it has lasted.
    fn settle(&mut self, beam: Beam, blocked: bool, now: Instant) -> Option<Instant> {
        let level = self.beams.get_mut(beam as usize)?;
        if blocked == level.blocked {
            level.samples = 0;
            return None;
        }
        if level.samples == 0 {
            level.since = now;
        }
        level.samples += 1;
        if level.samples < SETTLED {
            return None;
        }
        (level.blocked, level.samples) = (blocked, 0);
        Some(level.since)
    }

    fn notice(&mut self, event: Event, at: Instant) {
        // Sixteen unread events mean that the loop stands; the rules' deadlines will end it.
        let _ = self.noticed.push_back((event, at));
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::cards::BackColour;
    use crate::shuffler::event::Back;

    const EYE: Look = Look { back: Back::Colour(BackColour::Blue), light: 45 };

    struct Bench {
        rollers: Rollers,
        inputs: Inputs,
        now: Instant,
    }

    impl Bench {
        fn new() -> Self {
            let inputs = Inputs { beams: [false; 5], contacts: [false; 4], eye: EYE };
            Self { rollers: Rollers::new(), inputs, now: Instant::START }
        }

        fn pass(&mut self, ms: u64) {
            for _ in 0..ms {
                self.now += Millis::new(1);
                self.rollers.sample(&self.inputs, self.now);
            }
        }

        fn beam(&mut self, beam: Beam, blocked: bool) {
            self.inputs.beams[beam as usize] = blocked;
            self.pass(SETTLED.into());
        }

        fn act(&mut self, action: Action) {
            self.rollers.act(action, self.now);
        }

        fn events(&mut self) -> Vec<Event> {
            core::iter::from_fn(|| self.rollers.take()).map(|(event, _)| event).collect()
        }
    }

    #[test]
    fn a_card_is_picked_seen_once_and_stopped_in_the_throat() {
        let mut bench = Bench::new();
        bench.pass(1);
        assert_eq!(bench.events(), Contact::ALL.map(|contact| Event::Contact(contact, false)));
        bench.act(Action::Feed(Effort::Normal));
        assert!(bench.rollers.outputs().pick);
        bench.beam(Beam::Mouth, true);
        bench.pass(80);
        bench.beam(Beam::Mouth, false);
        bench.beam(Beam::Throat, true);
        assert_eq!(bench.rollers.outputs(), Outputs::default(), "stopped with its edge there");
        let edges = [Event::Beam(Beam::Mouth, true), Event::Seen(EYE)];
        let then = [Event::Beam(Beam::Mouth, false), Event::Beam(Beam::Throat, true)];
        assert_eq!(bench.events(), [edges, then].concat());
    }

    #[test]
    fn the_next_card_is_picked_while_this_one_is_loaded() {
        let mut bench = Bench::new();
        bench.beam(Beam::Throat, true);
        bench.act(Action::Load(Effort::Normal));
        bench.act(Action::Feed(Effort::Boosted));
        let on = bench.rollers.outputs();
        assert!(on.pick && on.throat && on.boosted);
        bench.beam(Beam::Throat, false);
        assert!(bench.rollers.outputs().pick && !bench.rollers.outputs().throat);
        bench.beam(Beam::Throat, true);
        assert!(!bench.rollers.outputs().pick);
    }

    #[test]
    fn the_ejector_rests_only_when_a_card_has_come_and_gone() {
        let mut bench = Bench::new();
        bench.act(Action::Eject(Effort::Normal));
        bench.pass(30);
        assert!(bench.rollers.outputs().eject);
        bench.beam(Beam::Exit, true);
        assert!(bench.rollers.outputs().eject);
        bench.beam(Beam::Exit, false);
        assert!(!bench.rollers.outputs().eject);
    }

    #[test]
    fn an_ejector_that_meets_nothing_draws_back_and_may_push_again() {
        let mut bench = Bench::new();
        for effort in [Effort::Normal, Effort::Boosted] {
            bench.act(Action::Eject(effort));
            bench.pass(TIMINGS.exit.get() - 1);
            assert!(bench.rollers.outputs().eject);
            bench.pass(1);
            assert!(!bench.rollers.outputs().eject);
        }
    }

    #[test]
    fn backing_up_ends_by_itself_and_stop_ends_everything_but_the_diverter() {
        let mut bench = Bench::new();
        bench.act(Action::BackUp);
        let on = bench.rollers.outputs();
        assert!(on.pick && on.throat && on.reverse);
        bench.pass(TIMINGS.back_up.get());
        assert_eq!(bench.rollers.outputs(), Outputs::default());
        bench.act(Action::Divert(Outlet::Return));
        bench.act(Action::Feed(Effort::Gentle));
        bench.act(Action::Stop);
        assert_eq!(bench.rollers.outputs(), Outputs { to_return: true, ..Outputs::default() });
        bench.events();
        bench.pass((TIMINGS.divert + DRIVEN).get() - 1);
        assert_eq!(bench.events(), [], "its pin was driven a little later than it was decided");
        bench.pass(1);
        assert_eq!(bench.events(), [Event::Diverted]);
    }

    #[test]
    fn a_flicker_of_one_millisecond_is_no_edge_and_an_edge_has_its_own_time() {
        let mut bench = Bench::new();
        bench.pass(1);
        bench.events();
        bench.inputs.beams[0] = true;
        bench.pass(1);
        bench.inputs.beams[0] = false;
        bench.pass(5);
        assert_eq!(bench.events(), []);
        bench.inputs.beams[0] = true;
        bench.pass(5);
        assert_eq!(
            bench.rollers.take(),
            Some((Event::Beam(Beam::Mouth, true), Instant::from_millis(8)))
        );
    }
}
