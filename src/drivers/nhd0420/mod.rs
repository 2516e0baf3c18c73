//! NHD-0420D3Z: a text display of four rows on a serial line.
//!
//! | | |
//! |---|---|
//! | Part | Newhaven NHD-0420D3Z, 4 x 20 characters; data sheet NHD-0420D3Z, "Serial Interface" |
//! | Bus | RS-232 framing at logic level, 9600 baud 8N1, to the display only |
//! | Commands | `0xFE`, then display on, or set cursor and a place |
//! | Not covered | its SPI and I2C, contrast, backlight, scrolling, characters of one's own |
//!
//! The display never answers, so the driver cannot know whether a byte arrived. It sends a row
//! whole, with its place, and sends only the rows that changed: a running count does not fill
//! the line. [`Display::forget`] lets the next text be sent whole. A user who calls it now and
//! then corrects a display that was plugged in late or lost a byte.
//!
//! Written by hand: the published crates for character displays drive an HD44780 on pins or I2C,
//! and none knows the commands of this module.

use embedded_io_async::{Error as _, ErrorKind, Write};

#[cfg(test)]
mod tests;

/// Characters in a row.
pub const WIDTH: usize = 20;
/// Rows, the topmost first.
pub const ROWS: usize = 4;

/// Every command begins so.
const COMMAND: u8 = 0xFE;
const DISPLAY_ON: u8 = 0x41;
const SET_CURSOR: u8 = 0x45;
/// Where the rows begin in the display's memory.
const STARTS: [u8; ROWS] = [0x00, 0x40, 0x14, 0x54];

/// The most that one text takes to send: the display's switching on, and four rows.
pub const MOST_BYTES: usize = 2 + ROWS * (3 + WIDTH);

/// Why a text was not sent. The next one is sent whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// The line failed.
    Line(ErrorKind),
}

/// A row of plain text, which no command can hide in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row([u8; WIDTH]);

impl Row {
    /// The first characters of `text`; what is not plain ASCII becomes a question mark.
    pub fn new(text: &[u8]) -> Self {
        let mut row = [b' '; WIDTH];
        for (place, byte) in row.iter_mut().zip(text) {
            *place = if matches!(byte, b' '..=b'~') { *byte } else { b'?' };
        }
        Self(row)
    }
}

/// A display at the far end of a line.
#[derive(Debug)]
pub struct Display<L> {
    line: L,
    /// What it shows, as far as can be known.
    shown: Option<[Row; ROWS]>,
}

impl<L: Write> Display<L> {
    /// A display of which nothing is known.
    pub const fn new(line: L) -> Self {
        Self { line, shown: None }
    }

    /// Lets the next text be sent whole.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// The line to the display: a test looks at its far end.
    pub fn line(&mut self) -> &mut L {
        &mut self.line
    }

    /// Sends what it does not show yet of these rows.
    ///
    /// At most [`MOST_BYTES`]. If it fails or is dropped, the next text is sent whole.
    pub async fn show(&mut self, rows: [Row; ROWS]) -> Result<(), Error> {
        let shown = self.shown.take();
        if shown.is_none() {
            self.send(&[COMMAND, DISPLAY_ON]).await?;
        }
        for (place, (start, row)) in STARTS.into_iter().zip(&rows).enumerate() {
            if shown.as_ref().and_then(|shown| shown.get(place)) != Some(row) {
                self.send(&[COMMAND, SET_CURSOR, start]).await?;
                self.send(&row.0).await?;
            }
        }
        self.line.flush().await.map_err(|error| Error::Line(error.kind()))?;
        self.shown = Some(rows);
        Ok(())
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.line.write_all(bytes).await.map_err(|error| Error::Line(error.kind()))
    }
}
