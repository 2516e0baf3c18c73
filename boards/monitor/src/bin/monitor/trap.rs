//! A trapped access, carried out by a model.
//!
//! A closed region makes the access a hard fault. The instruction at the stacked program counter
//! is decoded, its access carried out, its registers changed in the frame, and the image goes on
//! behind it. A fault that is no access of ours is the image's own: it gets it.

use monitor::decode::{self, Instruction, Way};
use monitor::{Breach, Ns, Width};

use crate::fault::Frame;
use crate::outside::{WINDOW, WINDOW_BYTES};
use crate::processor;
use crate::run::State;
use crate::shared::{self, Word};

const IMAGE: u32 = 0x0800_0000;
const NMI_VECTOR: u32 = IMAGE + 4 * 2;
const HARD_FAULT_VECTOR: u32 = IMAGE + 4 * 3;
/// A data access was refused by protection or by the bus.
const DATA_ACCESS: u32 = 1 << 1 | 1 << 9;
/// Flash memory.
const FLASH: core::ops::Range<u32> = 0x0800_0000..0x0810_0000;
/// Words of a frame with floating-point registers.
const LONG_FRAME: usize = 26;

unsafe extern "C" {
    /// Where an image's NMI handler returns to, and the access there that traps.
    fn nmi_returns();
    fn nmi_trap();
}

/// The registers of the interrupted image.
struct Registers<'a> {
    frame: &'a mut Frame,
    /// r4 to r11.
    high: &'a mut [u32; 8],
    sp: u32,
}

impl Registers<'_> {
    fn get(&self, number: u8) -> u32 {
        match number {
            0..=3 => self.frame.low[usize::from(number)],
            4..=11 => self.high[usize::from(number) - 4],
            12 => self.frame.low[4],
            13 => self.sp,
            _ => self.frame.lr,
        }
    }

    fn set(&mut self, number: u8, value: u32) {
        match number {
            0..=3 => self.frame.low[usize::from(number)] = value,
            4..=11 => self.high[usize::from(number) - 4] = value,
            12 => self.frame.low[4] = value,
            14 => self.frame.lr = value,
            _ => {} // the decoder lets no other be a target
        }
    }
}

/// How the image goes on: in its own hard fault handler, or where the frame says.
#[repr(C)]
struct GoOn {
    handler: u32,
    frame: *mut Frame,
}

impl GoOn {
    fn packed(self) -> u64 {
        u64::from(self.handler) | (self.frame as u64) << 32
    }
}

/// A hard fault.
///
/// # Safety
///
/// Called by its handler only: `frame` is what the processor has stacked, `high` r4 to r11.
#[unsafe(no_mangle)]
unsafe extern "C" fn trapped(frame: *mut Frame, high: *mut [u32; 8], exc_return: u32) -> u64 {
    let state = State::get();
    let now = state.time.enter(); // first of all: what comes before it is the image's time
    let (status, _) = processor::fault();
    let readable = (0x1000_0000..0x1000_8000).contains(&(frame as u32))
        || (0x2000_0000..0x2001_8000).contains(&(frame as u32));
    if status & DATA_ACCESS == 0 || status & (1 << 4 | 1 << 12) != 0 || !readable {
        return pass_on(frame);
    }
    // SAFETY: as the caller promises, and in RAM.
    let (stacked, high) = unsafe { (&mut *frame, &mut *high) };
    if stacked.pc == nmi_trap as *const () as u32 & !1 {
        processor::clear_fault(status);
        return after_nmi(frame, exc_return, now);
    }
    shared::put(Word::Traps, shared::get(Word::Traps).wrapping_add(1));
    if state.chip.next() <= now {
        state.advance(now, stacked.pc);
    }
    let halves = processor::load_halves(stacked.pc);
    let Some(instruction) = decode::decode(halves.0, halves.1) else { return pass_on(frame) };
    let pc = stacked.pc;
    let size = if exc_return & 0x10 == 0 { LONG_FRAME } else { 8 };
    let sp = frame as u32 + 4 * size as u32 + (stacked.xpsr >> 9 & 1) * 4;
    let mut registers = Registers { frame: stacked, high, sp };
    let result = carry_out(state, &instruction, &mut registers, now);
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(breach) => {
            state.check(pc, Err(breach));
            Outcome::NotOurs
        }
    };
    if matches!(outcome, Outcome::NotOurs) {
        return pass_on(frame);
    }
    registers.frame.pc = pc + instruction.length;
    registers.frame.xpsr = decode::step_it_block(registers.frame.xpsr);
    processor::clear_fault(status);
    state.finish(now);
    if matches!(outcome, Outcome::Torn) {
        return begin_nmi(frame, size).packed();
    }
    GoOn { handler: 0, frame }.packed()
}

/// What came of an access.
enum Outcome {
    Done,
    /// A torn word was read: the processor gets a non-maskable interrupt.
    Torn,
    /// No model has this address.
    NotOurs,
}

fn carry_out(
    state: &mut State,
    instruction: &Instruction,
    registers: &mut Registers<'_>,
    now: Ns,
) -> Result<Outcome, Breach> {
    let base = registers.get(instruction.base);
    let index = instruction.index.map_or(0, |(index, shift)| registers.get(index) << shift);
    let moved = base.wrapping_add_signed(instruction.offset);
    let address = match instruction.write_back {
        Some(false) => base,
        _ => moved.wrapping_add(index),
    };
    let width = instruction.width;
    let outcome = match instruction.way {
        Way::Store => {
            let value = cut(registers.get(instruction.target), width);
            store(state, address, width, value, now)?
        }
        Way::Load | Way::LoadSigned => {
            let (value, outcome) = load(state, address, width, now)?;
            let value = match (instruction.way, width) {
                (Way::LoadSigned, Width::Byte) => value as u8 as i8 as u32,
                (Way::LoadSigned, Width::Half) => value as u16 as i16 as u32,
                _ => value,
            };
            registers.set(instruction.target, value);
            outcome
        }
    };
    if instruction.write_back.is_some() {
        registers.set(instruction.base, moved);
    }
    Ok(outcome)
}

fn cut(value: u32, width: Width) -> u32 {
    match width {
        Width::Byte => value & 0xFF,
        Width::Half => value & 0xFFFF,
        Width::Word => value,
    }
}

fn store(
    state: &mut State,
    address: u32,
    width: Width,
    value: u32,
    now: Ns,
) -> Result<Outcome, Breach> {
    let State { chip, host, .. } = state;
    if FLASH.contains(&address) {
        chip.program(address - FLASH.start, width, value, now, host)?;
        return Ok(Outcome::Done);
    }
    match chip.store(address, width, value, now, host) {
        Some(result) => result.map(|()| Outcome::Done),
        None => Ok(Outcome::NotOurs),
    }
}

fn load(state: &mut State, address: u32, width: Width, now: Ns) -> Result<(u32, Outcome), Breach> {
    let State { chip, host, .. } = state;
    let offset = address.wrapping_sub(FLASH.start);
    if (WINDOW..WINDOW + WINDOW_BYTES).contains(&offset) {
        // Reads trap only while the window holds a torn word.
        let word = processor::load(address & !3);
        let value = cut(word >> (8 * (address & 3)), width);
        let torn = chip.read_flash(offset, now, host);
        return Ok((value, if torn { Outcome::Torn } else { Outcome::Done }));
    }
    match chip.load(address, width, now, host) {
        Some(result) => result.map(|value| (value, Outcome::Done)),
        None => Ok((0, Outcome::NotOurs)),
    }
}

/// Lets the image have its own fault.
fn pass_on(frame: *mut Frame) -> u64 {
    let (status, address) = processor::fault();
    let state = State::get();
    let pc = if frame as u32 >= 0x2000_0000 && (frame as u32) < 0x2001_7FE0 {
        // SAFETY: in RAM; a stack that has run out of it leaves nothing to read.
        unsafe { (*frame).pc }
    } else {
        0
    };
    state.host.say(format_args!(
        "a fault of the image's own: pc {pc:#010x}, status {status:#x}, address {:#010x}",
        address.unwrap_or(0)
    ));
    state.host.flush();
    state.time.resume();
    GoOn { handler: processor::load(HARD_FAULT_VECTOR), frame }.packed()
}

/// Makes up a frame below the image's, with which its NMI handler runs at the priority of what it
/// interrupts: in a real NMI the accesses of the handler would not trap.
fn begin_nmi(frame: *mut Frame, size: usize) -> GoOn {
    let below = frame.cast::<u32>().wrapping_sub(size).cast::<Frame>();
    // SAFETY: the image's stack, which has room for an interrupt; `size` words as they stand.
    unsafe {
        core::ptr::copy_nonoverlapping(frame.cast::<u32>(), below.cast::<u32>(), size);
        (*below).pc = processor::load(NMI_VECTOR) & !1;
        (*below).lr = nmi_returns as *const () as u32 | 1;
        (*below).xpsr &= !(0x0600_FC00 | 1 << 9); // in no IT block, and aligned as it is
    }
    GoOn { handler: 0, frame: below }
}

/// The NMI handler has returned: the image goes on with the frame it had before.
fn after_nmi(frame: *mut Frame, exc_return: u32, now: Ns) -> u64 {
    let size = if exc_return & 0x10 == 0 { LONG_FRAME } else { 8 };
    let state = State::get();
    // SAFETY: the frame of this trap; the older one lies right above it, and its padding.
    let padding = unsafe { (*frame).xpsr >> 9 & 1 } as usize;
    let above = frame.cast::<u32>().wrapping_add(size + padding).cast::<Frame>();
    state.finish(now);
    GoOn { handler: 0, frame: above }.packed()
}
