//! Which uncorrectable word of flash may be tolerated: one of the store, and no other.
//!
//! A power cut can tear a word so that its error correction gives up; the chip then raises a
//! non-maskable interrupt at the read. In the store that is foreseen: the record's CRC refuses
//! the word. Anywhere else it is damaged code or damaged constants, and no device may run on.

use core::ops::Range;

/// Bytes in one of the chip's two banks of flash.
const BANK: u32 = 512 * 1024;
/// ADDR_ECC: the word's place in its bank (FLASH_ECCR, RM0351 3.7.7).
const ADDRESS: u32 = (1 << 19) - 1;
/// BK_ECC: the second bank.
const SECOND_BANK: u32 = 1 << 19;
/// SYSF_ECC: the word lies in system memory.
const SYSTEM: u32 = 1 << 20;
/// ECCD: two errors in a word, more than can be corrected.
const TWO_ERRORS: u32 = 1 << 31;

/// Whether the flash's error register reports a torn word in `window`, which is given as
/// distances from the start of flash.
pub fn is_torn_word(error_register: u32, window: Range<u32>) -> bool {
    let bank = if error_register & SECOND_BANK == 0 { 0 } else { BANK };
    let at = bank + (error_register & ADDRESS);
    let torn = error_register & (TWO_ERRORS | SYSTEM) == TWO_ERRORS;
    torn && window.contains(&at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Range<u32> = 0xF_8000..0x10_0000;

    #[test]
    fn a_torn_word_of_the_store_is_tolerated_from_its_first_to_its_last() {
        for at in [0x7_8000, 0x7_8008, 0x7_FFF8] {
            assert!(is_torn_word(TWO_ERRORS | SECOND_BANK | at, WINDOW), "{at:#x}");
        }
    }

    #[test]
    fn a_torn_word_of_the_code_is_not() {
        for at in [0, 0x1234 & !7, 0x7_8000, 0x7_FFF8] {
            assert!(!is_torn_word(TWO_ERRORS | at, WINDOW), "bank 1, {at:#x}");
        }
        for at in [0, 0x7_7FF8] {
            assert!(!is_torn_word(TWO_ERRORS | SECOND_BANK | at, WINDOW), "bank 2, {at:#x}");
        }
    }

    #[test]
    fn a_corrected_word_and_one_of_system_memory_are_no_torn_words() {
        const CORRECTED: u32 = 1 << 30;
        assert!(!is_torn_word(CORRECTED | SECOND_BANK | 0x7_8000, WINDOW));
        assert!(!is_torn_word(TWO_ERRORS | SYSTEM | SECOND_BANK | 0x7_8000, WINDOW));
        assert!(!is_torn_word(0, WINDOW));
    }
}
