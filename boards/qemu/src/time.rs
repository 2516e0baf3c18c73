//! embassy's time on SysTick, for a machine that models no other timer.
//!
//! No crate does this: the driver must also nudge QEMU, whose UART does not tell the
//! main loop that a byte was read, so the next one would wait for the next timer
//! (re-arming any timer wakes that loop). SysTick is re-armed for the next alarm, never
//! further off than 50 ms, at which pace the roll call is judged too. It is the only clock
//! there is, so while it is held the guest's time stands still: see [`crate::step`].

use core::cell::RefCell;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::Waker;
use critical_section::{CriticalSection, Mutex};
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

const CONTROL: *mut u32 = 0xE000_E010 as *mut u32;
const RELOAD: *mut u32 = 0xE000_E014 as *mut u32;
const CURRENT: *mut u32 = 0xE000_E018 as *mut u32;
const ICSR: *mut u32 = 0xE000_ED04 as *mut u32;
/// Counting the processor clock, with interrupt.
const RUNNING: u32 = 0b111;
const PENDING: u32 = 1 << 26;
const CLEAR_PENDING: u32 = 1 << 25;

/// The longest SysTick runs before it is re-armed.
const LONGEST_US: u32 = 50_000;
/// How far guest and world go before they wait for each other.
const STEP_US: u64 = 1_000;
/// The shortest alarm: re-arming itself takes a moment.
const SHORTEST_US: u32 = 2;

/// Counts of the running period, and the time before it.
struct Count {
    base_us: u64,
    /// Counts before this period that do not fill a microsecond.
    carry: u32,
    reload: u32,
    counts_per_us: u32,
    /// When the guest next waits for its world; never, if it has none.
    step_us: u64,
}

impl Count {
    /// Counts since `base_us`.
    fn elapsed(&self) -> u32 {
        // SAFETY: reads of SysTick and ICSR; all users hold a critical section.
        let (mut current, pending) =
            unsafe { (CURRENT.read_volatile(), ICSR.read_volatile() & PENDING != 0) };
        if pending {
            // The period ended, perhaps between the two reads: read again, and count it.
            // SAFETY: as above.
            current = unsafe { CURRENT.read_volatile() };
        }
        // Zero is the moment between two periods, and the state just after a start.
        let this = if current == 0 { 0 } else { self.reload.saturating_sub(current) };
        self.carry + this + if pending { self.reload + 1 } else { 0 }
    }

    fn now(&self) -> u64 {
        self.base_us + u64::from(self.elapsed() / self.counts_per_us.max(1))
    }

    /// Folds the running period into the base and starts one of `us` microseconds.
    fn restart(&mut self, us: u32) {
        let elapsed = self.elapsed();
        self.base_us += u64::from(elapsed / self.counts_per_us.max(1));
        self.carry = elapsed % self.counts_per_us.max(1);
        self.reload = us * self.counts_per_us - 1;
        // SAFETY: SysTick is this driver's own; a period just folded must not fire too.
        unsafe {
            ICSR.write_volatile(CLEAR_PENDING);
            RELOAD.write_volatile(self.reload);
            CURRENT.write_volatile(0);
        }
    }
}

struct SysTickDriver {
    count: Mutex<RefCell<Count>>,
    queue: Mutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static DRIVER: SysTickDriver = SysTickDriver {
    count: Mutex::new(RefCell::new(Count {
        base_us: 0,
        carry: 0,
        reload: 0,
        counts_per_us: 0,
        step_us: u64::MAX,
    })),
    queue: Mutex::new(RefCell::new(Queue::new())),
});

impl Driver for SysTickDriver {
    fn now(&self) -> u64 {
        critical_section::with(|cs| self.count.borrow_ref(cs).now())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        critical_section::with(|cs| {
            if self.queue.borrow_ref_mut(cs).schedule_wake(at, waker) {
                self.arm(cs);
            }
        });
    }
}

impl SysTickDriver {
    /// Wakes what is due and starts a period that ends at the next alarm.
    fn arm(&self, cs: CriticalSection<'_>) {
        let mut count = self.count.borrow_ref_mut(cs);
        let now = count.now();
        let next = self.queue.borrow_ref_mut(cs).next_expiration(now).min(count.step_us);
        let wait = next.saturating_sub(now).clamp(SHORTEST_US.into(), LONGEST_US.into());
        count.restart(wait as u32); // clamped to 16 bits
    }
}

/// Starts time, or carries it on at another clock: `mhz` counts per microsecond.
///
/// Counts made since the clock changed are taken for counts of the clock before, so
/// time before the second call is never told too short.
pub fn start(mhz: u32) {
    critical_section::with(|cs| {
        let mut count = DRIVER.count.borrow_ref_mut(cs);
        let now = count.now();
        let step_us = count.step_us;
        *count = Count { base_us: now, carry: 0, reload: 0, counts_per_us: mhz, step_us };
        // SAFETY: SysTick off, re-armed, then on from the processor clock with interrupt.
        unsafe { CONTROL.write_volatile(0) };
        count.restart(LONGEST_US.min(0x00FF_FFFF / mhz.max(1)));
        // SAFETY: as above.
        unsafe { CONTROL.write_volatile(RUNNING) };
    });
}

/// Wakes QEMU's main loop: stopping and starting a timer does, and keeps its count.
pub fn nudge_host() {
    let settings = [RUNNING & !1, RUNNING];
    let held = HELD.load(Ordering::Relaxed);
    let [first, last] = if held { [settings[1], settings[0]] } else { settings };
    // SAFETY: SysTick is this driver's own; turned over and back between two instructions.
    unsafe {
        CONTROL.write_volatile(first);
        CONTROL.write_volatile(last);
    }
}

/// From now on the guest waits for its world whenever a step has passed.
pub fn keep_step() {
    critical_section::with(|cs| {
        let mut count = DRIVER.count.borrow_ref_mut(cs);
        count.step_us = count.now().next_multiple_of(STEP_US);
        drop(count);
        DRIVER.arm(cs);
    });
}

static HELD: AtomicBool = AtomicBool::new(false);

/// Holds SysTick, and with it the guest's time, while the world comes as far.
fn wait_for_world() {
    // SAFETY: SysTick is this driver's own; stopped and started, it keeps its count.
    unsafe { CONTROL.write_volatile(RUNNING & !1) };
    HELD.store(true, Ordering::Relaxed);
    crate::step::exchange();
    HELD.store(false, Ordering::Relaxed);
    // SAFETY: as above.
    unsafe { CONTROL.write_volatile(RUNNING) };
}

/// How many SysTick counts `work` takes, interrupts and all, up to 16 million.
///
/// Under `-icount` a count is a fixed share of an instruction, so this is exact.
pub fn stopwatch(work: impl FnOnce()) -> u32 {
    const FULL: u32 = 0x00FF_FFFF;
    critical_section::with(|cs| {
        let mut count = DRIVER.count.borrow_ref_mut(cs);
        count.restart(LONGEST_US);
        // SAFETY: SysTick is this driver's own; it runs on with the longest period.
        unsafe {
            RELOAD.write_volatile(FULL);
            CURRENT.write_volatile(0);
        }
        count.reload = FULL;
    });
    work();
    // SAFETY: a read of SysTick.
    let taken = FULL.saturating_sub(unsafe { CURRENT.read_volatile() });
    critical_section::with(|cs| DRIVER.arm(cs));
    taken
}

#[cortex_m_rt::exception]
fn SysTick() {
    let due = critical_section::with(|cs| {
        let mut count = DRIVER.count.borrow_ref_mut(cs);
        count.base_us += u64::from((count.reload + 1) / count.counts_per_us.max(1));
        let due = count.base_us >= count.step_us;
        if due {
            count.step_us += STEP_US;
        }
        due
    });
    if due {
        wait_for_world();
    }
    critical_section::with(|cs| DRIVER.arm(cs));
    adapters::roll::judge(crate::watchdog::feed);
}
