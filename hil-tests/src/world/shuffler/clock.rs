//! The world's time: a guest's own, step by step, or the time of day beside a board.

use std::time::{Duration, Instant};

use crate::bench::Bench;
use crate::error::Result;
use crate::link::Link;
use crate::qemu::{STEP, Steps};
use crate::wait::Waited;

/// The device looks at its inputs every millisecond; so does the world at its outputs.
const ROUND: Duration = Duration::from_millis(1);
/// The most the time of day goes on in one round: a world that had to wait for its host
/// goes on slower, so that no card seems to fly.
const LONGEST: Duration = Duration::from_millis(4);
/// How long the world waits for a guest before it looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(20);
/// A guest is held back when it is so far ahead of life, and hurries when so far behind.
const AHEAD: Duration = Duration::from_millis(4);
const BEHIND: Duration = Duration::from_millis(100);

/// What makes the world's time pass.
pub(super) enum Clock {
    /// The guest's, which waits for the world's.
    Shared {
        /// The guest's steps.
        steps: Steps,
        /// How many the world has gone too.
        gone: u64,
        /// What keeps both at the pace of life.
        pace: Option<Pace>,
    },
    /// The time of day.
    Own {
        /// When it was last looked at.
        looked: Instant,
    },
}

impl Clock {
    /// The clock of the device on `bench`.
    pub(super) fn of(bench: &dyn Bench, speed: Option<f64>) -> Self {
        match bench.steps() {
            Some(steps) => {
                let (gone, pace) = (steps.so_far(), speed.map(Pace::new));
                Self::Shared { steps, gone, pace }
            }
            None => Self::Own { looked: Instant::now() },
        }
    }

    /// Waits for the next round: how many microseconds have passed, and how many bytes the
    /// device has sent meanwhile. Nothing, if no time has passed yet.
    pub(super) fn pass(
        &mut self,
        line: &mut Link,
        bytes: &mut [u8],
    ) -> Result<Option<(u64, usize)>> {
        let (passed, count) = match self {
            Self::Shared { steps, gone, .. } => {
                let Waited::Came(came) = steps.after(*gone, GLANCE) else { return Ok(None) };
                *gone = came;
                (STEP, line.at_hand(bytes)?)
            }
            Self::Own { looked } => {
                let count = line.some(bytes, ROUND)?;
                let passed = looked.elapsed();
                *looked += passed;
                (passed.min(LONGEST), count)
            }
        };
        Ok(Some((passed.as_micros() as u64, count)))
    }

    /// Lets a guest that waits go on, not sooner than life would.
    pub(super) fn go_on(&mut self) -> Result<()> {
        let Self::Shared { steps, pace, .. } = self else { return Ok(()) };
        if let Some(pace) = pace {
            pace.hold_back();
        }
        steps.go_on()
    }
}

/// Keeps steps at a multiple of real time.
pub(super) struct Pace {
    step: Duration,
    due: Instant,
}

impl Pace {
    fn new(speed: f64) -> Self {
        Self { step: STEP.div_f64(speed.max(0.01)), due: Instant::now() }
    }

    fn hold_back(&mut self) {
        let now = Instant::now();
        let latest = now.checked_sub(BEHIND).unwrap_or(now);
        self.due = (self.due + self.step).max(latest);
        let ahead = self.due.saturating_duration_since(now);
        if ahead > AHEAD {
            std::thread::park_timeout(ahead); // woken early it goes on early: no harm
        }
    }
}
