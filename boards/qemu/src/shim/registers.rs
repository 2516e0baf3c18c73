//! The registers behind the traps: what silicon would answer.
use super::decode::Width;
use super::{FLASH, POWER, UARTS};
use crate::time;
use core::sync::atomic::{AtomicU32, Ordering};

/// Power control, as many words as the chip has (CR1 to PDCRH, RM0351 5.4).
static POWER_WORDS: [AtomicU32; 24] = [const { AtomicU32::new(0) }; 24];
/// Flash access control: wait states and caches.
static FLASH_ACCESS: AtomicU32 = AtomicU32::new(0x0000_0600);
static UID: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

const UID_BASE: u32 = 0x1FFF_7590;
const FLASH_SIZE_KIB: (u32, u32) = (0x1FFF_75E0, 1024);
/// The UART flags that a write to ICR can clear (RM0351 40.8.9).
const CLEARABLE: u32 = 0x0012_1B5F;

/// The identity this guest answers with.
pub fn set_uid(words: [u32; 3]) {
    for (slot, word) in UID.iter().zip(words) {
        slot.store(word, Ordering::Relaxed);
    }
}

/// Which register of a UART's forbidden window an address means.
enum UartRegister {
    FlagClear,
    Receive,
    Transmit,
}

fn uart_register(address: u32) -> Option<UartRegister> {
    UARTS.iter().find_map(|base| match address.wrapping_sub(*base) {
        0x20 => Some(UartRegister::FlagClear),
        0x24 => Some(UartRegister::Receive),
        0x28 => Some(UartRegister::Transmit),
        _ => None,
    })
}

/// A register that is kept in memory.
fn kept(address: u32) -> Option<&'static AtomicU32> {
    let word = address & !3;
    if word == FLASH {
        return Some(&FLASH_ACCESS);
    }
    POWER_WORDS.get((word.checked_sub(POWER)? / 4) as usize)
}

fn constant(address: u32) -> Option<u32> {
    let word = address & !3;
    if word == FLASH_SIZE_KIB.0 {
        return Some(FLASH_SIZE_KIB.1);
    }
    let slot = UID.get((word.checked_sub(UID_BASE)? / 4) as usize)?;
    Some(slot.load(Ordering::Relaxed))
}

fn part(word: u32, address: u32, width: Width) -> u32 {
    let shifted = word >> (8 * (address & 3));
    match width {
        Width::Byte => shifted & 0xFF,
        Width::Half => shifted & 0xFFFF,
        Width::Word => word,
    }
}

/// What a load gives, or nothing if silicon has no such register here.
pub fn load(address: u32, width: Width) -> Option<u32> {
    if let Some(register) = uart_register(address) {
        return match register {
            UartRegister::Receive => {
                // SAFETY: RDR of an existing UART; this handler bypasses the MPU.
                let byte = unsafe { (address as *const u32).read_volatile() };
                time::nudge_host();
                Some(byte)
            }
            UartRegister::FlagClear | UartRegister::Transmit => None,
        };
    }
    let word = match kept(address) {
        Some(register) => register.load(Ordering::Relaxed),
        None => constant(address)?,
    };
    Some(part(word, address, width))
}

/// Carries a store out, or answers nothing if silicon has no such register here.
pub fn store(address: u32, width: Width, value: u32) -> Option<()> {
    if let Some(register) = uart_register(address) {
        let value = match register {
            UartRegister::FlagClear => value & CLEARABLE,
            UartRegister::Transmit => value & 0x1FF,
            UartRegister::Receive => return None,
        };
        // SAFETY: ICR or TDR of an existing UART; this handler bypasses the MPU.
        unsafe { (address as *mut u32).write_volatile(value) };
        return Some(());
    }
    if width != Width::Word {
        return None; // nobody writes half a control register
    }
    kept(address)?.store(value, Ordering::Relaxed);
    Some(())
}
