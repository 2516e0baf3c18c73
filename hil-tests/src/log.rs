//! A device's log: the decoded lines of every boot since the bench opened.
//!
//! The chip sends compact defmt frames; the words are in the ELF. Lines are
//! decoded as they come, so a test waits for one and a person sees them live.

use std::fmt;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use defmt_decoder::{DecodeError, Frame, Locations, Table};

use crate::error::{BenchError, Result};
use crate::wait::{Waited, Watched};

/// How loud a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Detail of a detail.
    Trace,
    /// Detail.
    Debug,
    /// What a reader of the log wants to know.
    Info,
    /// Not as hoped.
    Warn,
    /// A fault.
    Error,
    /// A note by the bench itself, not by the device.
    Bench,
}

impl Level {
    /// The level `word` names, in any case; unknown words are plain information.
    pub fn named(word: &str) -> Self {
        match word.to_ascii_lowercase().as_str() {
            "trace" => Self::Trace,
            "debug" => Self::Debug,
            "warn" => Self::Warn,
            "error" => Self::Error,
            _ => Self::Info,
        }
    }
}

/// One line a device logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Device time in microseconds since its boot, when the image keeps time.
    pub at_us: Option<u64>,
    /// How loud it is.
    pub level: Level,
    /// The words.
    pub message: String,
    /// Source file and line it was logged from, when the ELF tells.
    pub place: Option<(String, u64)>,
}

impl Line {
    /// The number right after `words`, when the message begins with them.
    pub fn number_after(&self, words: &str) -> Option<u64> {
        self.message.strip_prefix(words)?.split_whitespace().next()?.parse().ok()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at_us {
            Some(us) => write!(f, "{:>4}.{:06}", us / 1_000_000, us % 1_000_000)?,
            None => write!(f, "{:>11}", "-")?,
        }
        let level = format!("{:?}", self.level).to_uppercase();
        write!(f, " {level:<5} {}", self.message)?;
        match &self.place {
            Some((file, line)) => write!(f, "  ({file}:{line})"),
            None => Ok(()),
        }
    }
}

#[derive(Default)]
struct Lines {
    all: Vec<Line>,
    read: usize,
    file: Option<File>,
}

/// Every line so far, and how far the test has read.
#[derive(Default)]
pub struct Log(Watched<Lines>);

impl Log {
    /// A log that is also written to `file` as it grows.
    pub fn kept_in(file: &Path) -> Result<Self> {
        let doing = format!("making {}", file.display());
        let file = File::create(file).map_err(BenchError::io(doing))?;
        Ok(Self(Watched::new(Lines { file: Some(file), ..Lines::default() })))
    }

    /// Adds a line.
    pub fn add(&self, line: Line) {
        self.0.change(|lines| {
            if let Some(file) = &mut lines.file {
                // The log in memory is the one tests read; a full disk must not stop them.
                let _ = writeln!(file, "{line}");
            }
            lines.all.push(line);
        });
    }

    /// Adds a line of the bench's own.
    pub fn note(&self, message: impl Into<String>) {
        self.add(Line { at_us: None, level: Level::Bench, message: message.into(), place: None });
    }

    /// No line will come any more, or some may again.
    pub fn give_up(&self, vain: bool) {
        self.0.give_up(vain);
    }

    /// All lines since the bench opened.
    pub fn all(&self) -> Vec<Line> {
        self.0.look(|lines| lines.all.clone())
    }

    /// The last `count` lines, as text.
    pub fn last(&self, count: usize) -> Vec<String> {
        self.0.look(|lines| {
            let from = lines.all.len().saturating_sub(count);
            lines.all[from..].iter().map(Line::to_string).collect()
        })
    }

    /// The next line whose message contains `words`; the search goes on after it.
    pub fn next(&self, words: &str, within: Duration) -> Waited<Line> {
        self.0.wait(within, |lines| {
            let found = lines.all[lines.read..].iter().position(|l| l.message.contains(words))?;
            lines.read += found + 1;
            Some(lines.all[lines.read - 1].clone())
        })
    }

    /// The first line at or after `index`, for showing the log live.
    pub fn at(&self, index: usize, within: Duration) -> Waited<Line> {
        self.0.wait(within, |lines| lines.all.get(index).cloned())
    }
}

/// The words of an image's log, taken from its ELF.
pub struct Words {
    table: Table,
    places: Locations,
}

impl Words {
    /// Reads the words from an ELF; an image that logs nothing has none.
    pub fn of(path: &Path, elf: &[u8]) -> Result<Self> {
        let bad = |why: String| BenchError::BadImage { path: path.to_owned(), why };
        let table = Table::parse(elf)
            .map_err(|e| bad(format!("{e:#}")))?
            .ok_or_else(|| bad("it has no `.defmt` section, so its log cannot be read".into()))?;
        let places = table.get_locations(elf).map_err(|e| bad(format!("{e:#}")))?;
        Ok(Self { table, places })
    }

    /// Decodes `stream` into `log` until it ends.
    pub fn decode(&self, mut stream: impl Read, log: &Log) {
        let mut decoder = self.table.new_stream_decoder();
        let mut chunk = [0; 1024];
        loop {
            match stream.read(&mut chunk) {
                Ok(0) | Err(_) => return,
                Ok(count) => decoder.received(&chunk[..count]),
            }
            loop {
                match decoder.decode() {
                    Ok(frame) => log.add(self.line(&frame)),
                    Err(DecodeError::UnexpectedEof) => break,
                    // A reset in mid-frame leaves a stump: say so and go on with the next frame.
                    Err(DecodeError::Malformed) if self.table.encoding().can_recover() => {
                        log.note("a log frame was cut short");
                    }
                    Err(DecodeError::Malformed) => return log.note("the log is garbled"),
                }
            }
        }
    }

    fn line(&self, frame: &Frame<'_>) -> Line {
        let place = self.places.get(&frame.index());
        Line {
            at_us: frame.display_timestamp().and_then(|t| microseconds(&t.to_string())),
            level: frame.level().map_or(Level::Info, |level| Level::named(level.as_str())),
            message: frame.display_message().to_string(),
            place: place.map(|p| (short(&p.file.to_string_lossy()), p.line)),
        }
    }
}

/// Microseconds in a timestamp such as `1.000250` (seconds) or `1000250`.
pub fn microseconds(stamp: &str) -> Option<u64> {
    match stamp.trim().split_once('.') {
        None => stamp.trim().parse().ok(),
        Some((seconds, fraction)) => {
            let seconds: u64 = seconds.parse().ok()?;
            let micros: u64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
            Some(seconds * 1_000_000 + micros)
        }
    }
}

/// The last two parts of a path: enough to find the file, short enough for a log line.
fn short(path: &str) -> String {
    let parts: Vec<&str> = path.rsplit('/').take(2).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(message: &str) -> Line {
        Line { at_us: Some(1_000_250), level: Level::Info, message: message.into(), place: None }
    }

    #[test]
    fn a_search_goes_on_after_the_line_it_found() {
        let log = Log::default();
        for message in ["stored 1", "found 1", "stored 2"] {
            log.add(line(message));
        }
        let soon = Duration::from_millis(1);
        assert_eq!(log.next("stored", soon), Waited::Came(line("stored 1")));
        assert_eq!(log.next("stored", soon), Waited::Came(line("stored 2")));
        assert_eq!(log.next("stored", soon), Waited::RanOut);
        assert_eq!(log.next("found", soon), Waited::RanOut);
    }

    #[test]
    fn timestamps_are_read_with_and_without_a_point() {
        assert_eq!(microseconds("1.000250"), Some(1_000_250));
        assert_eq!(microseconds("12.5"), Some(12_500_000));
        assert_eq!(microseconds("77"), Some(77));
        assert_eq!(microseconds("never"), None);
    }

    #[test]
    fn a_line_reads_as_time_level_words_and_place() {
        let mut line = line("ready after 90 us");
        line.place = Some(("src/main.rs".into(), 12));
        assert_eq!(line.to_string(), "   1.000250 INFO  ready after 90 us  (src/main.rs:12)");
        assert_eq!(line.number_after("ready after "), Some(90));
        assert_eq!(line.number_after("stored "), None);
        assert_eq!(short("/a/b/src/main.rs"), "src/main.rs");
    }
}
