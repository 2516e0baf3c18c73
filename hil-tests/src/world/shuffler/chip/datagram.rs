//! The chip's side of its datagrams, from the datasheet's own bit-by-bit checksum.

/// What a datagram asks of the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Datagram {
    /// The value of a register.
    Read(u8),
    /// A register set to a value.
    Write(u8, u32),
}

/// Bytes on their way in, until they make a datagram.
#[derive(Debug, Default)]
pub struct Inbox(Vec<u8>);

impl Inbox {
    /// Takes a byte; a whole good datagram comes out. Noise before one is skipped.
    pub fn take(&mut self, byte: u8) -> Option<Datagram> {
        if self.0.is_empty() && byte & 0x0F != 0x05 {
            return None;
        }
        self.0.push(byte);
        let writes = self.0.get(2)? & 0x80 != 0;
        if self.0.len() < if writes { 8 } else { 4 } {
            return None;
        }
        let whole = std::mem::take(&mut self.0);
        let (sum, body) = whole.split_last()?;
        if body[1] != 0 || checksum(body) != *sum {
            return None;
        }
        let register = body[2] & 0x7F;
        Some(match body[3..] {
            [most, more, less, least] => {
                Datagram::Write(register, u32::from_be_bytes([most, more, less, least]))
            }
            _ => Datagram::Read(register),
        })
    }

    /// The line was quiet for longer than a datagram's gap: what was begun is forgotten.
    pub fn quiet(&mut self) {
        self.0.clear();
    }
}

/// The chip's answer to a read.
pub(super) fn answer(register: u8, value: u32) -> [u8; 8] {
    let [most, more, less, least] = value.to_be_bytes();
    let mut answer = [0x05, 0xFF, register, most, more, less, least, 0];
    answer[7] = checksum(&answer[..7]);
    answer
}

fn checksum(bytes: &[u8]) -> u8 {
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    bits.fold(0, |sum, bit| if sum >> 7 ^ bit == 1 { sum << 1 ^ 0x07 } else { sum << 1 })
}
