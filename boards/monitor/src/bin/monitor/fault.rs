//! Faults made on purpose, from outside the image: nothing in it helps.

use crate::processor;
use crate::run::State;

/// What the processor stacks when an exception begins.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// r0 to r3 and r12.
    pub low: [u32; 5],
    /// The link register.
    pub lr: u32,
    /// Where the image goes on.
    pub pc: u32,
    /// The program status.
    pub xpsr: u32,
}

/// What is to go wrong in the image.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It jumps where no code is.
    Hard,
    /// It comes to the panic function at this address.
    Panic(u32),
    /// A task spins for ever.
    Hang,
    /// Interrupts are off for ever.
    Dead,
    /// An interrupt that it has no handler for.
    Stray(u32),
    /// Its stack is at its end.
    Stack,
}

/// A place in a source file, as `core::panic::Location` holds it: what a panic function wants.
#[repr(C)]
struct Location {
    file: *const u8,
    length: usize,
    line: u32,
    column: u32,
}

// SAFETY: it points to a constant.
unsafe impl Sync for Location {}

static NAME: [u8; 15] = *b"fault-injection";
static LOCATION: Location =
    Location { file: NAME.as_ptr(), length: NAME.len(), line: 1, column: 1 };

/// The first address of RAM, where the images' stack ends.
const RAM: u32 = 0x2000_0000;
/// What is left of the stack: a frame with floating-point registers does not fit below it.
const LEFT: u32 = 64;

/// Makes happen what the bench has asked for; the frame with which the image goes on.
pub(crate) fn inject(state: &mut State, frame: *mut Frame) -> *mut Frame {
    let Some(fault) = state.fault else { return frame };
    // SAFETY: the frame of the exception in whose handler this runs.
    let stacked = unsafe { &mut *frame };
    match fault {
        Fault::Hang => return frame, // the executor's own handler sees to it
        Fault::Hard => stacked.pc = 0xA000_0000,
        Fault::Panic(address) => {
            stacked.pc = address & !1;
            stacked.low[0] = &raw const LOCATION as u32;
            stacked.xpsr &= !0x0600_FC00; // in no IT block
        }
        Fault::Dead => processor::mask_interrupts(),
        Fault::Stray(interrupt) => {
            processor::enable(interrupt);
            processor::pend(interrupt);
        }
        Fault::Stack => {
            let near_the_end = (RAM + LEFT) as *mut Frame;
            // SAFETY: RAM of the image, which is about to fail in any case.
            unsafe { near_the_end.write(*stacked) };
            state.fault = None;
            return near_the_end;
        }
    }
    state.fault = None;
    frame
}
