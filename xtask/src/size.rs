//! `size`: what each image takes of the chip, against its budget.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::budget::{Allowance, Budget};
use crate::image::{Footprint, has_no_heap, measure};
use crate::workspace::{Board, Workspace};
use crate::{build, setup};

/// Flash and RAM of every image against boards/budget.toml
///
/// Builds first. Flash is what is written to it; RAM is what the linker places there,
/// in SRAM1 and SRAM2 (the stack has the rest). Fails if an image is over its budget
/// or holds an allocator. Instruments and the monitor are never flashed and have no budget.
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  cargo xtask size")]
pub struct Args {}

/// Runs the command.
pub fn run(workspace: &Workspace, _: &Args) -> Result<()> {
    let chip = setup::chip(workspace)?;
    build::all(workspace, &chip)?;
    weigh(workspace)
}

/// Measures the images that were built.
pub fn weigh(workspace: &Workspace) -> Result<()> {
    let budget = Budget::read(&workspace.root)?;
    budget.agree(&workspace.boards)?;
    println!("{:<16} {:<10} {:<35} {:<35}", "board", "image", "flash", "ram");
    let mut faults = Vec::new();
    for board in &workspace.boards {
        for binary in &board.binaries {
            let footprint = examine(workspace, board, binary)?;
            let allowance = budget.allowance(&board.name, binary);
            println!("{}", row(board, binary, footprint, allowance));
            faults.extend(
                allowance
                    .and_then(|allowance| over(footprint, allowance))
                    .map(|fault| format!("{}/{binary} {fault}", board.name)),
            );
        }
    }
    if faults.is_empty() { Ok(()) } else { bail!("over budget: {}", faults.join("; ")) }
}

fn examine(workspace: &Workspace, board: &Board, binary: &str) -> Result<Footprint> {
    let image = workspace.image(board, binary);
    let about = || format!("image {}/{binary}", board.name);
    let elf = fs::read(&image).with_context(about)?;
    has_no_heap(&elf).with_context(about)?;
    measure(&elf).with_context(about)
}

fn row(board: &Board, binary: &str, footprint: Footprint, allowance: Option<Allowance>) -> String {
    let flash = meter(footprint.flash, allowance.map(|allowance| allowance.flash.0));
    let ram = meter(footprint.ram, allowance.map(|allowance| allowance.ram.0));
    format!("{:<16} {binary:<10} {flash:<35} {ram:<35}", board.name).trim_end().into()
}

/// `29.3 of 64 KiB ████░░░░░░  46 %`; without an allowance, just the size.
fn meter(bytes: u64, allowed: Option<u64>) -> String {
    const CELLS: u64 = 10;
    let size = format!("{:>5}", kib(bytes));
    let Some(allowed) = allowed.filter(|&allowed| allowed > 0) else {
        return format!("{size} KiB");
    };
    let full = (bytes * CELLS).div_ceil(allowed).min(CELLS);
    let bar = "█".repeat(full as usize) + &"░".repeat((CELLS - full) as usize);
    format!("{size} of {} KiB {bar} {:>3} %", kib(allowed), bytes * 100 / allowed)
}

fn kib(bytes: u64) -> String {
    if bytes.is_multiple_of(1024) {
        (bytes / 1024).to_string()
    } else {
        format!("{:.1}", bytes as f64 / 1024.0)
    }
}

fn over(footprint: Footprint, allowance: Allowance) -> Option<String> {
    let part = |what: &str, used: u64, allowed: u64| {
        (used > allowed).then(|| format!("{what} by {} bytes", used - allowed))
    };
    let faults = [
        part("flash", footprint.flash, allowance.flash.0),
        part("ram", footprint.ram, allowance.ram.0),
    ];
    let faults: Vec<_> = faults.into_iter().flatten().collect();
    (!faults.is_empty()).then(|| faults.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Bytes;

    const ALLOWANCE: Allowance = Allowance { flash: Bytes(65_536), ram: Bytes(32_768) };

    // Issue 2, "must show": each image within 64 KiB flash and 32 KiB static RAM.
    #[test]
    fn one_byte_over_is_over() {
        assert_eq!(over(Footprint { flash: 65_536, ram: 32_768 }, ALLOWANCE), None);
        let both = over(Footprint { flash: 65_537, ram: 32_770 }, ALLOWANCE).unwrap();
        assert_eq!(both, "flash by 1 bytes and ram by 2 bytes");
    }

    #[test]
    fn the_meter_shows_the_share() {
        assert_eq!(meter(30_000, Some(65_536)), " 29.3 of 64 KiB █████░░░░░  45 %");
        assert_eq!(meter(131_072, Some(65_536)), "  128 of 64 KiB ██████████ 200 %");
        assert_eq!(meter(2048, None), "    2 KiB");
    }
}
