//! Each thing that can go wrong with one card, by itself: what is tried, and what it ends in.

use croupier::cards::BackColour::Red;
use croupier::shuffler::path::{Path, Report};
use croupier::shuffler::{
    Action, Axis, Back, Beam, Effort, Event, Fault, Look, Outlet, Station, TIMINGS, Wheel,
};
use croupier::time::{Instant, Millis};

const ONE: Look = Look { back: Back::Colour(Red), light: 45 };
const TWO: Look = Look { back: Back::Colour(Red), light: 20 };

/// A path whose wheel is at home, and the time.
struct Bench {
    path: Path,
    now: Instant,
}

impl Bench {
    fn new() -> Self {
        let mut bench =
            Self { path: Path::new(Wheel::SINGLE_DECK), now: Instant::from_millis(1_000) };
        bench.path.home(bench.now);
        assert_eq!(bench.sense(0, Event::Homed), Some(Report::Homed));
        bench.actions();
        bench
    }

    fn sense(&mut self, after_ms: u64, event: Event) -> Option<Report> {
        self.now += Millis::new(after_ms);
        self.path.sense(event, self.now)
    }

    fn beam(&mut self, after_ms: u64, beam: Beam, blocked: bool) -> Option<Report> {
        self.sense(after_ms, Event::Beam(beam, blocked))
    }

    /// Lets time pass deadline by deadline until something is reported.
    fn wait(&mut self) -> Option<Report> {
        while let Some(due) = self.path.deadline() {
            self.now = due;
            let report = self.path.pass_time(due);
            if report.is_some() {
                return report;
            }
        }
        None
    }

    fn actions(&mut self) -> Vec<Action> {
        core::iter::from_fn(|| self.path.next_action()).collect()
    }

    /// A card through the mouth, with this look and this passage.
    fn pass_mouth(&mut self, look: Option<Look>, passage_ms: u64) -> Option<Report> {
        let mut report = self.beam(55, Beam::Mouth, true);
        if let Some(look) = look {
            report = report.or(self.sense(passage_ms / 2, Event::Seen(look)));
        } else {
            self.now += Millis::new(passage_ms / 2);
        }
        report.or(self.beam(passage_ms - passage_ms / 2, Beam::Mouth, false))
    }

    fn stage(&mut self) {
        self.path.feed(self.now);
        assert_eq!(self.pass_mouth(Some(ONE), 85), None);
        assert_eq!(self.beam(10, Beam::Throat, true), Some(Report::Staged(ONE.back)));
    }
}

fn failed(fault: Fault) -> Option<Report> {
    Some(Report::Failed(fault))
}

#[test]
fn a_card_goes_in_and_comes_out() {
    let mut bench = Bench::new();
    bench.stage();
    assert!(bench.path.has_staged() && bench.path.may_turn());
    bench.path.load(bench.now);
    assert!(!bench.path.may_turn(), "a card half in would be cut");
    assert_eq!(bench.beam(100, Beam::Throat, false), Some(Report::Loaded));
    bench.path.turn(5, bench.now);
    assert_eq!(bench.sense(60, Event::Turned(5)), Some(Report::Turned));
    bench.path.eject(bench.now);
    assert_eq!(bench.beam(25, Beam::Exit, true), None);
    assert!(!bench.path.may_turn());
    assert_eq!(bench.beam(85, Beam::Exit, false), Some(Report::Ejected));
    let expected = [
        Action::Feed(Effort::Normal),
        Action::Load(Effort::Normal),
        Action::Turn { to: 5, by: 5 },
        Action::Eject(Effort::Normal),
    ];
    assert_eq!(bench.actions(), expected);
}

/// No-pick: once more with more torque, then the tray has none to give.
#[test]
fn a_card_that_does_not_come_is_tried_with_more_torque() {
    let mut bench = Bench::new();
    bench.path.feed(bench.now);
    let began = bench.now;
    assert_eq!(bench.wait(), Some(Report::TrayEmpty));
    assert_eq!(bench.now.since(began), TIMINGS.pick + TIMINGS.boosted_pick);
    assert_eq!(bench.actions(), [Action::Feed(Effort::Normal), Action::Feed(Effort::Boosted)]);
}

/// Double feed by light, by a long passage, by a short one, or unseen: back to the tray, gently
/// again, three times at most.
#[test]
fn what_is_not_one_whole_card_is_taken_back_three_times_at_most() {
    let doubles = [
        (Some(TWO), 85, Fault::DoubleFeed),
        (Some(ONE), 130, Fault::DoubleFeed),
        (Some(ONE), 30, Fault::DoubleFeed),
        (None, 85, Fault::Sensor(Beam::Mouth)),
    ];
    for (look, passage, fault) in doubles {
        let mut bench = Bench::new();
        bench.path.feed(bench.now);
        for attempt in 1..=3 {
            assert_eq!(bench.pass_mouth(look, passage), None, "{fault:?}, attempt {attempt}");
            assert!(bench.actions().contains(&Action::BackUp));
            bench.now = bench.path.deadline().expect("backing up ends");
            let report = bench.path.pass_time(bench.now);
            assert_eq!(report, if attempt == 3 { failed(fault) } else { None });
            let next = if attempt == 3 { Action::Stop } else { Action::Feed(Effort::Gentle) };
            assert_eq!(bench.actions(), [next]);
        }
    }
}

/// Stuck: a beam blocked for twice a passage is a jam, and everything stands.
#[test]
fn a_card_that_stays_in_a_beam_is_a_jam() {
    let mut mouth = Bench::new();
    mouth.path.feed(mouth.now);
    mouth.beam(55, Beam::Mouth, true);
    let began = mouth.now;
    assert_eq!(mouth.wait(), failed(Fault::Jam(Station::Mouth)));
    let tried = TIMINGS.blocked + TIMINGS.back_up;
    assert_eq!(mouth.now.since(began), tried, "backing up did not free it");

    let mut lost = Bench::new();
    lost.path.feed(lost.now);
    lost.pass_mouth(Some(ONE), 85);
    assert_eq!(lost.wait(), failed(Fault::Jam(Station::Throat)), "never came to the throat");

    let mut throat = Bench::new();
    throat.stage();
    throat.path.load(throat.now);
    assert_eq!(throat.wait(), failed(Fault::Jam(Station::Throat)));
    assert_eq!(throat.path.at(), None, "the wheel must be homed");
    assert_eq!(throat.actions().last(), Some(&Action::Stop));
}

/// Skew: a card that lies askew in the mouth comes free backwards, and is fed again.
#[test]
fn a_card_askew_in_the_mouth_is_taken_back() {
    let mut bench = Bench::new();
    bench.path.feed(bench.now);
    bench.beam(55, Beam::Mouth, true);
    bench.now = bench.path.deadline().expect("it is waited for");
    assert_eq!(bench.path.pass_time(bench.now), None);
    assert!(bench.actions().contains(&Action::BackUp));
    assert_eq!(bench.beam(120, Beam::Mouth, false), None);
    bench.now = bench.path.deadline().expect("backing up ends");
    assert_eq!(bench.path.pass_time(bench.now), None);
    assert_eq!(bench.actions(), [Action::Feed(Effort::Gentle)]);
    assert_eq!(bench.pass_mouth(Some(ONE), 85), None);
    assert_eq!(bench.beam(10, Beam::Throat, true), Some(Report::Staged(ONE.back)));
}

/// Stuck at the exit: shaken once; freed by that it counts, else it is a jam.
#[test]
fn a_card_stuck_at_the_exit_is_shaken_once() {
    for freed in [true, false] {
        let mut bench = Bench::new();
        bench.path.eject(bench.now);
        bench.beam(25, Beam::Exit, true);
        bench.now = bench.path.deadline().expect("it is waited for");
        assert_eq!(bench.path.pass_time(bench.now), None);
        assert!(bench.actions().contains(&Action::Shake));
        if freed {
            assert_eq!(bench.beam(100, Beam::Exit, false), Some(Report::Ejected));
        } else {
            assert_eq!(bench.wait(), failed(Fault::Jam(Station::Exit)));
        }
    }
}

/// An empty slot: shaken and pushed harder three times, then reported.
#[test]
fn a_slot_that_gives_nothing_is_shaken_and_tried_again() {
    let mut bench = Bench::new();
    bench.path.eject(bench.now);
    assert_eq!(bench.wait(), Some(Report::SlotEmpty));
    let again = [Action::Shake, Action::Eject(Effort::Boosted)];
    let tried = [&[Action::Eject(Effort::Normal)][..], &again, &again, &again].concat();
    assert_eq!(bench.actions(), tried);
    for shakes in 1..=3 {
        bench.path.eject(bench.now);
        for _ in 0..shakes * 2 {
            bench.now = bench.path.deadline().expect("it is shaken, then pushed");
            assert_eq!(bench.path.pass_time(bench.now), None);
        }
        bench.beam(25, Beam::Exit, true);
        assert_eq!(
            bench.beam(85, Beam::Exit, false),
            Some(Report::Ejected),
            "loose after {shakes}"
        );
        bench.actions();
    }
    bench.path.probe(bench.now);
    assert_eq!(bench.wait(), Some(Report::SlotEmpty));
    assert_eq!(bench.actions(), [Action::Eject(Effort::Normal)], "a sweep does not shake");
}

/// SH-09: two cards that leave as one are no count.
#[test]
fn a_passage_of_two_at_the_exit_ends_the_count() {
    let mut bench = Bench::new();
    bench.path.eject(bench.now);
    bench.beam(25, Beam::Exit, true);
    assert_eq!(bench.beam(150, Beam::Exit, false), failed(Fault::CountNotValid));
}

/// Overrun: a card that arrives before the one ahead is in the wheel.
#[test]
fn a_card_that_comes_too_early_is_an_overrun() {
    let mut bench = Bench::new();
    bench.stage();
    bench.path.load(bench.now);
    bench.path.feed(bench.now);
    assert_eq!(bench.pass_mouth(Some(ONE), 85), failed(Fault::Overrun));
}

/// A pick roller that stalls before a card is in the mouth tries once more, with more torque.
#[test]
fn a_pick_roller_that_stalls_is_tried_with_more_torque_once() {
    let stall = failed(Fault::Stall(Axis::Pick));
    let mut bench = Bench::new();
    bench.path.feed(bench.now);
    assert_eq!(bench.sense(30, Event::Stalled(Axis::Pick)), None);
    assert_eq!(bench.actions(), [Action::Feed(Effort::Normal), Action::Feed(Effort::Boosted)]);
    assert_eq!(bench.sense(30, Event::Stalled(Axis::Pick)), stall, "the second time");
    let mut passing = Bench::new();
    passing.path.feed(passing.now);
    passing.beam(55, Beam::Mouth, true);
    assert_eq!(passing.sense(10, Event::Stalled(Axis::Pick)), stall, "a card is in the mouth");
    let mut resting = Bench::new();
    assert_eq!(resting.sense(10, Event::Stalled(Axis::Pick)), stall, "it was not asked to turn");
}

/// Stall, lost steps, a wheel that stands elsewhere, is late, or moves by itself.
#[test]
fn a_wheel_that_does_not_follow_is_a_stall() {
    let stall = failed(Fault::Stall(Axis::Wheel));
    for event in [Event::Stalled(Axis::Wheel), Event::Turned(6), Event::Homed] {
        let mut bench = Bench::new();
        bench.path.turn(5, bench.now);
        assert_eq!(bench.sense(20, event), stall, "{event:?}");
    }
    let mut late = Bench::new();
    late.path.turn(5, late.now);
    assert_eq!(late.wait(), stall);
    let mut by_itself = Bench::new();
    assert_eq!(by_itself.sense(20, Event::Turned(0)), stall);
    let mut silent = Bench::new();
    assert_eq!(silent.sense(20, Event::Unanswered), failed(Fault::Unanswered));
}

/// A card where none should be: none was asked for.
#[test]
fn a_beam_that_is_blocked_unasked_is_a_jam() {
    let beams = [
        (Beam::Mouth, Station::Mouth),
        (Beam::Throat, Station::Throat),
        (Beam::Exit, Station::Exit),
    ];
    for (beam, station) in beams {
        let mut bench = Bench::new();
        assert_eq!(bench.beam(10, beam, true), failed(Fault::Jam(station)));
        assert!(!bench.path.is_clear());
        assert_eq!(bench.beam(10, beam, false), None, "people took it out");
        assert!(bench.path.is_clear());
    }
}

#[test]
fn a_diverter_that_does_not_arrive_is_a_jam() {
    let mut bench = Bench::new();
    bench.path.divert(Outlet::Return, bench.now);
    assert_eq!(bench.sense(200, Event::Diverted), Some(Report::Diverted));
    bench.path.divert(Outlet::Delivery, bench.now);
    assert_eq!(bench.wait(), failed(Fault::Jam(Station::Diverter)));
}
