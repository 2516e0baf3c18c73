//! A loop over one page of the store: erase, program, read back, with times.
//!
//! It uses the adapter the devices use, so the caches, the busy waits and the second bank
//! are theirs. The page is the store's last; what it held is gone.

use crate::console::Console;
use adapters::store_flash::StoreFlash;
use embassy_time::Instant;
use embedded_storage::nor_flash::{NorFlash, ReadNorFlash};

/// The page's place in the store, and its size.
const PAGE: u32 = StoreFlash::BYTES - BYTES as u32;
const BYTES: usize = 2048;
const WORD: usize = 8;

/// The shortest and the longest of something, in microseconds.
struct Span {
    least: u64,
    most: u64,
}

impl Span {
    const NONE: Self = Self { least: u64::MAX, most: 0 };

    fn take(&mut self, since: Instant) {
        let us = since.elapsed().as_micros();
        self.least = self.least.min(us);
        self.most = self.most.max(us);
    }
}

/// Runs the loop; ends at the first byte that reads back wrong.
pub(crate) fn run(
    console: &mut Console,
    flash: &mut StoreFlash,
    rounds: u32,
) -> Result<(), &'static str> {
    if !(1..=1000).contains(&rounds) {
        return Err("give 1 to 1000 rounds: the page stands 10,000");
    }
    let (mut erase, mut program) = (Span::NONE, Span::NONE);
    for round in 0..rounds {
        let begun = Instant::now();
        flash.erase(PAGE, PAGE + BYTES as u32).map_err(|_| "an erase was refused")?;
        erase.take(begun);
        same(flash, |_| 0xFF).map_err(|()| "an erased page is not blank")?;
        let pattern = |at: usize| (at as u32).wrapping_mul(167).wrapping_add(round * 13) as u8;
        for at in (0..BYTES).step_by(WORD) {
            let word: [u8; WORD] = core::array::from_fn(|byte| pattern(at + byte));
            let begun = Instant::now();
            flash.write(PAGE + at as u32, &word).map_err(|_| "a word was refused")?;
            program.take(begun);
        }
        same(flash, pattern).map_err(|()| "a word reads back wrong")?;
    }
    flash.erase(PAGE, PAGE + BYTES as u32).map_err(|_| "the last erase was refused")?;
    console.line(format_args!("rounds {rounds}"));
    console.line(format_args!("erase {} to {} us", erase.least, erase.most));
    console.line(format_args!("word {} to {} us", program.least, program.most));
    Ok(())
}

fn same(flash: &mut StoreFlash, expected: impl Fn(usize) -> u8) -> Result<(), ()> {
    let mut bytes = [0; BYTES];
    flash.read(PAGE, &mut bytes).map_err(|_| ())?;
    let right = bytes.iter().enumerate().all(|(at, byte)| *byte == expected(at));
    if right { Ok(()) } else { Err(()) }
}
