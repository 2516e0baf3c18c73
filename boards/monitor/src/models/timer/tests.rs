//! The timer's registers, one rule at a time.

use super::*;
use crate::testing::recorder::{Bench, Dice};

const URS_ON: u32 = 1 << 2;

/// A timer on a bench; words in, words out.
pub(super) struct Rig {
    pub bench: Bench,
    pub timer: Timer,
}

impl Rig {
    pub(crate) fn new(line: Line) -> Self {
        Self { bench: Bench::new(), timer: Timer::new(line) }
    }

    pub(crate) fn read(&mut self, offset: u32) -> u32 {
        self.timer.load(offset, Width::Word, &mut self.bench.cx()).unwrap()
    }

    pub(crate) fn write(&mut self, offset: u32, value: u32) {
        self.timer.store(offset, Width::Word, value, &mut self.bench.cx()).unwrap();
    }

    pub(super) fn at(&mut self, now: Ns) -> &mut Self {
        self.bench.now = now;
        self
    }

    pub(crate) fn advance(&mut self) {
        self.timer.advance(&mut self.bench.cx()).unwrap();
    }

    pub(super) fn is_high(&self) -> bool {
        self.bench.lines.is_high(self.timer.line)
    }

    /// One microsecond a tick, as embassy's time driver sets it up.
    pub(crate) fn microseconds(line: Line) -> Self {
        let mut rig = Self::new(line);
        rig.timer.store(PSC, Width::Half, 79, &mut rig.bench.cx()).unwrap();
        rig.write(ARR, 0xFFFF);
        rig.write(CR1, URS_ON);
        rig.write(EGR, UG);
        rig.write(CR1, CEN);
        rig
    }
}

#[test]
fn it_resets_as_the_manual_says() {
    let mut tim5 = Rig::new(Line::Tim5);
    let reset: Vec<_> = (CR1..=ARR).step_by(4).map(|offset| tim5.read(offset)).collect();
    assert_eq!(reset, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, u32::MAX]);
    assert_eq!(Rig::new(Line::Tim7).read(ARR), 0xFFFF);
    assert_eq!(tim5.timer.next(), None);
}

#[test]
fn a_tick_at_80_mhz_and_psc_79_is_a_microsecond_and_never_drifts() {
    let mut rig = Rig::microseconds(Line::Tim5);
    for (now, count) in [(999, 0), (1_000, 1), (1_999, 1), (2_000, 2), (65_535_999, 0xFFFF)] {
        assert_eq!(rig.at(now).read(CNT), count, "at {now} ns");
    }
    // A day later, looked at now and then; then for hours not at all.
    let mut now = 70_000_000;
    while now < 86_400 * 1_000_000_000 {
        now += 977_777_777;
        assert_eq!(u64::from(rig.at(now).read(CNT)), now / 1_000 % 0x1_0000);
    }
    now += 5 * 3_600 * 1_000_000_000;
    assert_eq!(u64::from(rig.at(now).read(CNT)), now / 1_000 % 0x1_0000);
}

#[test]
fn ticks_that_are_no_whole_nanoseconds_do_not_drift_either() {
    let mut rig = Rig::new(Line::Tim5);
    rig.write(CR1, CEN); // 12.5 ns a tick
    let mut now = 0u64;
    for step in 1..20_000u64 {
        now += step * 7 + 3;
        assert_eq!(u64::from(rig.at(now).read(CNT)), now * 2 / 25 % (1 << 32));
    }
}

#[test]
fn an_event_between_two_nanoseconds_is_due_at_the_later() {
    let mut rig = Rig::new(Line::Tim5);
    rig.write(CCR1, 3);
    rig.write(DIER, 1 << 1);
    rig.write(CR1, CEN);
    assert_eq!(rig.timer.next(), Some(38)); // 37.5
    rig.at(38).advance();
    assert!(rig.is_high());
}

#[test]
fn a_clock_that_changes_keeps_what_was_counted() {
    let mut rig = Rig::microseconds(Line::Tim5);
    rig.at(100_000).bench.clocks.pclk1 = 20_000_000;
    rig.bench.clocks.hclk = 20_000_000;
    assert_eq!(rig.read(CNT), 100);
    assert_eq!(rig.at(104_000).read(CNT), 101);
}

#[test]
fn psc_waits_for_the_update_event() {
    let mut rig = Rig::new(Line::Tim7);
    rig.write(ARR, 9);
    rig.write(CR1, CEN);
    rig.write(PSC, 79);
    // Ten ticks of 12.5 ns at the old rate, then microseconds.
    assert_eq!(rig.at(100).read(CNT), 8);
    assert_eq!(rig.at(125).read(CNT), 0);
    assert_eq!(rig.at(125 + 999).read(CNT), 0);
    assert_eq!(rig.at(125 + 4_000).read(CNT), 4);
    // The same in one look across the overflow.
    let mut rig = Rig::new(Line::Tim7);
    rig.write(ARR, 9);
    rig.write(CR1, CEN);
    rig.write(PSC, 79);
    assert_eq!(rig.at(125 + 4_000).read(CNT), 4);
    assert_eq!(rig.read(SR), UIF);
}

#[test]
fn arr_waits_for_the_update_event_only_when_preloaded() {
    let mut rig = Rig::microseconds(Line::Tim7);
    rig.write(ARR, 99);
    assert_eq!(rig.at(100_000).read(CNT), 0);
    rig.write(CR1, CEN | ARPE);
    rig.write(ARR, 49);
    assert_eq!(rig.at(199_000).read(CNT), 99);
    assert_eq!(rig.at(249_000).read(CNT), 49);
    assert_eq!(rig.at(250_000).read(CNT), 0);
}

#[test]
fn ug_sets_uif_unless_urs_or_udis_says_no() {
    for (cr1, uif) in [(0, UIF), (URS, 0), (UDIS, 0)] {
        let mut rig = Rig::new(Line::Tim5);
        rig.write(CR1, cr1);
        rig.write(EGR, UG);
        assert_eq!(rig.read(SR), uif, "CR1 {cr1:#x}");
    }
}

#[test]
fn udis_keeps_update_events_back() {
    let mut rig = Rig::microseconds(Line::Tim7);
    rig.write(DIER, UIF);
    rig.write(CR1, CEN | UDIS);
    assert_eq!(rig.timer.next(), None);
    assert_eq!((rig.at(70_000_000).read(SR), rig.is_high()), (0, false));
}

#[test]
fn one_pulse_stops_at_the_update() {
    let mut rig = Rig::microseconds(Line::Tim7);
    rig.write(ARR, 99);
    rig.write(CR1, CEN | OPM);
    assert_eq!(rig.at(1_000_000).read(CNT), 0);
    assert_eq!((rig.read(CR1), rig.read(SR)), (OPM, UIF));
}

#[test]
fn flags_are_cleared_by_zeros_and_the_line_follows() {
    let mut rig = Rig::microseconds(Line::Tim5);
    rig.write(CCR1 + 4, 10);
    rig.write(DIER, UIF | 1 << 2);
    rig.at(10_000).advance();
    assert!(rig.is_high());
    assert_eq!(rig.read(SR), 1 << 2);
    rig.write(SR, !UIF);
    assert!(rig.is_high(), "another flag was cleared");
    rig.write(SR, !(1 << 2));
    assert!(!rig.is_high());
}

#[test]
fn all_that_was_passed_between_two_looks_is_flagged() {
    let mut rig = Rig::microseconds(Line::Tim5);
    for (index, ccr) in [0x8000, 5, 0xFFFF, 0x1_0000].into_iter().enumerate() {
        rig.write(CCR1 + 4 * index as u32, ccr);
    }
    assert_eq!(rig.at(4_999).read(SR), 0);
    assert_eq!(rig.at(5_000).read(SR), 0b00100);
    assert_eq!(rig.at(0xFFFE * 1_000).read(SR), 0b00110);
    assert_eq!(rig.at(0xFFFF * 1_000).read(SR), 0b01110);
    // CCR4 is beyond ARR: it goes with the overflow.
    assert_eq!(rig.at(0x1_0000 * 1_000).read(SR), 0b11111);
    rig.write(SR, 0);
    assert_eq!(rig.at(400_000_000).read(SR), 0b11111, "several rounds at once");
}

#[test]
fn a_compare_value_that_the_counter_has_already_is_met_the_next_time_round() {
    let mut rig = Rig::microseconds(Line::Tim5);
    rig.write(DIER, 1 << 2);
    rig.at(1_000_500).write(CCR1 + 4, 1_000);
    assert_eq!(rig.timer.next(), Some(1_000_000 + 0x1_0000 * 1_000));
    assert_eq!(rig.at(1_000_999).read(SR) & 1 << 2, 0);
    assert_eq!(rig.at(66_535_999).read(SR) & 1 << 2, 0);
    assert_eq!(rig.at(66_536_000).read(SR) & 1 << 2, 1 << 2);
}

#[test]
fn next_is_the_earliest_enabled_flag_that_is_not_set_yet() {
    let mut rig = Rig::microseconds(Line::Tim5);
    rig.write(CCR1, 0x8000);
    rig.write(CCR1 + 4, 100);
    assert_eq!(rig.timer.next(), None);
    rig.write(DIER, UIF);
    assert_eq!(rig.timer.next(), Some(65_536_000));
    rig.write(DIER, UIF | 0b110);
    assert_eq!(rig.timer.next(), Some(100_000));
    rig.at(100_000).advance();
    assert!(rig.is_high());
    assert_eq!(rig.timer.next(), Some(32_768_000));
    rig.at(70_000_000).advance();
    assert_eq!(rig.timer.next(), None, "all are set");
    rig.write(SR, 0);
    assert!(rig.timer.next().is_some());
    rig.write(CR1, 0);
    assert_eq!(rig.timer.next(), None);
}

#[test]
fn a_stopped_counter_keeps_its_count_and_the_part_of_a_tick() {
    let mut rig = Rig::microseconds(Line::Tim5);
    rig.at(5_600).write(CR1, 0);
    assert_eq!(rig.at(50_000).read(CNT), 5);
    rig.write(CR1, CEN);
    assert_eq!(rig.at(50_399).read(CNT), 5);
    assert_eq!(rig.at(50_400).read(CNT), 6);
}

#[test]
fn a_written_count_counts_on() {
    let mut rig = Rig::microseconds(Line::Tim5);
    rig.write(DIER, UIF);
    rig.at(1_000).write(CNT, 0xFFF0);
    assert_eq!(rig.timer.next(), Some(17_000));
    assert_eq!(rig.at(16_999).read(CNT), 0xFFFF);
    assert_eq!(rig.at(17_000).read(CNT), 0);
}

#[test]
fn a_counter_beyond_its_reload_value_runs_to_its_end_first() {
    let mut rig = Rig::microseconds(Line::Tim7);
    rig.write(CNT, 1_000);
    rig.write(ARR, 99);
    assert_eq!(rig.at(2_000_000).read(CNT), 3_000);
    assert_eq!(rig.at(64_536_000).read(CNT), 0);
    assert_eq!(rig.read(SR), 0);
    assert_eq!(rig.at(64_636_000).read(SR), UIF);
}

#[test]
fn a_reload_value_of_zero_blocks_the_counter() {
    let mut rig = Rig::microseconds(Line::Tim7);
    rig.at(5_000).write(ARR, 0);
    assert_eq!((rig.at(1_000_000).read(CNT), rig.read(SR)), (5, 0));
}

#[test]
fn behind_a_prescaler_of_the_bus_the_clock_is_double() {
    let mut rig = Rig::new(Line::Tim5);
    rig.bench.clocks.pclk1 = 40_000_000;
    rig.write(PSC, 79);
    rig.write(EGR, UG);
    rig.write(CR1, CEN);
    assert_eq!(rig.at(10_000).read(CNT), 10);
}

#[test]
fn a_beat_of_10_hz_on_the_basic_timer() {
    let mut rig = Rig::new(Line::Tim7);
    rig.write(PSC, 7_999);
    rig.write(ARR, 999);
    rig.write(CR1, URS_ON);
    rig.write(EGR, UG);
    rig.write(DIER, UIF);
    rig.write(CR1, CEN);
    for beat in 1..50 {
        assert_eq!(rig.timer.next(), Some(beat * 100_000_000));
        rig.at(beat * 100_000_000).advance();
        assert!(rig.is_high());
        rig.write(SR, 0);
        assert!(!rig.is_high());
    }
}

#[test]
fn what_is_not_there_or_not_modelled_is_a_breach() {
    let mut rig = Rig::new(Line::Tim7);
    let mut refused = |offset, width, value| {
        rig.timer.store(offset, width, value, &mut rig.bench.cx()).unwrap_err().rule
    };
    assert_eq!(refused(CCR1, Width::Word, 1), "no such register");
    assert_eq!(refused(0x30, Width::Word, 1), "no such register");
    assert!(refused(CR1, Width::Byte, 1).contains("half-words"));
    assert!(refused(CR1 + 2, Width::Word, 1).contains("half-words"));
    assert!(rig.timer.load(CCR1, Width::Word, &mut rig.bench.cx()).is_err());
    let mut rig = Rig::new(Line::Tim5);
    for (offset, value) in [(CR1, 1 << 4), (DIER, 1 << 8), (SMCR, 7)] {
        assert!(rig.timer.store(offset, Width::Word, value, &mut rig.bench.cx()).is_err());
    }
    assert!(rig.timer.load(0x44, Width::Word, &mut rig.bench.cx()).is_err());
}

#[test]
fn halves_of_a_register_are_read_and_written_by_themselves() {
    let mut rig = Rig::new(Line::Tim5);
    rig.timer.store(ARR + 2, Width::Half, 0x1234, &mut rig.bench.cx()).unwrap();
    assert_eq!(rig.read(ARR), 0x1234_FFFF);
    assert_eq!(rig.timer.load(ARR + 2, Width::Half, &mut rig.bench.cx()), Ok(0x1234));
    rig.write(EGR, EVENTS);
    rig.timer.store(SR + 2, Width::Half, 0, &mut rig.bench.cx()).unwrap();
    assert_eq!(rig.read(SR), EVENTS);
}

#[test]
fn whatever_is_written_nothing_panics() {
    for line in [Line::Tim5, Line::Tim7] {
        let mut rig = Rig::microseconds(line);
        let mut dice = Dice(1);
        for _ in 0..200_000 {
            let offset = 2 * dice.below(40) as u32;
            let width = [Width::Word, Width::Half, Width::Byte][dice.below(3)];
            let value = (dice.word() & dice.word()) as u32 >> [0, 16, 24, 31][dice.below(4)];
            rig.bench.now += dice.word() >> [63, 50, 30, 2][dice.below(4)] >> 20;
            match dice.below(2) {
                0 => drop(rig.timer.load(offset, width, &mut rig.bench.cx())),
                _ => drop(rig.timer.store(offset, width, value, &mut rig.bench.cx())),
            }
            // What is due comes to pass, or the monitor would ask for ever.
            if let Some(due) = rig.timer.next() {
                let due = due.max(rig.bench.now);
                rig.at(due).advance();
                assert_ne!(rig.timer.next(), Some(due));
            }
        }
    }
}
