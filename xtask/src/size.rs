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
/// or holds an allocator; warns from 95 % of a budget on. Instruments and the monitor are never flashed and have no budget.
#[derive(clap::Args)]
#[command(after_long_help = "Example:\n  cargo xtask size")]
pub(crate) struct Args {}

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, _: &Args) -> Result<()> {
    let chip = setup::chip(workspace)?;
    build::all(workspace, &chip)?;
    weigh(workspace)
}

/// Measures the images that were built.
pub(crate) fn weigh(workspace: &Workspace) -> Result<()> {
    let budget = Budget::read(&workspace.root)?;
    budget.agree(&workspace.boards)?;
    println!("{:<16} {:<10} {:<35} {:<35}", "board", "image", "flash", "ram");
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    for board in &workspace.boards {
        for binary in &board.binaries {
            let footprint = examine(workspace, board, binary)?;
            let allowance = budget.allowance(&board.name, binary);
            println!("{}", row(board, binary, footprint, allowance));
            let Some(allowance) = allowance else { continue };
            let name = |words: String| format!("{}/{binary} {words}", board.name);
            faults.extend(over(footprint, allowance).map(name));
            warnings.extend(near(footprint, allowance).into_iter().map(name));
        }
    }
    warnings.iter().for_each(|warning| println!("warning: {warning}"));
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

/// From this share of a budget on the next change may not fit.
const NEAR: u64 = 95;

/// What is nearly used up, a line each; what is over is a fault and no warning.
fn near(footprint: Footprint, allowance: Allowance) -> Vec<String> {
    let part = |what: &str, used: u64, allowed: u64| {
        let near = used * 100 >= allowed * NEAR && used <= allowed;
        near.then(|| {
            let (share, left) = (used * 100 / allowed.max(1), allowed - used);
            format!("{what} is at {share} % of its budget: {left} bytes are left")
        })
    };
    let parts = [
        part("flash", footprint.flash, allowance.flash.0),
        part("ram", footprint.ram, allowance.ram.0),
    ];
    parts.into_iter().flatten().collect()
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
    fn an_image_near_its_budget_is_a_warning() {
        let footprint = |flash, ram| Footprint { flash, ram };
        assert_eq!(near(footprint(62_259, 31_129), ALLOWANCE), [""; 0]);
        let flash = "flash is at 95 % of its budget: 3276 bytes are left";
        assert_eq!(near(footprint(62_260, 0), ALLOWANCE), [flash]);
        let both = near(footprint(65_536, 32_158), ALLOWANCE);
        assert_eq!(both[0], "flash is at 100 % of its budget: 0 bytes are left");
        assert_eq!(both[1], "ram is at 98 % of its budget: 610 bytes are left");
        // What is over fails, and is not also warned of.
        assert_eq!(near(footprint(65_537, 0), ALLOWANCE), [""; 0]);
    }

    #[test]
    fn the_meter_shows_the_share() {
        assert_eq!(meter(30_000, Some(65_536)), " 29.3 of 64 KiB █████░░░░░  45 %");
        assert_eq!(meter(131_072, Some(65_536)), "  128 of 64 KiB ██████████ 200 %");
        assert_eq!(meter(2048, None), "    2 KiB");
    }
}
