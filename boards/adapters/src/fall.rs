//! Falling: outputs safe, last words kept, a moment's hold, reset.
//!
//! Everything that ends a run by its own hand comes through [`fall`]: a panic, a hard
//! fault, a missed roll call. It may run at any priority with any driver in any state,
//! so it touches only port registers and a record in memory nobody clears.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use croupier::safety::last_words::WORDS;
use croupier::safety::{Fall, HardwareReset, LastWords, Place, ResetCause};

/// How long outputs are driven safe before reset lets the pins float: time for a
/// roller to coast and for a camera to see the fault lamp.
const HOLD_CYCLES: u32 = 80_000_000 / 50;

struct Survivor(UnsafeCell<MaybeUninit<[u32; WORDS]>>);

// SAFETY: read once at boot before interrupts matter, written at boot and in `fall`,
// which masks interrupts for good; there is one core.
unsafe impl Sync for Survivor {}

#[unsafe(link_section = ".survives")]
static RECORD: Survivor = Survivor(UnsafeCell::new(MaybeUninit::uninit()));

fn read() -> Option<LastWords> {
    // SAFETY: any bit pattern is a valid `[u32; WORDS]`; volatile, since nothing in
    // this run wrote it. The checksum tells a record from noise.
    LastWords::decode(&unsafe { RECORD.0.get().cast::<[u32; WORDS]>().read_volatile() })
}

fn write(words: LastWords) {
    // SAFETY: as for `read`; see `Sync` above for exclusion.
    unsafe { RECORD.0.get().cast::<[u32; WORDS]>().write_volatile(words.encode()) }
}

/// Why this run began, and how many falls there were since power came on.
///
/// Call once, early: from here on the record says "alive", so that a reset nobody saw
/// coming is told apart from the fall before it.
pub fn rise(hardware: HardwareReset) -> (ResetCause, u32) {
    let words = read();
    let cause = ResetCause::of(hardware, words);
    let falls = if cause == ResetCause::PowerOn { 0 } else { words.map_or(0, |w| w.falls) };
    write(LastWords::alive(falls));
    (cause, falls)
}

/// Ends this run: never returns, and the next run says why.
pub fn fall(why: Fall) -> ! {
    cortex_m::interrupt::disable();
    crate::outputs::make_safe();
    write(LastWords::fell(why, read().map_or(0, |words| words.falls)));
    cortex_m::asm::delay(HOLD_CYCLES);
    cortex_m::peripheral::SCB::sys_reset()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let place = info.location().map_or(Place::new("?", 0), |at| Place::new(at.file(), at.line()));
    fall(Fall::Panic(place))
}
