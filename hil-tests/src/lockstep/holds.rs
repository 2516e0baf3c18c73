//! How long an image holds its processor, and how soon it is ready: rows for the bench's table.

use super::Lockstep;
use crate::error::Result;
use crate::report::Row;

/// How long tasks of an image ran without a pause, in instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holds {
    /// At any time.
    pub ever: u32,
    /// While cards moved or frames came.
    pub busy: u32,
}

/// What an instruction takes of the device's time in step.
const INSTRUCTION_NS: u32 = 32;

/// Plays the device's work with its store warm: `rounds` pieces of it, and an attestation.
pub fn measure(device: &str, rounds: u16) -> Result<Holds> {
    let mut table = Lockstep::usual(device)?;
    table.set_up(device)?;
    let mut busy = 0;
    for round in 1..=rounds {
        table.guest.forget_recent_run()?;
        table.work(device, round)?;
        busy = (table.guest.tally()?.recent_run_ns / INSTRUCTION_NS).max(busy);
    }
    if device == "reader" {
        table.guest.forget_recent_run()?;
        table.teach_one()?;
        busy = (table.guest.tally()?.recent_run_ns / INSTRUCTION_NS).max(busy);
    }
    table.attest()?;
    let ever = table.guest.tally()?.longest_run_ns / INSTRUCTION_NS;
    Ok(Holds { ever, busy })
}

/// A row for each: ever, and while busy.
pub fn rows(device: &str, rounds: u16) -> Result<[Row; 2]> {
    let Holds { ever, busy } = measure(device, rounds)?;
    let row = |what: &str, value: u32| Row {
        name: format!("{device} longest hold, {what}"),
        value: value.into(),
        unit: "instructions".into(),
        peer: None,
    };
    Ok([row("ever", ever), row("at work", busy)])
}
