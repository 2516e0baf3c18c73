//! What the processor calls when something is wrong: every way ends in a crash.
//!
//! A hard fault may come because the stack ran over its end, so its handler brings a stack of
//! its own and trusts nothing else. Each of them drives the outputs safe within microseconds.

use adapters::{crash, outputs, store_flash};
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ops::Range;
use croupier::safety::{CrashReason, fault_frame};

/// Where a stack can lie: both memories of the chip.
const MEMORIES: [Range<u32>; 2] = [0x2000_0000..0x2001_8000, 0x1000_0000..0x1000_8000];

/// Bytes of the fault's stack; the deepest way through [`crash::crash`] takes a third of it.
const BYTES: usize = 1024;

#[repr(align(8))]
struct Stack(#[expect(dead_code, reason = "used by address")] UnsafeCell<MaybeUninit<[u8; BYTES]>>);

// SAFETY: only the hard fault's handler uses it, which no other code can interrupt.
unsafe impl Sync for Stack {}

/// In SRAM2, where no other stack can grow into it.
#[unsafe(link_section = ".survives.fault_stack")]
static STACK: Stack = Stack(UnsafeCell::new(MaybeUninit::uninit()));

/// Takes its own stack before it touches any, and passes on where the old one was.
#[unsafe(naked)]
#[unsafe(export_name = "HardFault")]
unsafe extern "C" fn hard_fault() -> ! {
    core::arch::naked_asm!(
        "mov r0, sp", // nothing here uses the process stack
        "movw r1, :lower16:{stack}",
        "movt r1, :upper16:{stack}",
        "add.w r1, r1, #{bytes}",
        "mov sp, r1",
        "b {end}",
        stack = sym STACK,
        bytes = const BYTES,
        end = sym end,
    )
}

extern "C" fn end(frame: u32) -> ! {
    outputs::make_safe();
    // SAFETY: a plain read of a system register.
    let status = unsafe { (*cortex_m::peripheral::SCB::PTR).cfsr.read() };
    let pc = fault_frame::pc_address(frame, status, &MEMORIES);
    // SAFETY: the frame was stacked, and lies wholly in one of the chip's memories.
    let at = pc.map_or(0, |pc| unsafe { (pc as *const u32).read_volatile() });
    crash::crash(CrashReason::HardFault { at, status })
}

#[cortex_m_rt::exception]
unsafe fn NonMaskableInt() {
    // The store may have read a word that a power cut tore; all else is a real fault.
    if let Err(status) = store_flash::accept_torn_word() {
        crash::crash(CrashReason::HardFault { at: 0, status });
    }
}

#[cortex_m_rt::exception]
unsafe fn DefaultHandler(line: i16) -> ! {
    crash::crash(CrashReason::Stray(line))
}
