//! The driver against a mock of its line: every byte, and a line that fails.

use std::vec::Vec;

use embassy_futures::block_on;
use embedded_io_async::{ErrorKind, ErrorType, Write};

use super::{Display, Error, MOST_BYTES, ROWS, Row};

/// A line that takes a set number of bytes, a few at a time, and then fails.
struct Line {
    taken: Vec<u8>,
    room: usize,
}

impl ErrorType for Line {
    type Error = ErrorKind;
}

impl Write for Line {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let count = bytes.len().min(7).min(self.room - self.taken.len());
        if count == 0 {
            return Err(ErrorKind::BrokenPipe);
        }
        self.taken.extend(&bytes[..count]);
        Ok(count)
    }

    async fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

fn display(room: usize) -> Display<Line> {
    Display::new(Line { taken: Vec::new(), room })
}

fn rows(texts: [&str; ROWS]) -> [Row; ROWS] {
    texts.map(|text| Row::new(text.as_bytes()))
}

fn sent(display: &mut Display<Line>, texts: [&str; ROWS]) -> Vec<u8> {
    block_on(display.show(rows(texts))).expect("there is room");
    core::mem::take(&mut display.line().taken)
}

/// The bytes of the data sheet's table of commands.
#[test]
fn the_first_text_switches_it_on_and_sets_every_row() {
    let mut display = display(1_000);
    let bytes = sent(&mut display, ["READY", "", "insert cards", "12345678901234567890 and more"]);
    let mut expected = b"\xFE\x41".to_vec();
    expected.extend(b"\xFE\x45\x00READY               ");
    expected.extend(b"\xFE\x45\x40                    ");
    expected.extend(b"\xFE\x45\x14insert cards        ");
    expected.extend(b"\xFE\x45\x5412345678901234567890");
    assert_eq!(bytes, expected);
    assert_eq!(bytes.len(), MOST_BYTES);
}

#[test]
fn later_only_rows_that_changed_are_sent_until_all_is_forgotten() {
    let mut display = display(1_000);
    sent(&mut display, ["a", "b", "c", "d"]);
    let changed = sent(&mut display, ["a", "b", "C", "d"]);
    assert_eq!(changed, b"\xFE\x45\x14C                   ");
    assert!(sent(&mut display, ["a", "b", "C", "d"]).is_empty());
    display.forget();
    assert_eq!(sent(&mut display, ["a", "b", "C", "d"]).len(), MOST_BYTES);
}

/// 0xFE in a text would begin a command, and a letter beyond ASCII is another one there.
#[test]
fn what_is_not_plain_text_is_a_question_mark() {
    let shown = [Row::new(b"\xFE\x51"), Row::new("caf\u{e9}".as_bytes())];
    assert_eq!(shown, [Row::new(b"?Q"), Row::new(b"caf??")]);
}

#[test]
fn after_a_failure_the_next_text_is_sent_whole() {
    for room in [0, 1, 2, 30, MOST_BYTES - 1] {
        let mut display = display(room);
        let text = rows(["a", "b", "c", "d"]);
        assert_eq!(block_on(display.show(text)), Err(Error::Line(ErrorKind::BrokenPipe)));
        *display.line() = Line { taken: Vec::new(), room: 1_000 };
        assert_eq!(sent(&mut display, ["a", "b", "c", "d"]).len(), MOST_BYTES);
    }
}
