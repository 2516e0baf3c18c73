//! How long an image holds its processor, and how soon it is ready: rows for the bench's table.

use super::Lockstep;
use crate::error::Result;
use crate::report::Row;

/// How long tasks of an image ran without a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holds {
    /// At any time, in microseconds.
    pub ever_us: u32,
    /// While cards moved or frames came, in microseconds.
    pub busy_us: u32,
}

/// Plays the device's work with its store warm: `rounds` pieces of it, and an attestation.
pub fn measure(device: &str, rounds: u16) -> Result<Holds> {
    let mut table = Lockstep::usual(device)?;
    table.set_up(device)?;
    let mut busy_us = 0;
    for round in 1..=rounds {
        table.guest.forget_recent_run()?;
        table.work(device, round)?;
        busy_us = table.guest.tally()?.recent_run_ns.div_ceil(1000).max(busy_us);
    }
    if device == "reader" {
        table.guest.forget_recent_run()?;
        table.teach_one()?;
        busy_us = table.guest.tally()?.recent_run_ns.div_ceil(1000).max(busy_us);
    }
    table.attest()?;
    let ever_us = table.guest.tally()?.longest_run_ns.div_ceil(1000);
    Ok(Holds { ever_us, busy_us })
}

/// A row for each: ever, and while busy.
pub fn rows(device: &str, rounds: u16) -> Result<[Row; 2]> {
    let Holds { ever_us, busy_us } = measure(device, rounds)?;
    let row = |what: &str, value: u32| Row {
        name: format!("{device} longest hold, {what}"),
        value: value.into(),
        unit: "us".into(),
        peer: None,
    };
    Ok([row("ever", ever_us), row("at work", busy_us)])
}
