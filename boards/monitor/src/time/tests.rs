use super::*;

/// SysTick as QEMU models it, with a clock of its own.
#[derive(Debug, Default)]
struct SysTick {
    clock: std::cell::Cell<u64>,
    reload: u32,
    /// When the running period ends, and how long it is; the first tick loads it.
    ends: std::cell::Cell<u64>,
    period: std::cell::Cell<u64>,
    pending: std::cell::Cell<bool>,
    held: bool,
}

impl SysTick {
    fn begin(&self) {
        self.period.set(u64::from(self.reload) + 1);
        self.ends.set(self.clock.get() + self.period.get());
    }
    fn pass(&self, ticks: u64) {
        for _ in 0..if self.held { 0 } else { ticks } {
            self.clock.set(self.clock.get() + 1);
            if self.clock.get() == self.ends.get() {
                self.pending.set(true);
                self.begin();
            }
        }
    }
}

impl Counter for SysTick {
    fn current(&self) -> u32 {
        self.pass(1); // a read takes its time
        let left = self.ends.get() - self.clock.get();
        if left == self.period.get() { 0 } else { left as u32 }
    }
    fn set_reload(&mut self, reload: u32) {
        self.reload = reload;
    }
    fn restart(&mut self) {
        self.begin();
        self.pending.set(false);
    }
    fn is_pending(&self) -> bool {
        self.pending.get()
    }
    fn stop(&mut self) {
        self.held = true;
    }
    fn run(&mut self) {
        self.held = false;
    }
}

fn started(exact: bool) -> Time<SysTick> {
    Time::start(SysTick::default(), exact)
}

fn within(reported: Ns, real_ticks: u64, slack: u64) -> bool {
    let (reported, slack) = (ticks(reported), slack);
    reported <= real_ticks + slack && reported + slack >= real_ticks
}

#[test]
fn ticks_and_nanoseconds_are_each_other() {
    assert_eq!(ns(80_000_000), 1_000_000_000);
    assert_eq!(ticks(1_000), 80);
    assert_eq!(ticks(1), 1);
    for at in 0..10_000 {
        assert!(ns(ticks(at)) >= at && ns(ticks(at)) < at + 13);
    }
}

#[test]
fn time_follows_the_count_whatever_is_armed_and_never_goes_back() {
    for exact in [true, false] {
        let mut time = started(exact);
        let (mut state, mut before) = (9_u64, 0);
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            time.counter().pass(state >> 33 & 0xFFF);
            let rings = time.counter().is_pending();
            if rings {
                time.counter.pending.set(false);
                time.rang();
            }
            let now = time.now();
            assert!(now >= before, "time went back");
            before = now;
            if rings || state >> 50 & 3 == 0 {
                time.leave(now + (state >> 20 & 0xF_FFFF));
            }
        }
        let real = time.counter().clock.get();
        // A tick may be lost where a period is loaded again; and a look takes one, which is the
        // monitor's own.
        assert!(
            within(before, real, if exact { 2_000 } else { 10_000 }),
            "{exact}: {} of {real}",
            ticks(before)
        );
    }
}

#[test]
fn an_alarm_rings_when_it_is_due_and_not_before_the_wait_is_over() {
    let mut time = started(true);
    time.leave(1_000_000);
    let mut rings = 0;
    while time.now() < 1_000_000 {
        time.counter().pass(100);
        if time.counter().is_pending() {
            time.counter.pending.set(false);
            time.rang();
            rings += 1;
            time.leave(1_000_000);
        }
    }
    assert_eq!(rings, 1);
    assert!(time.now() < 1_010_000);
}

#[test]
fn a_late_handler_loses_nothing_when_instructions_are_counted() {
    let mut time = started(true);
    time.leave(1_000_000);
    time.counter().pass(40);
    time.now(); // sets the longest period
    time.counter().pass(8_000_000);
    time.rang();
    assert!(within(time.now(), 8_000_040, 16));
}

#[test]
fn a_stall_of_the_host_is_not_the_devices_time() {
    let mut time = started(false);
    time.leave(1_000_000);
    time.counter().pass(40);
    time.now();
    time.counter().pass(8_000_000); // 100 ms
    time.rang();
    let now = time.now();
    assert!((1_000_000..1_250_000).contains(&now), "{now}");
    let later = time.now();
    assert!(later >= now && later < now + 100_000);
}

#[test]
fn the_monitors_own_time_is_not_the_devices() {
    for exact in [true, false] {
        for at in [10_000, 1_000_000] {
            let mut time = started(exact);
            time.leave(1_000_000);
            time.counter().pass(8_000);
            let before = time.enter();
            time.counter().pass(800);
            time.leave(before + at); // alarm loaded again, and left as it is
            let passed = time.now() - before;
            assert!(passed < 500, "{exact}, {at}: {passed}");
        }
    }
}

#[test]
fn runs_of_the_monitor_cost_the_image_no_time_and_lose_none() {
    let mut time = started(true);
    let mut image = 0;
    for run in 0..1_000 {
        let ticks = 37 + run % 400;
        time.counter().pass(ticks);
        image += ticks;
        let now = time.enter();
        if time.counter().is_pending() {
            time.counter.pending.set(false);
            time.rang();
        }
        time.counter().pass(400);
        // Now near, so that the alarm is loaded again, now far, so that it is left.
        time.leave(now + if run % 3 == 0 { 2_000 } else { 900_000 });
    }
    // Each look at the count takes a tick, and so does each load.
    assert!(within(time.now(), image, 5_000), "{} of {image}", ticks(time.now()));
}

#[test]
fn an_alarm_is_left_by_runs_that_ask_for_none_earlier() {
    let mut time = started(true);
    time.leave(100_000);
    let mut rings = 0;
    while time.enter() < 100_000 {
        time.leave(100_000);
        time.counter().pass(10);
        if time.counter().is_pending() {
            time.counter.pending.set(false);
            time.rang();
            rings += 1;
        }
    }
    assert_eq!(rings, 1);
}

#[test]
fn an_image_that_polls_sees_time_pass_although_the_host_has_not_begun_the_period() {
    let mut time = started(false);
    time.counter().pass(8_000);
    let begun = time.enter();
    time.counter().stop(); // as a main loop that is not scheduled
    time.leave(begun + 1_000_000);
    for _ in 0..20 {
        let now = time.enter();
        time.leave(now + 1_000_000);
    }
    let passed = time.now() - begun;
    assert!((20_000..100_000).contains(&passed), "{passed}");
}

#[test]
fn a_stall_of_the_host_at_the_very_start_does_not_wrap_time() {
    let mut time = started(false);
    time.leave(1_000_000);
    time.counter().pass(100);
    let begun = time.enter();
    time.counter().pass(400_000); // 5 ms of its own work: more than ever passed
    time.leave(2_000_000); // the alarm stays as it is
    if time.counter().is_pending() {
        time.counter.pending.set(false);
        time.rang();
    }
    let passed = time.enter() - begun;
    assert!(passed < 2_000_000, "{passed}");
}

#[test]
fn whatever_the_host_does_time_neither_jumps_nor_goes_back() {
    for seed in 1..5_u64 {
        let mut time = started(false);
        let (mut state, mut before) = (seed, 0);
        for _ in 0..150 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Mostly short; now and then the host is away, in the image or in the monitor.
            let stall = |bits: u64| if bits & 0xF == 0 { 1_000_000 } else { bits & 0x3FF };
            let image = stall(state >> 33);
            time.counter().pass(image);
            if time.counter().is_pending() {
                time.counter.pending.set(false);
                time.rang();
            }
            let now = time.enter();
            let most = ns(image + FARTHEST + u64::from(LATE) + 100);
            assert!(now >= before && now - before <= most, "{seed}: from {before} to {now}");
            time.counter().pass(stall(state >> 40));
            time.leave(now + (state >> 20 & 0x3F_FFFF));
            before = now;
        }
    }
}
