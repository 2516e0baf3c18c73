//! A pin by its name.

/// A pin of the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// The port; 0 is port A.
    pub port: u8,
    /// The line of that port, 0 to 15.
    pub number: u8,
}

impl Pin {
    /// The pin of a name such as `PD14`; ports A to H.
    pub fn parse(name: &str) -> Option<Self> {
        let (port, number) = match *name.as_bytes() {
            [b'P', port, ones] => (port, digit(ones)?),
            [b'P', port, b'1', ones] => (port, 10 + digit(ones)?),
            _ => return None,
        };
        let port = port.checked_sub(b'A').filter(|port| *port < 8)?;
        (number < 16).then_some(Self { port, number })
    }

    /// This pin's bit in a register with a bit a pin.
    pub(super) fn bit(self) -> u32 {
        1 << (self.number & 15)
    }
}

fn digit(letter: u8) -> Option<u8> {
    letter.is_ascii_digit().then(|| letter - b'0')
}
