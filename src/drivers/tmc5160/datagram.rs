//! The motion controller's datagrams: wake, address, register, value, checksum.
//!
//! A read request has four bytes; a write request and an answer have eight, the value
//! with its most significant byte first. Each byte enters the checksum with its lowest bit
//! first, as it does the wire.

use crc::{Algorithm, Crc};

use super::register::Register;

/// Two bits by which the controller measures the baud rate, and a fixed pattern.
const WAKE: u8 = 0x05;
/// The address in an answer: the master's.
const US: u8 = 0xFF;
/// Set in the register's byte when it is written.
const WRITE: u8 = 0x80;

const CHECKSUM: Algorithm<u8> = Algorithm {
    width: 8,
    poly: 0x07,
    init: 0,
    refin: true,
    refout: false,
    xorout: 0,
    check: 0x2F,
    residue: 0,
};
static CRC: Crc<u8> = Crc::<u8>::new(&CHECKSUM);

/// An answer that is not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Garbled;

/// Asks the controller at `address` for a register.
pub fn read_request(address: u8, register: Register) -> [u8; 4] {
    let head = [WAKE, address, register as u8];
    let [wake, address, register] = head;
    [wake, address, register, CRC.checksum(&head)]
}

/// Sets a register of the controller at `address`.
pub fn write_request(address: u8, register: Register, value: u32) -> [u8; 8] {
    closed([WAKE, address, register as u8 | WRITE], value)
}

/// The value in an answer to a read of `register`.
pub fn value_in(answer: &[u8; 8], register: Register) -> Result<u32, Garbled> {
    let [_, _, _, most, more, less, least, _] = *answer;
    let value = u32::from_be_bytes([most, more, less, least]);
    if *answer == closed([WAKE, US, register as u8], value) { Ok(value) } else { Err(Garbled) }
}

fn closed([wake, address, register]: [u8; 3], value: u32) -> [u8; 8] {
    let [most, more, less, least] = value.to_be_bytes();
    let body = [wake, address, register, most, more, less, least];
    let sum = CRC.checksum(&body);
    [wake, address, register, most, more, less, least, sum]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second opinion: a published driver for a smaller chip of the same family.
    #[test]
    fn requests_are_those_of_the_published_driver() {
        for address in 0..4 {
            let ours = read_request(address, Register::Ifcnt);
            assert_eq!(tmc2209::read_request::<tmc2209::reg::IFCNT>(address).bytes(), &ours);
            let theirs = tmc2209::write_request(address, tmc2209::reg::VACTUAL(0x0012_3456));
            assert_eq!(theirs.bytes(), closed([WAKE, address, 0x22 | WRITE], 0x0012_3456));
        }
    }

    #[test]
    fn an_answer_gives_its_value_only_if_every_bit_is_right() {
        let good = closed([WAKE, US, Register::XActual as u8], 0x89AB_CDEF);
        assert_eq!(value_in(&good, Register::XActual), Ok(0x89AB_CDEF));
        assert_eq!(value_in(&good, Register::XTarget), Err(Garbled), "another's answer");
        for bit in 0..64 {
            let mut spoilt = good;
            spoilt[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(value_in(&spoilt, Register::XActual), Err(Garbled), "bit {bit}");
        }
    }
}
