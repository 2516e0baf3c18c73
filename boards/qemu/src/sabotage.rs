//! Faults on demand, so that tests can see what the device makes of them.
//!
//! Pins only the bench can reach, on this board only: no image for silicon holds any
//! of this. Each pin, when raised, makes one thing go wrong inside the running image.

use crate::host;
use adapters::roll;
use core::hint::black_box;
use croupier::panel::ports::Attendance;
use croupier::safety::Duty;
use embassy_futures::select::{Either, Either5, select, select5};
use embassy_stm32::exti::ExtiInput;
use embassy_stm32::gpio::Input;
use embassy_stm32::mode::Async;
use embassy_time::Timer;

/// An input the bench raises.
type Trigger = ExtiInput<'static, Async>;

/// The triggers, named for what they break.
pub struct Sabotage {
    /// A case held impossible.
    pub panic: Trigger,
    /// A load from an address where nothing is.
    pub hard_fault: Trigger,
    /// A task that spins.
    pub hang: Trigger,
    /// A task that waits for ever and misses roll call.
    pub stall: Trigger,
    /// Interrupts off and spinning: only the watchdog outside can help.
    pub dead: Trigger,
}

/// A power cut at one exact step of the store: the `cut=`-th after its pin was raised.
pub struct PowerCut {
    armed: Input<'static>,
    steps_left: Option<u32>,
}

impl PowerCut {
    /// None, unless the bench asked for one.
    pub fn new(armed: Input<'static>) -> Self {
        Self { armed, steps_left: host::value("cut").and_then(|steps| steps.parse().ok()) }
    }

    /// Counts a step that is about to be made; at the last one the power is gone.
    pub fn before_step(&mut self) {
        match &mut self.steps_left {
            Some(0 | 1) if self.armed.is_high() => semihosting::process::exit(0),
            Some(left) if self.armed.is_high() => *left -= 1,
            _ => {}
        }
    }
}

/// Waits for a trigger and does the harm. Answers for the game's duty till then.
#[embassy_executor::task]
pub async fn saboteur(mut on: Sabotage) {
    let mut attendee = roll::attend(Duty::Game);
    loop {
        attendee.here();
        let trigger = select5(
            on.panic.wait_for_high(),
            on.hard_fault.wait_for_high(),
            on.hang.wait_for_high(),
            on.stall.wait_for_high(),
            on.dead.wait_for_high(),
        );
        match select(trigger, Timer::after_millis(100)).await {
            Either::Second(()) => {}
            Either::First(Either5::First(())) => panic!("sabotaged"),
            Either::First(Either5::Second(())) => {
                // SAFETY: none, on purpose: nothing is mapped there, so the load faults.
                black_box(unsafe { (0x6000_0000 as *const u32).read_volatile() });
            }
            Either::First(Either5::Third(())) => loop {
                core::hint::spin_loop();
            },
            Either::First(Either5::Fourth(())) => core::future::pending().await,
            Either::First(Either5::Fifth(())) => {
                cortex_m::interrupt::disable();
                loop {
                    core::hint::spin_loop();
                }
            }
        }
    }
}
