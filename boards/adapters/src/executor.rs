//! Tasks run in an interrupt; the thread sleeps in WFI and keeps the idle account.
//!
//! embassy's thread executor idles with WFE, which also returns for an event that was set
//! before, so idle time could not be measured. So all tasks live in an `InterruptExecutor`
//! on an interrupt the chip has and no board uses (SWPMI1), at the lowest priority, and
//! `main` is left with nothing to do but sleep.

use core::cell::Cell;
use critical_section::Mutex;
use embassy_executor::{InterruptExecutor, SendSpawner};
use embassy_stm32::interrupt::{self, InterruptExt, Priority};
use embassy_time::Instant;

static EXECUTOR: InterruptExecutor = InterruptExecutor::new();
static ASLEEP_US: Mutex<Cell<u64>> = Mutex::new(Cell::new(0));

#[embassy_stm32::interrupt]
unsafe fn SWPMI1() {
    // SAFETY: this is the executor's own handler, unmasked only by `start`.
    unsafe { EXECUTOR.on_interrupt() }
}

/// Starts the executor, hands out its spawner, and sleeps between interrupts for ever.
///
/// A spawned task runs at once, since its interrupt is above this thread. So when `spawn`
/// returns, every task has come to its first wait, and the start is over.
pub fn run(spawn: impl FnOnce(SendSpawner)) -> ! {
    spawn(start());
    crate::roll::booted();
    loop {
        sleep();
    }
}

/// Starts the executor. Once only.
pub fn start() -> SendSpawner {
    interrupt::SWPMI1.set_priority(Priority::P15);
    EXECUTOR.start(interrupt::SWPMI1)
}

/// Sleeps until the next interrupt, and keeps account of it.
pub fn sleep() {
    // Interrupts are held back, not lost: WFI wakes on a pending one, the account is
    // written, and only then does the handler run. So handlers count as work.
    critical_section::with(|cs| {
        let before = Instant::now();
        cortex_m::asm::wfi();
        let slept = Instant::now().as_micros().saturating_sub(before.as_micros());
        let account = ASLEEP_US.borrow(cs);
        account.set(account.get().saturating_add(slept));
    });
}

/// How long the processor has slept in WFI since start, in microseconds.
pub fn asleep_us() -> u64 {
    critical_section::with(|cs| ASLEEP_US.borrow(cs).get())
}
