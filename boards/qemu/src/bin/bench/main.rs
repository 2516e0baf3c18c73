//! Measures the firmware in Cortex-M4 instructions, for `cargo xtask bench`.
//!
//! Run with `-icount shift=5`, an instruction takes 32 ns and SysTick counts 12.5 ns, so
//! a count of SysTick is a count of instructions, the same in every run. Each row stands
//! beside a peer measured in the same run; the report goes to the file named `report=`.
#![no_std]
#![no_main]

mod random;
mod reader;
mod shuffler;
mod wire;

use adapters::executor;
use board_qemu::{host, time};
use core::fmt::{Display, Write as _};
use cortex_m::peripheral::NVIC;
use croupier::identity::DeviceKind;
use embassy_stm32::interrupt;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Instant, Ticker};
use semihosting::fs::File;
use semihosting::io::Write as _;

static WAKE: Signal<CriticalSectionRawMutex, ()> = Signal::new();

/// A task with nothing to do but wake up.
#[embassy_executor::task]
async fn sleeper() -> ! {
    loop {
        WAKE.wait().await;
    }
}

/// The pace of a device at rest: ten rounds a second, as each duty's loop makes.
#[embassy_executor::task(pool_size = 3)]
async fn at_rest() -> ! {
    let mut rounds = Ticker::every(Duration::from_millis(100));
    loop {
        rounds.next().await;
    }
}

/// What many firmwares do: a tick every millisecond, whether or not anything is due.
#[embassy_executor::task]
async fn ticking() -> ! {
    let mut ticks = Ticker::every(Duration::from_millis(1));
    loop {
        ticks.next().await;
    }
}

#[embassy_stm32::interrupt]
fn COMP() {}

/// Instructions `work` takes; the stopwatch's own are taken off.
pub fn instructions(work: impl FnOnce()) -> u32 {
    let own = time::stopwatch(|| {});
    let counts = time::stopwatch(work).saturating_sub(own);
    (counts * 25 + 32) / 64
}

/// Thousandths of the next second that the processor sleeps.
fn asleep_per_mille() -> u32 {
    let (begin, asleep) = (Instant::now(), executor::asleep_us());
    while begin.elapsed() < Duration::from_secs(1) {
        executor::sleep();
    }
    let slept = executor::asleep_us().saturating_sub(asleep);
    (slept * 1000 / begin.elapsed().as_micros().max(1)) as u32 // at most a thousand
}

/// The report, row by row.
pub struct Report(File);

impl Report {
    fn open() -> Option<Self> {
        File::create(host::path("report")?.as_c_str()).ok().map(Self)
    }

    /// Adds a row; a peer without a name is none.
    pub fn row(
        &mut self,
        name: &str,
        unit: &str,
        value: impl Display,
        peer: &str,
        peer_value: impl Display,
    ) {
        let mut line = heapless::String::<256>::new();
        let written = if peer.is_empty() {
            writeln!(line, "{name}\t{value}\t{unit}")
        } else {
            writeln!(line, "{name}\t{value}\t{unit}\t{peer}\t{peer_value}")
        };
        if written.is_err() || self.0.write_all(line.as_bytes()).is_err() {
            defmt::error!("row {} could not be written", name);
            semihosting::process::exit(2);
        }
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, _lamps) = board_qemu::bring_up(DeviceKind::Reader);
    let Some(mut report) = Report::open() else {
        defmt::error!("the bench image needs report=<file>");
        semihosting::process::exit(2);
    };
    report.row("chip running, bare embassy", "us", board_qemu::chip_up_us(), "", 0);
    let spawner = executor::start();

    spawner.spawn(sleeper().expect("spawned once"));
    let task = instructions(|| WAKE.signal(()));
    // SAFETY: its handler is empty and no driver uses it.
    unsafe { NVIC::unmask(interrupt::COMP) };
    let bare = instructions(|| NVIC::pend(interrupt::COMP));
    report.row("empty task wake-up", "instructions", task, "bare interrupt", bare);

    for _ in 0..3 {
        spawner.spawn(at_rest().expect("a pool of three"));
    }
    let resting = asleep_per_mille();
    spawner.spawn(ticking().expect("spawned once"));
    let with_tick = asleep_per_mille();
    report.row("idle share in WFI", "per mille", resting, "with a 1 kHz tick", with_tick);

    wire::measure(&mut report, common.rest);
    random::measure(&mut report);
    reader::measure(&mut report);
    shuffler::measure(&mut report);
    drop(report);
    semihosting::process::exit(0)
}
