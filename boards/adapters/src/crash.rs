//! A crash: outputs safe, crash record written, a moment's hold, reset.
//!
//! Every software-detected end of a run comes through [`crash`]: a panic, a hard fault, a
//! task that missed its check-in. It may run at any priority with any driver in any state,
//! so it touches only port registers and a record in memory that no start clears.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use croupier::safety::crash_record::WORDS;
use croupier::safety::{CrashReason, CrashRecord, HardwareReset, Place, ResetCause};

/// How long outputs are driven safe before reset lets the pins float: time for a
/// roller to coast and for a camera to see the fault lamp.
const HOLD_CYCLES: u32 = 80_000_000 / 50;

struct Survivor(UnsafeCell<MaybeUninit<[u32; WORDS]>>);

// SAFETY: read once at boot before interrupts matter, written at boot and in `crash`,
// which masks interrupts for good; there is one core.
unsafe impl Sync for Survivor {}

#[unsafe(link_section = ".survives")]
static RECORD: Survivor = Survivor(UnsafeCell::new(MaybeUninit::uninit()));

fn read() -> Option<CrashRecord> {
    // SAFETY: any bit pattern is a valid `[u32; WORDS]`; volatile, since nothing in
    // this run wrote it. The checksum tells a record from noise.
    CrashRecord::decode(&unsafe { RECORD.0.get().cast::<[u32; WORDS]>().read_volatile() })
}

fn write(words: CrashRecord) {
    // SAFETY: as for `read`; see `Sync` above for exclusion.
    unsafe { RECORD.0.get().cast::<[u32; WORDS]>().write_volatile(words.encode()) }
}

/// Why this run began, and how many crashes there were since power came on.
///
/// Call once, early: from here on the record says "alive", so that a reset without warning
/// is distinguished from the crash before it.
pub fn boot_cause(hardware: HardwareReset) -> (ResetCause, u32) {
    let words = read();
    let cause = ResetCause::of(hardware, words);
    let crashes = if cause == ResetCause::PowerOn { 0 } else { words.map_or(0, |w| w.crashes) };
    write(CrashRecord::alive(crashes));
    (cause, crashes)
}

/// Ends this run: never returns, and the next run says why.
pub fn crash(why: CrashReason) -> ! {
    cortex_m::interrupt::disable();
    crate::outputs::make_safe();
    write(CrashRecord::crashed(why, read().map_or(0, |words| words.crashes)));
    cortex_m::asm::delay(HOLD_CYCLES);
    cortex_m::peripheral::SCB::sys_reset()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let place = info.location().map_or(Place::new("?", 0), |at| Place::new(at.file(), at.line()));
    crash(CrashReason::Panic(place))
}
