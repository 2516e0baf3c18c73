//! How long an image holds its processor: rows for the bench's table.
//!
//! A hold is a run of the main executor's interrupt, seen from outside by the monitor. Part of it
//! is waiting for flash, 85 us a word, so a count of instructions would not tell its length. An
//! instruction takes 16 ns here: 1.28 cycles at 80 MHz, what code from flash takes about.

use super::Lockstep;
use crate::error::Result;
use crate::report::Row;

/// An instruction takes 2^4 ns.
const SHIFT: u8 = 4;

/// How long tasks of an image ran without a pause, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holds {
    /// At any time.
    pub ever: u32,
    /// While cards moved, or a round was played.
    pub busy: u32,
}

/// Plays the device's work with its store warm: `rounds` pieces of it, and an attestation.
pub fn measure(device: &str, rounds: u16) -> Result<Holds> {
    let mut table = Lockstep::usual_of(device, |setup| setup.icount(SHIFT))?;
    table.set_up(device)?;
    let mut busy = 0;
    for round in 1..=rounds {
        busy = busy.max(longest(&mut table, |table| match device {
            "shuffler" => table.shuffle_to_certificate(),
            _ => table.work(device, round),
        })?);
        if device == "shuffler" {
            table.release()?;
        }
    }
    if device == "reader" {
        busy = busy.max(longest(&mut table, Lockstep::teach_one)?);
    }
    table.attest()?;
    Ok(Holds { ever: table.guest.tally()?.longest_run_ns.div_ceil(1000), busy })
}

/// The longest hold during `work`.
fn longest(table: &mut Lockstep, work: impl FnOnce(&mut Lockstep) -> Result<()>) -> Result<u32> {
    table.guest.forget_recent_run()?;
    work(table)?;
    Ok(table.guest.tally()?.recent_run_ns.div_ceil(1000))
}

/// A row for each: ever, and while busy.
pub fn rows(device: &str, rounds: u16) -> Result<[Row; 2]> {
    let Holds { ever, busy } = measure(device, rounds)?;
    let row = |what: &str, value: u32| Row {
        name: format!("{device} longest hold, {what}"),
        value: value.into(),
        unit: "us".into(),
        peer: None,
    };
    Ok([row("ever", ever), row("at work", busy)])
}
