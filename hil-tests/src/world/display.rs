//! The shuffler's text display, a Newhaven NHD-0420D3Z: what a person reads on its four rows.
//!
//! Bytes are letters or commands, which begin with 0xFE. The firmware uses few of them;
//! those that the maker lists and that change what is read are all here.

/// Characters in a row, and where each row begins in the display's memory.
const WIDTH: usize = 20;
const STARTS: [u8; 4] = [0x00, 0x40, 0x14, 0x54];
/// The last place of each half of its memory, and the first of the other half.
const WRAPS: [(u8, u8); 2] = [(0x27, 0x40), (0x67, 0x00)];
const BLANK: u8 = b' ';
const COMMAND: u8 = 0xFE;

/// What a byte is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expects {
    Letter,
    Command,
    Place,
    /// A setting that is not read: contrast or brightness.
    Setting,
}

/// A display as its line finds it.
#[derive(Debug, Clone)]
pub struct Display {
    memory: [u8; 0x80],
    cursor: u8,
    is_on: bool,
    expects: Expects,
}

impl Default for Display {
    /// As it comes from its maker: on, and blank.
    fn default() -> Self {
        Self { memory: [BLANK; 0x80], cursor: 0, is_on: true, expects: Expects::Letter }
    }
}

impl Display {
    /// Takes a byte. A command that it does not know is an error: it would show letters of it.
    pub fn take(&mut self, byte: u8) -> Result<(), u8> {
        let expects = std::mem::replace(&mut self.expects, Expects::Letter);
        match (expects, byte) {
            (Expects::Letter, COMMAND) => self.expects = Expects::Command,
            (Expects::Letter, letter) => self.put(letter),
            (Expects::Place, place) => self.cursor = place & 0x7F,
            (Expects::Setting, _) => {}
            (Expects::Command, 0x41) => self.is_on = true,
            (Expects::Command, 0x42) => self.is_on = false,
            (Expects::Command, 0x45) => self.expects = Expects::Place,
            (Expects::Command, 0x46) => self.cursor = 0,
            (Expects::Command, 0x51) => (self.memory, self.cursor) = ([BLANK; 0x80], 0),
            (Expects::Command, 0x52 | 0x53) => self.expects = Expects::Setting,
            (Expects::Command, unknown) => return Err(unknown),
        }
        Ok(())
    }

    fn put(&mut self, letter: u8) {
        self.memory[usize::from(self.cursor)] = letter;
        let wrap = WRAPS.iter().find(|(last, _)| *last == self.cursor);
        self.cursor = wrap.map_or((self.cursor + 1) & 0x7F, |(_, first)| *first);
    }

    /// Whether a row has just been written to its end: until then a half of it is old.
    pub fn is_at_a_rows_end(&self) -> bool {
        let ends = STARTS.map(|start| start + WIDTH as u8);
        let at_end = ends.contains(&self.cursor) || [0x00, 0x40].contains(&self.cursor);
        self.expects == Expects::Letter && at_end
    }

    /// What a person reads: two lines, each on two rows; nothing while it is off.
    pub fn lines(&self) -> [String; 2] {
        if !self.is_on {
            return Default::default();
        }
        let row = |row: usize| {
            let start = usize::from(STARTS[row]);
            String::from_utf8_lossy(&self.memory[start..start + WIDTH]).trim().to_owned()
        };
        [[0, 1], [2, 3]].map(|[upper, lower]| [row(upper), row(lower)].join(" ").trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use croupier::shuffler::screen::Screen;
    use embassy_futures::block_on;

    fn show(display: &mut Display, bytes: &[u8]) {
        bytes.iter().for_each(|byte| display.take(*byte).unwrap());
    }

    /// What the firmware sends to show these lines.
    fn sent(screen: &mut Screen<Vec<u8>>, lines: [&str; 2]) -> Vec<u8> {
        block_on(screen.show(lines)).unwrap();
        std::mem::take(screen.line())
    }

    #[test]
    fn what_the_firmware_sends_is_read_as_it_was_meant() {
        let (mut screen, mut display) = (Screen::new(Vec::new()), Display::default());
        for lines in [
            ["REMOVE DECK", "remove deck: call floor"],
            ["SHUFFLING", "pass 1: 3 of 52"],
            ["NOT USABLE", "OUT OF ORDER: COVER/SIGN"],
            ["READY", ""],
        ] {
            show(&mut display, &sent(&mut screen, lines));
            assert_eq!(display.lines(), lines);
            assert!(display.is_at_a_rows_end());
        }
    }

    #[test]
    fn a_row_that_is_half_written_is_not_at_its_end() {
        let (mut screen, mut display) = (Screen::new(Vec::new()), Display::default());
        let bytes = sent(&mut screen, ["READY", "put cards in"]);
        show(&mut display, &bytes[..bytes.len() - 1]);
        assert!(!display.is_at_a_rows_end());
        show(&mut display, &bytes[bytes.len() - 1..]);
        assert!(display.is_at_a_rows_end());
    }

    #[test]
    fn its_maker_s_other_commands_do_what_he_says_and_no_others_are_known() {
        let mut display = Display::default();
        show(&mut display, b"HELLO");
        show(&mut display, &[0xFE, 0x52, 40, 0xFE, 0x53, 8, 0xFE, 0x42]);
        assert_eq!(display.lines(), ["", ""], "it is off");
        show(&mut display, &[0xFE, 0x41, 0xFE, 0x46, b'J']);
        assert_eq!(display.lines(), ["JELLO", ""]);
        show(&mut display, &[0xFE, 0x51]);
        assert_eq!(display.lines(), ["", ""]);
        display.take(0xFE).unwrap();
        assert_eq!(display.take(0x99), Err(0x99));
    }
}
