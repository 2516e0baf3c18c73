//! A new board's first day: checks that `cargo xtask silicon-check` asks for one by one.
//!
//! A console on the table link's UART (the ST-LINK's serial port), because that port stays
//! open while the chip resets. One command a line; an answer ends with `ok` or `failed`.
//! It starts the chip exactly as the devices do and drives the same flash and noise
//! adapters, but no lamp, motor or bus: nothing has to be plugged in.
#![no_std]
#![no_main]

mod clock_tree;
mod console;
mod flash;
mod noise;
mod ruin;
mod torn;

use adapters::store_flash::StoreFlash;
use adapters::trng::{Trng, trng};
use adapters::{clocks, crash};
use board_b_l475e_iot01a as board;
use console::Console;
use croupier::safety::{CrashReason, ResetCause};
use embassy_stm32::usart::{Config, Uart};

/// What the commands work with.
struct Parts {
    flash: StoreFlash,
    noise: Trng,
}

const HELP: &str =
    "commands: clocks, time SECONDS, flash ROUNDS, noise WORDS, watchdog, stack, torn ROUNDS";

#[cortex_m_rt::entry]
fn main() -> ! {
    let p = embassy_stm32::init(clocks::eighty_megahertz());
    let uart = Uart::new_blocking(p.USART1, p.PB7, p.PB6, Config::default())
        .expect("115200 baud can be had from 80 MHz");
    let mut console = Console::new(uart);
    let (cause, crashes) = crash::boot_cause(board::reset_flags());
    console.line(format_args!("first day on b-l475e-iot01a"));
    console.line(format_args!("reset {} crashes {crashes}", word(&cause)));
    let mut parts = Parts { flash: StoreFlash::new(p.FLASH), noise: trng(p.RNG) };
    let wave = clock_tree::Wave::start(p.TIM2, p.PA15);
    torn::go_on(&mut console, &mut parts.flash);
    loop {
        let command = console.command();
        let verdict = obey(&command, &mut console, &mut parts, &wave);
        match verdict {
            Ok(()) => console.line(format_args!("ok")),
            Err(why) => console.line(format_args!("failed: {why}")),
        }
    }
}

/// Carries one command out; says why it failed.
fn obey(
    command: &str,
    console: &mut Console,
    parts: &mut Parts,
    wave: &clock_tree::Wave,
) -> Result<(), &'static str> {
    let (verb, number) = command.split_once(' ').unwrap_or((command, ""));
    let number: u32 = number.trim().parse().unwrap_or(0);
    match verb {
        "clocks" => clock_tree::show(console, wave),
        "time" => clock_tree::time(console, number),
        "flash" => flash::run(console, &mut parts.flash, number),
        "noise" => noise::run(console, &mut parts.noise, number),
        "watchdog" => ruin::starve(console),
        "stack" => ruin::overflow(console),
        "torn" => torn::begin(console, &mut parts.flash, number),
        _ => {
            console.line(format_args!("{HELP}"));
            Err("unknown command")
        }
    }
}

/// The cause in one word, for the check on the host.
fn word(cause: &ResetCause) -> &'static str {
    match cause {
        ResetCause::PowerOn => "power-on",
        ResetCause::Crashed(CrashReason::Panic(_)) => "panic",
        ResetCause::Crashed(CrashReason::HardFault { .. }) => "hard-fault",
        ResetCause::Crashed(_) => "crash",
        ResetCause::Watchdog => "watchdog",
        ResetCause::ResetLine => "reset-line",
        ResetCause::Restart => "restart",
        ResetCause::Outside => "outside",
    }
}
