//! The axis on the model of its controller: homing, turns, stalls, lost steps, a bad line.

use std::collections::VecDeque;

use croupier::drivers::tmc5160::{Axis, AxisStatus, Error, MotionProfile, Way};
use croupier::shuffler::event::{Action, Axis as Part, Event};
use croupier::shuffler::motion::{WheelDrive, motion_profile};
use croupier::shuffler::wheel::Wheel;
use embassy_futures::block_on;
use embedded_io_async::{ErrorKind, ErrorType, Read, Write};

use super::{Chip, Inbox};

const WHEEL: Wheel = Wheel::SINGLE_DECK;
const SLOT: u32 = 640;
/// Ten bits at 115,200 baud.
const BYTE_US: u64 = 87;

/// The UART between an axis and its controller, in virtual time.
struct Line {
    chip: Chip,
    inbox: Inbox,
    coming: VecDeque<u8>,
    now_us: u64,
}

impl ErrorType for Line {
    type Error = ErrorKind;
}

impl Read for Line {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        let count = buffer.len().min(self.coming.len());
        self.now_us += BYTE_US * count.max(100) as u64;
        self.chip.advance(self.now_us);
        if count == 0 {
            self.inbox.quiet();
            return Err(ErrorKind::TimedOut);
        }
        self.coming.drain(..count).zip(buffer).for_each(|(byte, place)| *place = byte);
        Ok(count)
    }
}

impl Write for Line {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        for byte in bytes {
            self.now_us += BYTE_US;
            self.chip.advance(self.now_us);
            let datagram = self.inbox.take(*byte);
            self.coming.extend(datagram.and_then(|it| self.chip.take(it)).into_iter().flatten());
        }
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

/// An axis and the line it talks over, which the test may look at.
struct Bench {
    line: Line,
    profile: MotionProfile,
}

fn bench(place: f64) -> Bench {
    let profile = motion_profile::of(&WHEEL);
    let chip = Chip::new(profile.turn, place);
    let line = Line { chip, inbox: Inbox::default(), coming: VecDeque::new(), now_us: 0 };
    Bench { line, profile }
}

/// Looks until the axis rests or fails; a minute of device time is for ever.
fn settle(axis: &mut Axis<&mut Line>) -> Result<(), Error> {
    for _ in 0..60_000 {
        if block_on(axis.look())? == AxisStatus::Resting {
            return Ok(());
        }
    }
    panic!("it never comes to rest");
}

fn homed(bench: &mut Bench) -> Axis<&mut Line> {
    let profile = bench.profile;
    let mut axis = Axis::new(&mut bench.line, profile);
    block_on(axis.home()).expect("it answers");
    settle(&mut axis).expect("the flag is there");
    axis
}

fn turn(axis: &mut Axis<&mut Line>, slot: u32, way: Way) -> Result<(), Error> {
    block_on(axis.turn_to(slot * SLOT, way))?;
    settle(axis)
}

/// Wherever the wheel stood, the flag's edge becomes place zero.
#[test]
fn homing_finds_the_same_edge_from_every_place() {
    let turn_length = motion_profile::of(&WHEEL).turn;
    for place in (0..turn_length).step_by(997).chain([turn_length - 1, turn_length - 320, 1]) {
        let mut bench = bench(f64::from(place));
        let mut axis = homed(&mut bench);
        turn(&mut axis, 17, Way::Up).expect("a turn");
        let off = bench.line.chip.wheel() - f64::from(17 * SLOT);
        assert!(off.abs() <= 2.0, "from {place}: {off} microsteps off");
    }
}

#[test]
fn every_slot_is_reached_both_ways_and_the_flag_agrees() {
    let mut bench = bench(4_000.0);
    let mut axis = homed(&mut bench);
    let mut slot = 0;
    for step in 1..200 {
        slot = (slot + step * 7) % u32::from(WHEEL.slots);
        let way = if step % 3 == 0 { Way::Down } else { Way::Up };
        turn(&mut axis, slot, way).expect("a turn");
    }
    let off = bench.line.chip.wheel() - f64::from(slot * SLOT);
    assert!(off.abs() <= 2.0, "{off} microsteps off after 199 turns");
}

#[test]
fn before_homing_and_after_a_fault_nothing_turns() {
    let mut bench = bench(0.0);
    let profile = bench.profile;
    let mut axis = Axis::new(&mut bench.line, profile);
    assert_eq!(turn(&mut axis, 3, Way::Up), Err(Error::NotHomed));
    assert_eq!(axis.status(), AxisStatus::Unknown);
}

#[test]
fn a_held_wheel_is_a_stall_and_a_new_homing_brings_it_back() {
    let mut bench = bench(2_000.0);
    let mut axis = homed(&mut bench);
    axis.line().chip.troubles.stall_after = Some(0.1);
    assert_eq!(turn(&mut axis, 20, Way::Up), Err(Error::Stalled));
    assert_eq!(turn(&mut axis, 21, Way::Up), Err(Error::NotHomed));
    block_on(axis.home()).expect("it answers");
    settle(&mut axis).expect("it is free again");
    assert_eq!(turn(&mut axis, 20, Way::Up), Ok(()));
}

#[test]
fn lost_steps_show_the_next_time_the_flag_goes_by_in_either_direction() {
    for way in [Way::Up, Way::Down] {
        let mut bench = bench(2_000.0);
        let mut axis = homed(&mut bench);
        turn(&mut axis, 10, Way::Up).expect("a turn");
        axis.line().chip.lose_steps(f64::from(SLOT));
        let (short, round) = match way {
            Way::Up => (20, 5),
            Way::Down => (4, 40),
        };
        assert_eq!(turn(&mut axis, short, way), Ok(()), "the flag was not passed yet");
        let fault = turn(&mut axis, round, way);
        assert!(matches!(fault, Err(Error::LostSteps(_))), "{way:?}: {fault:?}");
    }
}

#[test]
fn a_bad_line_is_survived_and_a_dead_one_is_reported() {
    let mut bench = bench(2_000.0);
    let mut axis = homed(&mut bench);
    axis.line().chip.troubles.lost_answers = 2;
    assert_eq!(turn(&mut axis, 9, Way::Up), Ok(()));
    axis.line().chip.troubles.spoilt_answers = 2;
    assert_eq!(turn(&mut axis, 12, Way::Up), Ok(()));
    axis.line().chip.troubles.lost_writes = 1;
    assert_eq!(turn(&mut axis, 30, Way::Up), Ok(()));
    assert!(axis.repeated() >= 5, "{}", axis.repeated());
    axis.line().chip.troubles.lost_answers = 1_000;
    assert_eq!(turn(&mut axis, 9, Way::Up), Err(Error::Silent));
    axis.line().chip.troubles.lost_answers = 0;
    axis.line().chip.troubles.spoilt_answers = 1_000;
    assert_eq!(block_on(axis.home()), Err(Error::Garbled));
    axis.line().chip.troubles.spoilt_answers = 0;
    axis.line().chip.troubles.lost_writes = 1_000;
    assert_eq!(block_on(axis.home()), Err(Error::Deaf));
}

#[test]
fn a_controller_that_lost_its_memory_is_noticed_before_the_next_turn_ends() {
    let mut bench = bench(2_000.0);
    let mut axis = homed(&mut bench);
    axis.line().chip.cut_supply();
    assert_eq!(turn(&mut axis, 9, Way::Up), Err(Error::Restarted));
}

#[test]
fn without_its_flag_homing_goes_on_until_somebody_ends_it() {
    let mut bench = bench(2_000.0);
    bench.line.chip.troubles.no_flag = true;
    let profile = bench.profile;
    let mut axis = Axis::new(&mut bench.line, profile);
    block_on(axis.home()).expect("it answers");
    for _ in 0..2_000 {
        assert_eq!(block_on(axis.look()), Ok(AxisStatus::Homing));
    }
    block_on(axis.stop()).expect("it answers");
    assert_eq!(axis.status(), AxisStatus::Unknown);
    bench.line.now_us += 1_000_000;
    bench.line.chip.advance(bench.line.now_us);
    assert!(!bench.line.chip.is_turning());
}

/// The turns the rules plan with are the turns the controller makes.
#[test]
fn a_turn_takes_the_time_the_wheel_says() {
    for slots in [1, 2, 5, 13, 27] {
        let profile = motion_profile::of(&WHEEL);
        let seconds = super::super::ramp::seconds_for(
            f64::from(slots * SLOT),
            f64::from(profile.travel),
            f64::from(profile.acceleration),
        );
        let planned = f64::from(WHEEL.turn_us(slots as u8)) / 1e6;
        assert!((seconds - planned).abs() < 0.001, "{slots}: {seconds} and {planned}");
    }
}

/// The rules' own words on the same axis: homed means slot 0, turned means that slot.
#[test]
fn the_drive_brings_each_slot_to_the_feed_and_comes_back_from_a_shake() {
    let mut bench = bench(9_000.0);
    let mut wheel_drive = WheelDrive::new(&mut bench.line, &WHEEL);
    assert_eq!(work(&mut wheel_drive, Action::Home), Some(Event::Homed));
    let mut at = 0;
    for to in [5, 53, 20, 20, 47, 0, 27] {
        let by = WHEEL.way(at, to);
        assert_eq!(work(&mut wheel_drive, Action::Turn { to, by }), Some(Event::Turned(to)));
        assert_eq!(slot_at_feed(wheel_drive.axis().line()), to);
        assert_eq!(work(&mut wheel_drive, Action::Shake), None);
        assert_eq!(slot_at_feed(wheel_drive.axis().line()), to, "after a shake");
        at = to;
    }
    wheel_drive.axis().line().chip.lose_steps(f64::from(SLOT));
    let lost = work(&mut wheel_drive, Action::Turn { to: 3, by: -24 });
    let round = work(&mut wheel_drive, Action::Turn { to: 50, by: -7 });
    assert_eq!([lost, round], [Some(Event::Turned(3)), Some(Event::Stalled(Part::Wheel))]);
    let unhomed = work(&mut wheel_drive, Action::Turn { to: 1, by: 5 });
    assert_eq!(unhomed, Some(Event::Stalled(Part::Wheel)));
    wheel_drive.axis().line().chip.troubles.lost_answers = 99;
    assert_eq!(work(&mut wheel_drive, Action::Home), Some(Event::Unanswered));
}

fn work(wheel_drive: &mut WheelDrive<&mut Line>, action: Action) -> Option<Event> {
    let mut event = block_on(wheel_drive.act(action));
    for _ in 0..60_000 {
        if event.is_some() || !wheel_drive.is_busy() {
            return event;
        }
        event = block_on(wheel_drive.look());
    }
    panic!("it never ends");
}

/// The slot whose middle is within a few microsteps of the feed.
fn slot_at_feed(line: &mut &mut Line) -> u8 {
    let (slot, off) = (line.chip.wheel() / f64::from(SLOT), line.chip.wheel() % f64::from(SLOT));
    assert!((off - f64::from(SLOT / 2)).abs() <= 2.0, "{off} into the slot");
    slot as u8
}
