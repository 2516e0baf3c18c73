//! What QEMU's STM32L475 lacks, made up for in the guest.
//!
//! QEMU 10 models the chip's clocks, pins and UARTs well, but not all that embassy-stm32
//! leans on. The memory protection unit forbids exactly the registers that misbehave;
//! each access then traps, and the handler here carries the one instruction out as the
//! silicon would:
//!
//! | place | on silicon | in QEMU | here |
//! |---|---|---|---|
//! | power control | holds what is written | reads 0: start-up waits for ever | kept in memory |
//! | flash wait states | read back | read 0: start-up waits for ever | kept in memory |
//! | UART data registers | any width | 32 bits only | widened |
//! | UART flag clear | ignores flags that cannot be cleared | clears them for good | masked |
//! | UART receive | next byte follows | waits for the next timer | timer nudged |
//! | UID, flash size | readable | bus fault | answered |
//!
//! The traps are left to escalate to HardFault, which no critical section masks.
//! Anything else that traps is a real fault of the firmware and ends the run.

mod decode;
mod registers;

use adapters::fall::fall;
use core::arch::naked_asm;
use cortex_m::peripheral::{MPU, SCB};
use croupier::safety::Fall;
use decode::Access;

/// Bases of the six UARTs, in the order of QEMU's `-serial` options.
const UARTS: [u32; 6] =
    [0x4001_3800, 0x4000_4400, 0x4000_4800, 0x4000_4C00, 0x4000_5000, 0x4000_8000];
const POWER: u32 = 0x4000_7000;
const FLASH: u32 = 0x4002_2000;

const FAULT_IS_DATA_ACCESS: u32 = 1 << 1 | 1 << 9; // DACCVIOL, PRECISERR
const FORCED: u32 = 1 << 30;

/// Forbids the registers that need help. Call before anything touches the chip.
///
/// `uid` is the identity this guest answers with.
pub fn install(mpu: &mut MPU, uid: [u32; 3]) {
    registers::set_uid(uid);
    let uart_windows = UARTS.map(|base| (base + 0x20, 4)); // 32 bytes: ICR, RDR, TDR
    let windows = [(POWER, 9), (FLASH, 9)].into_iter().chain(uart_windows); // 1 KiB each
    for (region, (base, size)) in (0..).zip(windows) {
        const DEVICE_NO_ACCESS: u32 = 1 << 28 | 1 << 18 | 1 << 16; // XN, shared device, AP 0
        // SAFETY: these windows hold no memory the compiler knows of; forbidding them
        // only turns accesses into traps handled below.
        unsafe {
            mpu.rnr.write(region);
            mpu.rbar.write(base);
            mpu.rasr.write(DEVICE_NO_ACCESS | size << 1 | 1);
        }
    }
    // SAFETY: the default map stays in force for all else, and for HardFault itself.
    unsafe { mpu.ctrl.write(1 << 2 | 1) };
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
}

/// What the processor saves on entry to an exception: r0-r3, r12, lr, pc, xpsr.
type Frame = [u32; 8];

#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn HardFault() {
    naked_asm!(
        "tst lr, #4",
        "ite eq",
        "mrseq r0, msp",
        "mrsne r0, psp",
        "push {{r4-r11}}",
        "mov r1, sp",
        "push {{r3, lr}}",
        "bl {carry_out}",
        "pop {{r3, lr}}",
        "pop {{r4-r11}}",
        "bx lr",
        carry_out = sym carry_out,
    )
}

/// Carries out the trapped instruction, or ends the run.
unsafe extern "C" fn carry_out(frame: &mut Frame, saved: &mut [u32; 8]) {
    // SAFETY: plain reads of system registers; this handler is not re-entered.
    let scb = unsafe { &*SCB::PTR };
    let (status, at) = (scb.cfsr.read(), frame[6]);
    if status & FAULT_IS_DATA_ACCESS == 0 || attempt(frame, saved).is_none() {
        fall(Fall::HardFault { at, status });
    }
    // SAFETY: the cause is dealt with; writing ones clears the flags.
    unsafe {
        scb.cfsr.write(status);
        scb.hfsr.write(FORCED);
    }
}

fn attempt(frame: &mut Frame, saved: &mut [u32; 8]) -> Option<()> {
    let pc = frame[6];
    // SAFETY: the processor has just fetched this instruction from there.
    let (first, second) = unsafe {
        let at = pc as *const u16;
        (at.read(), at.add(1).read())
    };
    let instruction = decode::decode(first, second)?;
    let address = read_register(frame, saved, instruction.base)?
        .wrapping_add_signed(instruction.offset)
        .wrapping_add(match instruction.index {
            Some((register, shift)) => read_register(frame, saved, register)? << shift,
            None => 0,
        });
    match instruction.access {
        Access::Load => {
            let value = registers::load(address, instruction.width)?;
            write_register(frame, saved, instruction.target, value)?;
        }
        Access::Store => {
            let value = read_register(frame, saved, instruction.target)?;
            registers::store(address, instruction.width, value)?;
        }
    }
    frame[6] = pc.wrapping_add(instruction.length);
    frame[7] = after_one_instruction(frame[7]);
    Some(())
}

/// The program status after an instruction was carried out for the processor: one step
/// on in an IT block, or what follows would run on another instruction's condition
/// (ARMv7-M ARM, ITAdvance). The block's eight bits lie in 15:10 and 26:25.
fn after_one_instruction(status: u32) -> u32 {
    const IN_STATUS: u32 = 0x0600_FC00;
    let block = status >> 8 & 0xFC | status >> 25 & 0b11;
    let next = if block & 0b111 == 0 { 0 } else { block & 0xE0 | block << 1 & 0x1F };
    status & !IN_STATUS | (next & 0xFC) << 8 | (next & 0b11) << 25
}

/// Where register `number` was saved. The stack pointer and pc take no part in I/O.
fn slot<'a>(frame: &'a mut Frame, saved: &'a mut [u32; 8], number: u8) -> Option<&'a mut u32> {
    match number {
        0..=3 => frame.get_mut(usize::from(number)),
        4..=11 => saved.get_mut(usize::from(number) - 4),
        12 => frame.get_mut(4),
        14 => frame.get_mut(5),
        _ => None,
    }
}

fn read_register(frame: &mut Frame, saved: &mut [u32; 8], number: u8) -> Option<u32> {
    slot(frame, saved, number).map(|slot| *slot)
}

fn write_register(frame: &mut Frame, saved: &mut [u32; 8], number: u8, value: u32) -> Option<()> {
    slot(frame, saved, number).map(|slot| *slot = value)
}
