//! The steps in the order of a first day: the harmless ones first.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::board::Board;
use super::console::Console;
use super::judge;
use crate::probe::Listening;

/// What a step needs beside the board on USB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// No more than that.
    Usb,
    /// Leave to erase the store.
    EraseStore,
    /// A CAN adapter on the bus.
    CanAdapter,
}

/// One step.
pub(super) struct Step {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub shows: &'static str,
    /// What the command compares.
    pub expected: &'static str,
    /// What a person measures, with tolerance; empty if nothing.
    pub measure: &'static str,
    /// What it needs.
    pub need: Need,
    /// Does it; returns what was found.
    pub run: fn(&mut Board<'_>) -> Result<Vec<String>>,
}

impl Step {
    /// The step in words, before it is done.
    pub(super) fn describe(&self) -> String {
        let head = format!("{}: {}\n  expected: {}", self.name, self.shows, self.expected);
        if self.measure.is_empty() { head } else { format!("{head}\n  measure: {}", self.measure) }
    }
}

/// All steps.
pub(super) const STEPS: [Step; 8] = [
    Step {
        name: "boot",
        shows: "the reader's image, as delivered, starts and measures itself",
        expected: "log lines with its name, reset cause, `ready after` less than 100 ms, and the file's SHA-256",
        measure: "LED2 (green) is lit; nothing on the board is warm",
        need: Need::Usb,
        run: boot,
    },
    Step {
        name: "clocks",
        shows: "the clock tree, and device seconds against this computer's",
        expected: "PLL, 4 wait states, 80 MHz, 48 MHz for the generator; 20 s within 1 %",
        measure: "1.00 MHz +-1 % square wave on D9 (PA15) against GND; MCO (PA8) is on no header",
        need: Need::Usb,
        run: clocks,
    },
    Step {
        name: "noise",
        shows: "raw words of the generator, brought here for the battery",
        expected: "every word, no zero, none twice in a row, half of the bits ones within 6 sigma",
        measure: "",
        need: Need::Usb,
        run: noise,
    },
    Step {
        name: "watchdog",
        shows: "a watchdog that is not fed resets the chip, and the next run says so",
        expected: "`reset watchdog` after 1.8 to 2.3 s",
        measure: "",
        need: Need::Usb,
        run: watchdog,
    },
    Step {
        name: "stack",
        shows: "a stack that runs over is caught and reported",
        expected: "`reset hard-fault`; `reset watchdog` means that the processor locked up",
        measure: "",
        need: Need::Usb,
        run: stack,
    },
    Step {
        name: "flash",
        shows: "100 times erase, program and read back of a page in bank 2",
        expected: "no wrong byte; 15 to 26 ms a page, 60 to 130 us a word",
        measure: "",
        need: Need::EraseStore,
        run: flash,
    },
    Step {
        name: "torn-word",
        shows: "194 resets in the middle of programming a word",
        expected: "each word blank, whole, mixed or with an ECC error, and no run ended by reading it",
        measure: "",
        need: Need::EraseStore,
        run: torn_word,
    },
    Step {
        name: "can",
        shows: "the reader speaks on the bus and is acknowledged",
        expected: "three heartbeats of node 10 (identifier 107D550A) within 10 s",
        measure: "a bit of 2.00 us +-0.5 % on CAN_H; 60 Ohm between CAN_H and CAN_L with power off",
        need: Need::CanAdapter,
        run: can,
    },
];

const SOON: Duration = Duration::from_secs(5);
const FLASHED: Duration = Duration::from_secs(90);
/// From the reset to the ready lamp, in microseconds.
const READY_US: u64 = 100_000;

fn boot(board: &mut Board<'_>) -> Result<Vec<String>> {
    let (mut log, sha256) = board.start_device("reader")?;
    let found = boot_log(&mut log, &sha256);
    board.note(std::mem::take(&mut log.transcript));
    found
}

/// The log of a start, line by line.
fn boot_log(log: &mut Listening, sha256: &str) -> Result<Vec<String>> {
    log.await_line(&["on b-l475e-iot01a, serial"], FLASHED)?;
    log.await_line(&["reset: "], SOON)?;
    let ready = log.await_line(&["ready after ", " us"], SOON)?;
    let us = ready.split("ready after ").nth(1).and_then(|rest| rest.split(' ').next());
    let us: u64 = us.and_then(|us| us.parse().ok()).context("`ready after` has no number")?;
    ensure!(us < READY_US, "ready after {us} us, expected less than {READY_US}");
    let image = log.await_line(&["image sha256 "], SOON)?;
    ensure!(image.contains(sha256), "the board measured another image than {sha256}: {image}");
    Ok(vec![format!("ready after {us} us"), format!("image sha256 {sha256}, as built")])
}

const SECONDS: u32 = 20;

fn clocks(board: &mut Board<'_>) -> Result<Vec<String>> {
    clocks_on(board.console()?, SECONDS)
}

fn clocks_on(console: &mut Console, seconds: u32) -> Result<Vec<String>> {
    let mut found = judge::clocks(&console.ask("clocks", SOON)?)?;
    console.say(&format!("time {seconds}"))?;
    let (begin, _) = console.await_line("begin", SOON)?;
    let (end, _) = console.await_line("end", Duration::from_secs(u64::from(seconds) * 2))?;
    let (_, cycles) = console.await_line("cycles", SOON)?;
    console.await_line("ok", SOON)?;
    found.extend(judge::time(&[cycles], seconds, end - begin)?);
    Ok(found)
}

fn noise(board: &mut Board<'_>) -> Result<Vec<String>> {
    let words = board.words;
    // Nine letters a word at 11,520 a second, and as much again.
    let within = SOON + Duration::from_millis(u64::from(words) * 2);
    let console = board.console()?;
    let answer = console.ask(&format!("noise {words}"), within)?;
    console.transcript.clear(); // the file holds it
    let (noise, mut found) = judge::noise(&answer, words)?;
    let file = board.folder().join("noise.bin");
    fs::create_dir_all(board.folder())?;
    let bytes: Vec<u8> = noise.into_iter().flat_map(u32::to_le_bytes).collect();
    fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
    // Forty words of noise make a number, and the start takes some.
    let numbers = (words / 40).saturating_sub(100);
    found.push(format!("written to {}; next:", file.display()));
    found.push(format!(
        "  cargo xtask collect numbers --count {numbers} --from qemu --noise target/silicon-check/noise.bin --out target/silicon-check/numbers.ev"
    ));
    found.push("  cargo xtask battery target/silicon-check/numbers.ev".into());
    Ok(found)
}

/// Gives a command that ends the run, and waits for the next one to say why it began.
fn ruin(console: &mut Console, command: &str, last: &str) -> Result<(String, Duration)> {
    console.say(command)?;
    let (from, _) = console.await_line(last, SOON)?;
    console.await_line("first day on", SOON)?;
    let (until, reset) = console.await_line("reset", SOON)?;
    Ok((reset, until - from))
}

fn watchdog(board: &mut Board<'_>) -> Result<Vec<String>> {
    let (reset, took) = ruin(board.console()?, "watchdog", "starving")?;
    judge::watchdog(&reset, took)
}

fn stack(board: &mut Board<'_>) -> Result<Vec<String>> {
    let (reset, _) = ruin(board.console()?, "stack", "overflowing")?;
    judge::stack(&reset)
}

const ROUNDS: u64 = 100;

fn flash(board: &mut Board<'_>) -> Result<Vec<String>> {
    let answer = board.console()?.ask(&format!("flash {ROUNDS}"), Duration::from_secs(60))?;
    judge::flash(&answer, ROUNDS)
}

/// Twice through all delays.
const TEARS: u64 = 194;

fn torn_word(board: &mut Board<'_>) -> Result<Vec<String>> {
    torn_word_on(board.console()?, TEARS)
}

fn torn_word_on(console: &mut Console, rounds: u64) -> Result<Vec<String>> {
    console.say(&format!("torn {rounds}"))?;
    console.await_line("tearing", SOON)?;
    let from = console.transcript.len();
    let (_, sum) = console.await_line("torn rounds", Duration::from_secs(10 + rounds / 2))?;
    let resets = console.transcript[from..].iter().filter(|line| line.starts_with("reset"));
    judge::torn(&sum, &resets.cloned().collect::<Vec<_>>(), rounds)
}

/// The reader's heartbeat: Cyphal subject 7509 of node 10 at nominal priority.
const HEARTBEAT: &str = "107D550A";
const HEARTBEATS: usize = 3;
const BUS_TIME: Duration = Duration::from_secs(10);

fn can(board: &mut Board<'_>) -> Result<Vec<String>> {
    let adapter = board.can()?.to_owned();
    let (mut log, _) = board.start_device("reader")?;
    log.await_line(&["ready after"], FLASHED)?;
    if adapter.contains('/') {
        let mut bus = Console::open(board.workspace(), adapter.as_ref(), b'\r')?;
        let found = slcan(&mut bus);
        board.note(bus.transcript);
        found
    } else {
        let mut command = Command::new("candump");
        command.arg(&adapter).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut bus = Listening::start(command).context("install can-utils")?;
        for _ in 0..HEARTBEATS {
            bus.await_line(&[HEARTBEAT], BUS_TIME)?;
        }
        board.note(std::mem::take(&mut bus.transcript));
        Ok(vec![format!("{HEARTBEATS} heartbeats on {adapter}")])
    }
}

/// An adapter that speaks slcan: closes it, sets 500 kbit/s, opens it, and listens.
fn slcan(bus: &mut Console) -> Result<Vec<String>> {
    for command in ["C", "S6", "O"] {
        bus.say(command)?;
    }
    let deadline = Instant::now() + BUS_TIME;
    let mut beats = 0;
    while let Some((_, line)) = bus.next(deadline)? {
        beats += usize::from(line.starts_with(&format!("T{HEARTBEAT}")));
        if beats == HEARTBEATS {
            return Ok(vec![format!("{beats} heartbeats, acknowledged by the adapter")]);
        }
    }
    bail!("{beats} heartbeats of node 10 came in {} s, expected {HEARTBEATS}", BUS_TIME.as_secs())
}

#[cfg(test)]
mod tests;
