//! The shuffler's two lines of text on the four rows of its display.
//!
//! A line is up to 24 letters long and a row holds 20, so each line has two rows and is broken
//! between words. The display itself is [`nhd0420`](crate::drivers::nhd0420).

use embedded_io_async::Write;

use crate::drivers::nhd0420::{Display, Error, Row, WIDTH};

/// The display as the shuffler uses it.
#[derive(Debug)]
pub struct Screen<L> {
    display: Display<L>,
}

impl<L: Write> Screen<L> {
    /// A display of which nothing is known, at the far end of `line`.
    pub const fn new(line: L) -> Self {
        Self { display: Display::new(line) }
    }

    /// Forgets what is shown, so that the next text is sent whole.
    pub fn forget(&mut self) {
        self.display.forget();
    }

    /// The line to the display: a test looks at its far end.
    pub fn line(&mut self) -> &mut L {
        self.display.line()
    }

    /// Sends what it does not show yet of these two lines.
    pub async fn show(&mut self, lines: [&str; 2]) -> Result<(), Error> {
        let [[first, second], [third, fourth]] = lines.map(fold);
        self.display.show([first, second, third, fourth]).await
    }
}

/// A line on two rows, broken between words.
fn fold(line: &str) -> [Row; 2] {
    let text = line.as_bytes();
    let at = if text.len() <= WIDTH {
        text.len()
    } else {
        let space = text.iter().take(WIDTH + 1).rposition(|byte| *byte == b' ');
        space.unwrap_or(WIDTH)
    };
    let (upper, lower) = text.split_at(at);
    [Row::new(upper), Row::new(lower.trim_ascii_start())]
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use embassy_futures::block_on;

    use super::*;
    use crate::drivers::nhd0420::MOST_BYTES;

    const COMMAND: u8 = 0xFE;
    const DISPLAY_ON: u8 = 0x41;
    const SET_CURSOR: u8 = 0x45;

    /// The bytes after which the display shows these lines.
    fn sent(screen: &mut Screen<Vec<u8>>, lines: [&str; 2]) -> Vec<u8> {
        block_on(screen.show(lines)).unwrap();
        core::mem::take(screen.line())
    }

    /// The rows as the display would have them after `bytes`.
    fn played(bytes: &[u8], display: &mut [u8; 0x80]) {
        let (mut cursor, mut bytes) = (0, bytes.iter().copied());
        while let Some(byte) = bytes.next() {
            match byte {
                COMMAND => match bytes.next() {
                    Some(SET_CURSOR) => cursor = usize::from(bytes.next().unwrap()),
                    Some(DISPLAY_ON) => {}
                    other => panic!("the display knows no command {other:?}"),
                },
                text => {
                    display[cursor] = text;
                    cursor += 1;
                }
            }
        }
    }

    fn rows(display: &[u8; 0x80]) -> [String; 4] {
        [0x00, 0x40, 0x14, 0x54]
            .map(|at| String::from_utf8(display[at..at + 20].to_vec()).unwrap().trim_end().into())
    }

    /// CM-06: every text of up to 24 letters stands on the display in whole words.
    #[test]
    fn long_lines_are_broken_between_words_and_old_text_leaves_nothing_behind() {
        let (mut screen, mut display) = (Screen::new(Vec::new()), [b'#'; 0x80]);
        let texts = [
            (
                ["REMOVE DECK", "remove deck: call floor"],
                ["REMOVE DECK", "", "remove deck: call", "floor"],
            ),
            (
                ["NOT USABLE", "OUT OF ORDER: COVER/SIGN"],
                ["NOT USABLE", "", "OUT OF ORDER:", "COVER/SIGN"],
            ),
            (["READY", ""], ["READY", "", "", ""]),
            (
                ["abcdefghijklmnopqrstuvwx", "12345678901234567890"],
                ["abcdefghijklmnopqrst", "uvwx", "12345678901234567890", ""],
            ),
            (["caf\u{e9}", "a b"], ["caf??", "", "a b", ""]),
        ];
        for (lines, shown) in texts {
            played(&sent(&mut screen, lines), &mut display);
            assert_eq!(rows(&display), shown);
        }
    }

    #[test]
    fn only_what_changes_is_sent_and_everything_when_forgotten() {
        let mut screen = Screen::new(Vec::new());
        assert_eq!(sent(&mut screen, ["SHUFFLING", "pass 1: 3 of 52"]).len(), MOST_BYTES);
        assert_eq!(sent(&mut screen, ["SHUFFLING", "pass 1: 4 of 52"]).len(), 23, "one row");
        assert!(sent(&mut screen, ["SHUFFLING", "pass 1: 4 of 52"]).is_empty());
        screen.forget();
        let (bytes, mut display) =
            (sent(&mut screen, ["SHUFFLING", "pass 1: 4 of 52"]), [b'#'; 0x80]);
        played(&bytes, &mut display);
        assert_eq!(rows(&display), ["SHUFFLING", "", "pass 1: 4 of 52", ""]);
    }
}
