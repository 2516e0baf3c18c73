//! The bench all behaviour tests talk to, wherever the device runs.
//!
//! A bench is one device with its supply, keys, lamps, log and links. What tests
//! wait for is kept in [`Pins`] and [`Log`], filled by the bench's threads; so
//! every waiting method is written here once, for QEMU and for every rig.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::{BenchError, Result, Tail};
use crate::link::Link;
use crate::log::{Line, Log};
use crate::pins::{Edge, Mark, Pins};
use crate::plan::{Kind, Plan, Wiring};
use crate::qemu::{Guest, Setup, Steps};
use crate::rig::Rig;
use crate::wait::{Waited, Watched};

/// Generous, because a loaded machine may be slow; a good run never waits this long.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// How many log lines a failure shows.
const TAIL: usize = 12;

/// How often a wait for the device's time looks at its clock.
const LOOK: Duration = Duration::from_millis(2);

/// Opens `device` on the bench that `BENCH` names, powered off.
pub fn open(device: &str) -> Result<Box<dyn Bench>> {
    let plan = Plan::chosen()?;
    match plan.kind {
        Kind::Qemu => Ok(Box::new(Guest::open(&plan, Setup::new(device))?)),
        Kind::Hardware => Ok(Box::new(Rig::open(&plan, device)?)),
    }
}

/// As [`open`], but device time is exact: QEMU counts instructions and skips idle time.
///
/// For limits on the device's own time, which a loaded host must not spoil.
pub fn open_timed(device: &str) -> Result<Box<dyn Bench>> {
    let plan = Plan::chosen()?;
    match plan.kind {
        // 32 ns an instruction: slower than the chip, so a limit kept here is kept there.
        Kind::Qemu => Ok(Box::new(Guest::open(&plan, Setup::new(device).icount(5))?)),
        Kind::Hardware => open(device),
    }
}

/// Fingers on a device's inputs. A simulated world holds one in a thread of its own.
pub trait Hand: Send + Sync {
    /// Holds `input` on or lets it rest, through resets, until told otherwise.
    fn set(&self, input: &str, on: bool) -> Result<()>;
    /// Taps `input` on; the reset this provokes lets go of it.
    fn trip(&self, input: &str) -> Result<()>;
}

/// Who a device says it is, from the first line of its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Who made it, and what it is: `croupier card shuffler`.
    pub name: String,
    /// The board it runs on.
    pub board: String,
    /// The chip's unique id.
    pub serial: String,
    /// The firmware's version.
    pub version: String,
    /// What it was built from and with.
    pub build: String,
}

impl Identity {
    /// Reads `croupier card shuffler 0.1.0 (1a2b3c, release, rustc 1.95.0) on b-l475e-iot01a, serial 0123…`.
    pub fn read(line: &str) -> Option<Self> {
        let (named, rest) = line.split_once(" (")?;
        let (name, version) = named.rsplit_once(' ')?;
        let (build, rest) = rest.split_once(") on ")?;
        let (board, serial) = rest.split_once(", serial ")?;
        let [name, board, serial, version, build] =
            [name, board, serial, version, build].map(str::to_owned);
        Some(Self { name, board, serial, version, build })
    }
}

/// One device on a bench. Dropping it cuts the power.
pub trait Bench: Send {
    /// The device's name and pins.
    fn wiring(&self) -> &Wiring;
    /// The pins, now and since the bench opened.
    fn pins(&self) -> &Arc<Pins>;
    /// The log since the bench opened.
    fn log(&self) -> &Arc<Log>;
    /// Fingers on the inputs; stays good across power cuts.
    fn hand(&self) -> Arc<dyn Hand>;
    /// Switches the supply on but holds the device before its first instruction.
    fn power_on_held(&mut self) -> Result<()>;
    /// Lets a held device run.
    fn go(&mut self) -> Result<()>;
    /// Cuts the power at once, in the middle of whatever the device does.
    fn cut_power(&mut self) -> Result<()>;
    /// Pulls the reset line.
    fn reset(&mut self) -> Result<()>;
    /// Opens a serial link; bytes sent before were not kept.
    fn link(&mut self, name: &str) -> Result<Link>;
    /// The steps of a device whose time waits for the world beside it. A real one's does not.
    fn steps(&self) -> Option<Steps> {
        None
    }
    /// The device's own time in microseconds; a real device's clock cannot be read.
    fn device_us(&self) -> Result<Option<u64>> {
        Ok(None)
    }
    /// The rule of the chip that the image has broken, if it has.
    fn breach(&self) -> Option<String> {
        None
    }
    /// How often the watchdog had to reset a device that stopped feeding it.
    fn watchdog_resets(&self) -> usize;
    /// Marks the run as failed, so that everything is kept, and says where.
    fn keep(&self) -> Option<std::path::PathBuf>;

    /// The device's name.
    fn device(&self) -> &str {
        &self.wiring().device
    }

    /// Switches the supply on.
    fn power_on(&mut self) -> Result<()> {
        self.power_on_held()?;
        self.go()
    }

    /// Switches on and waits until the device says that it is ready.
    fn boot(&mut self) -> Result<()> {
        self.power_on()?;
        self.await_log("ready after").map(drop)
    }

    /// Presses a key and holds it.
    fn press(&self, key: &str) -> Result<()> {
        self.hand().set(key, true)
    }

    /// Lets a key go.
    fn release(&self, key: &str) -> Result<()> {
        self.hand().set(key, false)
    }

    /// Whether `pin` is lit, raised or pressed now.
    fn is_on(&self, pin: &str) -> Result<bool> {
        self.wiring().known(pin)?;
        Ok(self.pins().is_on(pin))
    }

    /// Waits until `pin` is `on`.
    fn await_pin(&self, pin: &str, on: bool) -> Result<()> {
        self.await_pin_within(pin, on, PATIENCE)
    }

    /// As [`Bench::await_pin`], with a deadline of one's own.
    fn await_pin_within(&self, pin: &str, on: bool, within: Duration) -> Result<()> {
        self.wiring().known(pin)?;
        let waited = self.pins().wait_level(pin, on, within);
        with_story(self, waited, within, || format!("`{pin}` to be {}", word(on)))
    }

    /// Waits until all of `pins` are `on` at the same moment.
    fn await_pins(&self, pins: &[&str], on: bool) -> Result<()> {
        pins.iter().try_for_each(|pin| self.wiring().known(pin))?;
        let waited = self.pins().wait_all(pins, on, PATIENCE);
        with_story(self, waited, PATIENCE, || {
            format!("{} to be {} together", pins.join(", "), word(on))
        })
    }

    /// Waits for the next time after `mark` that `pin` goes `on`; also the moment after it.
    fn await_edge(&self, pin: &str, on: bool, mark: Mark) -> Result<(Edge, Mark)> {
        self.wiring().known(pin)?;
        let waited = self.pins().wait_edge(pin, on, mark, PATIENCE);
        with_story(self, waited, PATIENCE, || format!("`{pin}` to go {}", word(on)))
    }

    /// Waits for the next log line that contains `words`.
    fn await_log(&self, words: &str) -> Result<Line> {
        self.await_log_within(words, PATIENCE)
    }

    /// As [`Bench::await_log`], with a deadline of one's own.
    fn await_log_within(&self, words: &str, within: Duration) -> Result<Line> {
        let waited = self.log().next(words, within);
        with_story(self, waited, within, || format!("the log line `{words}`"))
    }

    /// Lets so much of the device's time pass; a real device's is the time of day.
    fn let_pass(&self, time: Duration) -> Result<()> {
        let idle = Watched::new(());
        let what = || format!("{} ms of its time to pass", time.as_millis());
        let Some(begun) = self.device_us()? else {
            idle.wait(time, |()| None::<()>);
            return Ok(());
        };
        let (due, patience) = (begun + time.as_micros() as u64, Instant::now() + PATIENCE);
        while self.device_us()?.is_some_and(|now| now < due) {
            let late = Instant::now() >= patience || self.breach().is_some();
            let waited = if late { Waited::RanOut } else { idle.wait(LOOK, |()| None::<()>) };
            if late || waited == Waited::Interrupted {
                return with_story(self, waited, PATIENCE, what);
            }
        }
        Ok(())
    }

    /// Waits for the device to say who it is; the first line of a boot.
    fn await_identity(&self) -> Result<Identity> {
        let line = self.await_log(", serial ")?.message;
        Identity::read(&line).ok_or_else(|| BenchError::NotAsAgreed {
            device: self.device().into(),
            line,
            wanted: "an identity: `<name> <version> (<build>) on <board>, serial <hex>`",
        })
    }
}

/// Turns how a wait ended into a result with the whole story.
fn with_story<T, B: Bench + ?Sized>(
    bench: &B,
    waited: Waited<T>,
    within: Duration,
    what: impl FnOnce() -> String,
) -> Result<T> {
    let tail = || Tail { lines: bench.log().last(TAIL), kept: bench.keep() };
    let device = || bench.device().to_owned();
    match (waited, bench.breach()) {
        (Waited::Came(it), _) => Ok(it),
        (Waited::Interrupted, _) => Err(BenchError::Interrupted),
        (Waited::RanOut, Some(words)) => {
            Err(BenchError::Breach { device: device(), words, tail: tail() })
        }
        (Waited::RanOut, None) => Err(BenchError::TimedOut {
            device: device(),
            what: what(),
            waited: within,
            tail: tail(),
        }),
    }
}

fn word(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_read_from_its_line() {
        let line = "croupier card shuffler 0.1.0 (1a2b3c-dirty, release, rustc 1.95.0) on b-l475e-iot01a, serial 0011aabb";
        let said = Identity::read(line).unwrap();
        assert_eq!(said.name, "croupier card shuffler");
        assert_eq!(said.board, "b-l475e-iot01a");
        assert_eq!(said.serial, "0011aabb");
        assert_eq!(said.version, "0.1.0");
        assert_eq!(said.build, "1a2b3c-dirty, release, rustc 1.95.0");
        assert_eq!(Identity::read("reader is here"), None);
    }
}
