//! Measures the firmware in Cortex-M4 instructions, for `cargo xtask measure`.
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

use core::fmt::{Display, Write as _};
use instruments::{clock, host};
use semihosting::fs::File;
use semihosting::io::Write as _;

/// Instructions `work` takes; the stopwatch's own are taken off.
pub fn instructions(work: impl FnOnce()) -> u32 {
    let own = clock::stopwatch(|| {});
    let counts = clock::stopwatch(work).saturating_sub(own);
    u32::try_from((counts * 25 + 32) / 64).unwrap_or(u32::MAX)
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
    clock::start();
    let Some(mut report) = Report::open() else {
        defmt::error!("the measuring image needs report=<file>");
        semihosting::process::exit(2);
    };
    wire::measure(&mut report);
    random::measure(&mut report);
    reader::measure(&mut report);
    shuffler::measure(&mut report);
    drop(report);
    semihosting::process::exit(0)
}
