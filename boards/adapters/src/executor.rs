//! Tasks run in interrupts; the thread only sleeps.
//!
//! All tasks live in `InterruptExecutor`s on interrupts the chip has and no board uses, so that
//! the prompt ones interrupt the long ones, and `main` is left with nothing to do but WFI.
//!
//! There are two. The main one (SWPMI1) has all that must be prompt: links, services, moving
//! cards. None of its tasks computes for more than a millisecond, and [`MainTurn`] lets only one
//! of those that compute at all do so in a run. The lower one (SAI2) has all that may
//! take long: reading a card, drawing an order. The main one interrupts it at any time.

use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll};
use croupier::ports::Turn;
use embassy_executor::{InterruptExecutor, SendSpawner};
use embassy_stm32::interrupt::{self, InterruptExt, Priority};

static MAIN: InterruptExecutor = InterruptExecutor::new();
static LOWER: InterruptExecutor = InterruptExecutor::new();
/// Whether some task has had its turn in this run of the main executor.
static TURN_TAKEN: AtomicBool = AtomicBool::new(false);

#[embassy_stm32::interrupt]
unsafe fn SWPMI1() {
    TURN_TAKEN.store(false, Ordering::Relaxed);
    // SAFETY: this is the executor's own handler, unmasked only by `start`.
    unsafe { MAIN.on_interrupt() }
}

#[embassy_stm32::interrupt]
unsafe fn SAI2() {
    // SAFETY: this is the executor's own handler, unmasked only by `start_lower`.
    unsafe { LOWER.on_interrupt() }
}

/// Starts both executors, hands out their spawners, the main one's first, and sleeps between
/// interrupts for ever.
///
/// A spawned task runs at once, since its interrupt is above this thread. So when `spawn`
/// returns, every task has come to its first wait, and the start is over.
pub fn run(spawn: impl FnOnce(SendSpawner, SendSpawner)) -> ! {
    spawn(start(), start_lower());
    crate::task_watchdog::booted();
    loop {
        cortex_m::asm::wfi();
    }
}

/// Starts the main executor. Once only.
pub fn start() -> SendSpawner {
    interrupt::SWPMI1.set_priority(Priority::P14);
    MAIN.start(interrupt::SWPMI1)
}

/// Starts the lower executor. Once only.
fn start_lower() -> SendSpawner {
    interrupt::SAI2.set_priority(Priority::P15);
    LOWER.start(interrupt::SAI2)
}

/// Turns of the main executor. To be waited for by its tasks before each piece of work of some
/// ten thousand instructions: several of them may be ready at once, and the task that moves
/// cards would have to wait for all.
pub struct MainTurn;

/// All who ask are on one executor, one after the other: a load and a store are enough.
impl Turn for MainTurn {
    fn poll_turn<T>(
        &self,
        context: &mut Context<'_>,
        work: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        if TURN_TAKEN.load(Ordering::Relaxed) {
            context.waker().wake_by_ref(); // in the next run
            return Poll::Pending;
        }
        let polled = work(context);
        TURN_TAKEN.store(polled.is_ready(), Ordering::Relaxed);
        polled
    }
}
