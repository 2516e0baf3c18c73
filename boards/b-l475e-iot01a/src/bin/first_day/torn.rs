//! Words torn by a reset in the middle of programming, and how they read afterwards.
//!
//! Each round erases a page, starts to program one word and resets the chip some
//! microseconds later. A word takes about 82 us, so the delays go through all of it. What
//! was found is kept in memory that outlives the reset; after the last round the console
//! prints the sum. No kind of word may crash the run that reads it.

use crate::console::Console;
use adapters::store_flash::{self, StoreFlash};
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use embassy_stm32::pac::FLASH;
use embedded_storage::nor_flash::{NorFlash, ReadNorFlash};

/// The store's last page but one, in the store and in memory.
const PAGE: u32 = StoreFlash::BYTES - 4096;
const ADDRESS: u32 = 0x0810_0000 - 4096;
const PAGE_BYTES: u32 = 2048;
const WORD: [u32; 2] = [0x5AA5_0FF0, 0x1234_8765];

/// Delays go from 0 to this, then from 0 again.
const LONGEST_US: u32 = 96;
const CYCLES_PER_US: u32 = 80;
/// FLASH_KEYR's two keys (RM0351 3.3.5).
const KEYS: [u32; 2] = [0x4567_0123, 0xCDEF_89AB];

/// Marks a tally that this check wrote.
const MARK: u32 = 0x7042_D0D0;

/// Rounds to go and what was found, in memory that outlives a reset.
#[derive(Clone, Copy)]
#[repr(C)]
struct Tally {
    mark: u32,
    rounds: u32,
    left: u32,
    blank: u32,
    whole: u32,
    ecc: u32,
    mixed: u32,
}

struct Survivor(UnsafeCell<MaybeUninit<Tally>>);

// SAFETY: used by the one thread of this image and by no interrupt.
unsafe impl Sync for Survivor {}

#[unsafe(link_section = ".survives")]
static TALLY: Survivor = Survivor(UnsafeCell::new(MaybeUninit::uninit()));

fn recall() -> Option<Tally> {
    // SAFETY: plain numbers, of which any bit pattern is valid; the mark tells ours.
    let tally = unsafe { TALLY.0.get().cast::<Tally>().read_volatile() };
    (tally.mark == MARK).then_some(tally)
}

fn keep(tally: Tally) {
    // SAFETY: as for `recall`.
    unsafe { TALLY.0.get().cast::<Tally>().write_volatile(tally) }
}

/// Begins: does not return, because each round ends with a reset.
pub(crate) fn begin(
    console: &mut Console,
    flash: &mut StoreFlash,
    rounds: u32,
) -> Result<(), &'static str> {
    if !(1..=2000).contains(&rounds) {
        return Err("give 1 to 2000 rounds: the page stands 10,000");
    }
    console.line(format_args!("tearing"));
    let tally = Tally { mark: MARK, rounds, left: rounds, blank: 0, whole: 0, ecc: 0, mixed: 0 };
    tear(flash, tally)
}

/// After a reset: looks at the word of the round before, then goes on or prints the sum.
pub(crate) fn go_on(console: &mut Console, flash: &mut StoreFlash) {
    let Some(mut tally) = recall() else { return };
    let before = store_flash::torn_words();
    let mut bytes = [0; 8];
    let read = flash.read(PAGE, &mut bytes);
    let whole: [u8; 8] = {
        let [low, high] = WORD.map(u32::to_le_bytes);
        core::array::from_fn(|at| if at < 4 { low[at] } else { high[at - 4] })
    };
    let kind = if read.is_err() || store_flash::torn_words() != before {
        &mut tally.ecc
    } else if bytes == [0xFF; 8] {
        &mut tally.blank
    } else if bytes == whole {
        &mut tally.whole
    } else {
        &mut tally.mixed
    };
    *kind += 1;
    tally.left = tally.left.saturating_sub(1);
    if tally.left > 0 {
        tear(flash, tally);
    }
    keep(Tally { mark: 0, ..tally });
    let Tally { rounds, blank, whole, ecc, mixed, .. } = tally;
    console.line(format_args!(
        "torn rounds {rounds} blank {blank} whole {whole} ecc {ecc} mixed {mixed}"
    ));
}

/// One round: erases, starts to program, waits, resets.
fn tear(flash: &mut StoreFlash, tally: Tally) -> ! {
    // A refused erase shows as `whole` or `mixed` in the next round's count.
    let _ = flash.erase(PAGE, PAGE + PAGE_BYTES);
    keep(tally);
    let delay = (tally.rounds - tally.left) % (LONGEST_US + 1) * CYCLES_PER_US;
    cortex_m::interrupt::disable();
    // No read-while-write with the data cache on (ES0250); the reset brings it back.
    FLASH.acr().modify(|acr| acr.set_dcen(false));
    for key in KEYS {
        FLASH.keyr().write_value(key);
    }
    FLASH.cr().modify(|cr| cr.set_pg(true));
    // SAFETY: a double word of the store's page, erased above; programming it is these two
    // stores, low word first (RM0351 3.3.7).
    unsafe {
        (ADDRESS as *mut u32).write_volatile(WORD[0]);
        ((ADDRESS + 4) as *mut u32).write_volatile(WORD[1]);
    }
    cortex_m::asm::delay(delay.max(1));
    cortex_m::peripheral::SCB::sys_reset()
}
