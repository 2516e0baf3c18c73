//! embassy's time driver restated over the model: no alarm is lost, time never goes back.
//!
//! `now`, `set_alarm`, `on_interrupt` and `next_period` are those of embassy-stm32 0.6.0,
//! `time_driver/gp16.rs`, access by access. Each access takes time, as a trap does, and the
//! interrupt comes late by a random time.

use super::tests::Rig;
use super::*;
use crate::testing::recorder::Dice;

struct Gp16 {
    rig: Rig,
    random: Dice,
    period: u32,
    alarm: u64,
    queue: Vec<u64>,
    /// Alarms that rang: when they were for, and when they rang, in ticks.
    rung: Vec<(u64, u64)>,
    /// The latest time that `now` has returned.
    last: u64,
    masked: bool,
}

impl Gp16 {
    fn start(seed: u64) -> Self {
        let mut rig = Rig::microseconds(Line::Tim5);
        rig.write(CCR1, 0x8000);
        rig.write(DIER, UIF | 1 << 1);
        let (queue, rung) = (Vec::new(), Vec::new());
        let random = Dice(seed * 2 + 1);
        Self { rig, random, period: 0, alarm: u64::MAX, queue, rung, last: 0, masked: false }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random.word() % limit
    }

    /// The image computes; what is due in that time happens when it is.
    fn pass(&mut self, nanoseconds: u64) {
        let end = self.rig.bench.now + nanoseconds;
        while let Some(at) = self.rig.timer.next().filter(|at| *at <= end) {
            self.rig.bench.now = self.rig.bench.now.max(at);
            self.rig.advance();
        }
        self.rig.bench.now = end;
        while !self.masked && self.rig.is_high() {
            self.on_interrupt();
        }
    }

    fn read(&mut self, offset: u32) -> u32 {
        let delay = 100 + self.below(4_000);
        self.pass(delay);
        self.rig.read(offset)
    }

    fn write(&mut self, offset: u32, value: u32) {
        let delay = 100 + self.below(4_000);
        self.pass(delay);
        self.rig.write(offset, value);
    }

    fn now(&mut self) -> u64 {
        let period = self.period;
        let counter = self.read(CNT) as u16;
        let now = (u64::from(period) << 15) + u64::from(u32::from(counter) ^ ((period & 1) << 15));
        let true_now = self.rig.bench.now / 1_000;
        assert_eq!(now, true_now, "now() with period {period} and count {counter:#x}");
        assert!(now >= self.last, "time went back");
        self.last = now;
        now
    }

    fn on_interrupt(&mut self) {
        self.masked = true;
        let sr = self.read(SR);
        let dier = self.read(DIER);
        self.write(SR, !sr);
        if sr & 1 != 0 {
            self.next_period();
        }
        if sr & 2 != 0 {
            self.next_period();
        }
        if sr & dier & 4 != 0 {
            self.trigger_alarm();
        }
        self.masked = false;
    }

    fn next_period(&mut self) {
        self.period += 1;
        let t = u64::from(self.period) << 15;
        let dier = self.read(DIER);
        let soon = if self.alarm < t + 0xC000 { 4 } else { 0 };
        self.write(DIER, dier | soon);
    }

    fn trigger_alarm(&mut self) {
        loop {
            let now = self.now();
            self.queue.retain(|&at| {
                if at <= now {
                    self.rung.push((at, now));
                }
                at > now
            });
            let next = self.queue.iter().copied().min().unwrap_or(u64::MAX);
            if self.set_alarm(next) {
                return;
            }
        }
    }

    fn set_alarm(&mut self, timestamp: u64) -> bool {
        self.alarm = timestamp;
        let t = self.now();
        if timestamp <= t {
            return self.disarm();
        }
        self.write(CCR1 + 4, u32::from(timestamp as u16));
        let dier = self.read(DIER) & !4;
        let soon = if timestamp - t < 0xC000 { 4 } else { 0 };
        self.write(DIER, dier | soon);
        let t = self.now();
        if timestamp <= t {
            return self.disarm();
        }
        true
    }

    fn disarm(&mut self) -> bool {
        let dier = self.read(DIER);
        self.write(DIER, dier & !4);
        self.alarm = u64::MAX;
        false
    }

    fn schedule(&mut self, at: u64) {
        self.masked = true;
        self.queue.push(at);
        if self.queue.iter().min() == Some(&at) {
            self.trigger_alarm();
        }
        self.masked = false;
    }

    /// Sleeps: the interrupt is served as soon as the line is high.
    fn pass_in_slices(&mut self, nanoseconds: u64) {
        let end = self.rig.bench.now + nanoseconds;
        while self.rig.bench.now < end {
            let until = self.rig.timer.next().unwrap_or(end).clamp(self.rig.bench.now + 1, end);
            let nanoseconds = until - self.rig.bench.now;
            self.pass(nanoseconds);
        }
    }
}

#[test]
fn no_alarm_is_lost_and_time_never_goes_back() {
    let mut alarms = 0;
    for seed in 1..=40 {
        let mut driver = Gp16::start(seed);
        for _ in 0..200 {
            let now = driver.now();
            // From already over, over a few ticks, to beyond a whole round of the counter.
            let far = [1, 3, 20, 1_000, 0xBFFF, 0xC001, 0x2_0000][driver.below(7) as usize];
            let after = driver.below(far + 1);
            driver.schedule(now + after);
            alarms += 1;
            let wait = driver.below(12_000_000);
            // The processor sleeps or computes; interrupts come up to 200 us late.
            driver.masked = driver.below(4) == 0;
            let deaf = driver.below(200_000);
            driver.pass(deaf);
            driver.masked = false;
            driver.pass(0);
            driver.pass_in_slices(wait);
        }
        driver.pass_in_slices(300_000_000);
        assert_eq!(driver.queue, [], "alarms that never rang, seed {seed}");
        for (at, rang) in &driver.rung {
            assert!(at <= rang, "too early");
            assert!(rang - at < 400, "for {at}, rang {rang}, seed {seed}");
        }
        assert_eq!(driver.rung.len(), 200);
    }
    assert_eq!(alarms, 8_000);
}
