//! The text display: a Newhaven NHD-0420D3Z, four rows of twenty, on a serial line.
//!
//! It only listens: nobody knows whether it got a byte. So a row is sent whole, with its
//! place, and everything is sent anew from time to time; a display plugged in late, or
//! hit by a spark, is right again within seconds. What a row already shows is not sent, so
//! that a count running along does not fill the 9600-baud line.

use heapless::Vec;

/// Characters in a row.
const WIDTH: usize = 20;
const ROWS: usize = 4;

/// Every command begins so.
const COMMAND: u8 = 0xFE;
const DISPLAY_ON: u8 = 0x41;
const SET_CURSOR: u8 = 0x45;
/// Where the rows begin in the display's memory.
const STARTS: [u8; ROWS] = [0x00, 0x40, 0x14, 0x54];

/// The most that one text takes to send: the display's switching on, and four rows.
pub const MOST_BYTES: usize = 2 + ROWS * (3 + WIDTH);

type Row = [u8; WIDTH];

/// What the display shows, as far as can be known.
#[derive(Debug, Default)]
pub struct Screen {
    rows: Option<[Row; ROWS]>,
}

impl Screen {
    /// Nothing is known of it.
    pub const fn new() -> Self {
        Self { rows: None }
    }

    /// Lets the next text be sent whole.
    pub fn forget(&mut self) {
        self.rows = None;
    }

    /// The bytes after which it shows these two lines, each on two rows.
    pub fn show(&mut self, lines: [&str; 2]) -> Vec<u8, MOST_BYTES> {
        let mut bytes = Vec::new();
        let mut send = |part: &[u8]| {
            let _ = bytes.extend_from_slice(part); // there is room for all of it
        };
        let [first, second] = lines.map(fold);
        let rows = [first[0], first[1], second[0], second[1]];
        if self.rows.is_none() {
            send(&[COMMAND, DISPLAY_ON]);
        }
        for (place, row) in rows.iter().enumerate() {
            if self.rows.as_ref().and_then(|shown| shown.get(place)) != Some(row) {
                send(&[COMMAND, SET_CURSOR, STARTS[place]]);
                send(row);
            }
        }
        self.rows = Some(rows);
        bytes
    }
}

/// A line on two rows, broken between words; what is not plain text becomes a question mark.
fn fold(line: &str) -> [Row; 2] {
    let text = line.as_bytes();
    let at = if text.len() <= WIDTH {
        text.len()
    } else {
        let space = text.iter().take(WIDTH + 1).rposition(|byte| *byte == b' ');
        space.unwrap_or(WIDTH)
    };
    let (upper, lower) = text.split_at(at);
    [row(upper), row(lower.trim_ascii_start())]
}

fn row(text: &[u8]) -> Row {
    let mut row = [b' '; WIDTH];
    for (place, byte) in row.iter_mut().zip(text) {
        *place = if matches!(byte, b' '..=b'~') { *byte } else { b'?' };
    }
    row
}

#[cfg(test)]
mod tests {
    use std::string::String;

    use super::*;

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
        let (mut screen, mut display) = (Screen::new(), [b'#'; 0x80]);
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
            played(&screen.show(lines), &mut display);
            assert_eq!(rows(&display), shown);
        }
    }

    #[test]
    fn only_what_changes_is_sent_and_everything_when_forgotten() {
        let mut screen = Screen::new();
        assert_eq!(screen.show(["SHUFFLING", "pass 1: 3 of 52"]).len(), MOST_BYTES);
        assert_eq!(screen.show(["SHUFFLING", "pass 1: 4 of 52"]).len(), 23, "one row");
        assert!(screen.show(["SHUFFLING", "pass 1: 4 of 52"]).is_empty());
        screen.forget();
        let (bytes, mut display) = (screen.show(["SHUFFLING", "pass 1: 4 of 52"]), [b'#'; 0x80]);
        played(&bytes, &mut display);
        assert_eq!(rows(&display), ["SHUFFLING", "", "pass 1: 4 of 52", ""]);
    }
}
