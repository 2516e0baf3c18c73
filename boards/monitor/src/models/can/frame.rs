//! A frame in the controller, and on the bench's hub as a line of slcan text.

/// IDE of TIxR and RIxR: an identifier of 29 bits.
pub(super) const IDE: u32 = 1 << 2;
/// RTR of TIxR and RIxR: a remote frame, without data.
pub(super) const RTR: u32 = 1 << 1;

/// `T`, identifier, length, data, and a time stamp that some adapters add.
const LONGEST_LINE: usize = 1 + 8 + 1 + 16 + 8;
/// `T`, identifier, length, data, end.
const LONGEST_TEXT: usize = 1 + 8 + 1 + 16 + 1;
const BELL: u8 = 7;

/// A frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// Identifier, IDE and RTR as TIxR and RIxR have them.
    pub id: u32,
    /// Bytes of data, at most eight.
    pub length: u8,
    pub data: [u8; 8],
}

impl Frame {
    /// No identifier, no data.
    pub(super) const EMPTY: Self = Self { id: 0, length: 0, data: [0; 8] };

    /// Bits on the wire with the space behind it, stuffing taken as a tenth.
    pub(super) fn bits(&self) -> u32 {
        let head = if self.id & IDE != 0 { 67 } else { 47 };
        let data = if self.id & RTR != 0 { 0 } else { 8 * u32::from(self.length) };
        (head + data) * 11 / 10
    }

    /// Its place in arbitration: the lower goes first.
    pub(super) fn arbitration(&self) -> u32 {
        let remote = (self.id & RTR) >> 1;
        let base = self.id >> 21 << 21;
        match self.id & IDE != 0 {
            // A substitute for RTR, recessive, and IDE, recessive, before the rest.
            true => base | 0b11 << 19 | (self.id >> 3 & 0x3FFFF) << 1 | remote,
            false => base | remote << 20,
        }
    }

    /// As text.
    pub(super) fn text(&self) -> Text {
        let mut text = Text { characters: [0; LONGEST_TEXT], length: 0 };
        let extended = self.id & IDE != 0;
        text.push(match (extended, self.id & RTR != 0) {
            (true, false) => b'T',
            (false, false) => b't',
            (true, true) => b'R',
            (false, true) => b'r',
        });
        match extended {
            true => text.push_hex(self.id >> 3, 8),
            false => text.push_hex(self.id >> 21, 3),
        }
        text.push_hex(self.length.into(), 1);
        if self.id & RTR == 0 {
            let bytes = self.data.iter().take(self.length.into());
            bytes.for_each(|&byte| text.push_hex(byte.into(), 2));
        }
        text.push(b'\r');
        text
    }

    /// Of a line without its end.
    fn parse(line: &[u8]) -> Option<Self> {
        let (&kind, rest) = line.split_first()?;
        let (digits, shift, flags) = match kind {
            b'T' => (8, 3, IDE),
            b't' => (3, 21, 0),
            b'R' => (8, 3, IDE | RTR),
            b'r' => (3, 21, RTR),
            _ => return None,
        };
        let (id, rest) = rest.split_at_checked(digits)?;
        let id = id.iter().try_fold(0u32, |id, &digit| Some(id << 4 | nibble(digit)?))?;
        let most = u32::MAX >> shift;
        let (&length, rest) = rest.split_first()?;
        let length = nibble(length)? as u8;
        if id > most || length > 8 {
            return None;
        }
        let mut frame = Self { id: id << shift | flags, length, data: [0; 8] };
        if flags & RTR == 0 {
            let pairs = rest.get(..2 * usize::from(length))?.chunks_exact(2);
            for (byte, pair) in frame.data.iter_mut().zip(pairs) {
                let [high, low] = pair else { return None };
                *byte = (nibble(*high)? << 4 | nibble(*low)?) as u8;
            }
        }
        Some(frame)
    }
}

fn nibble(digit: u8) -> Option<u32> {
    char::from(digit).to_digit(16)
}

/// A frame as text.
pub(super) struct Text {
    characters: [u8; LONGEST_TEXT],
    length: usize,
}

impl Text {
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.characters.get(..self.length).unwrap_or(&self.characters)
    }

    fn push(&mut self, character: u8) {
        if let Some(place) = self.characters.get_mut(self.length) {
            *place = character;
            self.length += 1;
        }
    }

    fn push_hex(&mut self, value: u32, digits: u32) {
        for digit in (0..digits).rev() {
            let nibble = value >> (4 * digit) & 0xF;
            self.push(char::from_digit(nibble, 16).map_or(0, |c| c.to_ascii_uppercase() as u8));
        }
    }
}

/// What a line from the hub says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// Another node's frame.
    Frame(Frame),
    /// Ours was taken on the bus.
    Taken,
    /// Ours was not.
    Refused,
}

/// Characters in, lines out.
#[derive(Debug, Clone)]
pub(super) struct Decoder {
    line: [u8; LONGEST_LINE],
    /// Characters so far, with those that found no room.
    length: usize,
}

impl Decoder {
    pub(super) const fn new() -> Self {
        Self { line: [0; LONGEST_LINE], length: 0 }
    }

    /// Whether this character would begin a line with a frame.
    pub(super) fn begins_frame(&self, character: u8) -> bool {
        self.length == 0 && matches!(character, b'T' | b't' | b'R' | b'r')
    }

    /// Takes one character; gives what the line that it ends says. Other lines say nothing to us.
    pub(super) fn accept(&mut self, character: u8) -> Option<Line> {
        match character {
            b'\r' => {}
            BELL => {
                self.length = 0;
                return Some(Line::Refused);
            }
            b'\n' => return None,
            _ => {
                if let Some(place) = self.line.get_mut(self.length) {
                    *place = character;
                }
                self.length = self.length.saturating_add(1);
                return None;
            }
        }
        let length = core::mem::take(&mut self.length);
        match self.line.get(..length)? {
            [b'z' | b'Z'] => Some(Line::Taken),
            line => Frame::parse(line).map(Line::Frame),
        }
    }
}
