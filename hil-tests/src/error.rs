//! What can go wrong on the bench, each in one sentence.
//!
//! A failed test is read by someone who did not write it, often from a CI page
//! only. So every sentence names what was awaited and for how long, and a wait
//! that ran out carries the last log lines and the place where the rest is kept.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// What every bench call returns.
pub type Result<T, E = BenchError> = std::result::Result<T, E>;

/// Why the bench could not do what the test asked.
#[derive(thiserror::Error)]
pub enum BenchError {
    /// The device's firmware was never built.
    #[error("image {} is missing: run `cargo xtask build`", .0.display())]
    MissingImage(PathBuf),
    /// The image is not one the bench can read.
    #[error("image {} cannot be used: {why}", path.display())]
    BadImage {
        /// The image's place.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// No emulator on this machine.
    #[error("QEMU is missing: there is no program `{0}`; run `cargo xtask setup`")]
    MissingQemu(String),
    /// `BENCH` names no rig.
    #[error("rig `{name}` is unknown: known are {}", known.join(", "))]
    UnknownRig {
        /// The name that was asked for.
        name: String,
        /// The rigs there are.
        known: Vec<String>,
    },
    /// The rig's description cannot be used.
    #[error("rig file {} is wrong: {why}", path.display())]
    BadRig {
        /// The rig's file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Someone else is using the rig.
    #[error("rig `{0}` is busy: another run holds it, wait for that run to end")]
    BusyRig(String),
    /// The wiring knows no such thing.
    #[error("{device} has no {kind} `{name}`: known are {}", known.join(", "))]
    Unwired {
        /// The device.
        device: String,
        /// Pin, input or link.
        kind: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A wait ran out.
    #[error("{device}: waited {} for {what}, in vain{tail}", show(*waited))]
    TimedOut {
        /// The device.
        device: String,
        /// What was awaited.
        what: String,
        /// For how long.
        waited: Duration,
        /// The last log lines, and where the rest is.
        tail: Tail,
    },
    /// The image did what the chip's manual forbids, and the monitor ended the run.
    #[error("{device} broke a rule of the chip: {words}{tail}")]
    Breach {
        /// The device.
        device: String,
        /// Register, value, rule and program counter, in the monitor's words.
        words: String,
        /// The last log lines, and where the rest is.
        tail: Tail,
    },
    /// The device was asked something while its power is off.
    #[error("{0} is switched off")]
    Off(String),
    /// A tool of the bench answered with a refusal.
    #[error("{tool} refused `{asked}`: {answer}")]
    Refused {
        /// Which tool.
        tool: &'static str,
        /// What was asked.
        asked: String,
        /// Its words.
        answer: String,
    },
    /// A line in the log is not as agreed.
    #[error("{device} says `{line}`, which is not {wanted}")]
    NotAsAgreed {
        /// The device.
        device: String,
        /// The line it logged.
        line: String,
        /// What was agreed.
        wanted: &'static str,
    },
    /// Reading or writing failed.
    #[error("{doing}: {source}")]
    Io {
        /// What the bench was doing.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
    /// Someone pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl BenchError {
    /// Wraps a system error with what the bench was doing.
    pub fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }
}

// A test that returns an error has it printed with `Debug`: let it be the sentence.
impl fmt::Debug for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The end of the log, for the reader of a failure.
#[derive(Debug, Default)]
pub struct Tail {
    /// The last lines.
    pub lines: Vec<String>,
    /// Where the whole log is kept.
    pub kept: Option<PathBuf>,
}

impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines.is_empty() {
            write!(f, "; it has logged nothing")?;
        } else {
            write!(f, "; its last log lines:")?;
            for line in &self.lines {
                write!(f, "\n    {line}")?;
            }
        }
        match &self.kept {
            Some(path) => write!(f, "\n  everything is kept in {}", path.display()),
            None => Ok(()),
        }
    }
}

fn show(waited: Duration) -> String {
    if waited < Duration::from_secs(1) {
        format!("{} ms", waited.as_millis())
    } else {
        format!("{:.1} s", waited.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_that_ran_out_names_what_for_how_long_and_the_last_lines() {
        let tail =
            Tail { lines: vec!["0.000001 INFO hello".into()], kept: Some("/kept/here".into()) };
        let error = BenchError::TimedOut {
            device: "reader".into(),
            what: "lamp `ready` to be lit".into(),
            waited: Duration::from_millis(1500),
            tail,
        };
        let said = format!("{error:?}");
        for part in ["reader", "1.5 s", "lamp `ready` to be lit", "INFO hello", "/kept/here"] {
            assert!(said.contains(part), "{said}");
        }
    }
}
