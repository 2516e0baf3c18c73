//! Everything that was on the bus: for tests that wait, and people who read.
//!
//! The transcript looks like candump's, with the sender where candump has the
//! interface. It is written to a file when a test fails.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use croupier::protocol::framing::can::Frame;

use super::frame::{BITS_PER_SECOND, show};
use crate::error::{BenchError, Result, Tail};
use crate::wait::{Waited, Watched};

/// The oldest entries go when there are this many: five minutes of a bus without a gap.
const MOST: usize = 1_000_000;
/// How many lines a failure shows.
const TAIL: usize = 12;

/// How a frame fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It reached everyone, but for those the remarks name.
    Passed,
    /// It was acknowledged and reached no participant.
    Lost,
    /// It reached everyone with another payload.
    Corrupted,
    /// An error frame ended it; its sender will send it again.
    Destroyed,
}

/// A frame that was on the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// When its last bit was, since the hub opened.
    pub at: Duration,
    /// Who sent it.
    pub sender: Arc<str>,
    /// What was sent.
    pub frame: Frame,
    /// For how many bits it held the bus, at most.
    pub bits: u32,
    /// How it fared.
    pub fate: Fate,
    /// Whom it did not reach as it was sent, and why.
    pub remarks: String,
}

#[derive(Debug, Clone)]
enum Entry {
    Sent(Sent),
    Note(Duration, String),
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = match self {
            Self::Sent(sent) => sent.at,
            Self::Note(at, _) => *at,
        };
        write!(f, " ({:04}.{:06})  ", at.as_secs(), at.subsec_micros())?;
        match self {
            Self::Note(_, words) => write!(f, "* {words}"),
            Self::Sent(Sent { sender, frame, fate, remarks, .. }) => {
                write!(f, "{sender:<12} {}", show(frame))?;
                if *fate != Fate::Passed {
                    write!(f, "  {}", format!("{fate:?}").to_lowercase())?;
                }
                write!(f, "{remarks}")
            }
        }
    }
}

/// How busy the bus was, in percent of what it can carry.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// All together.
    pub total: f64,
    /// Each participant's share.
    pub shares: BTreeMap<String, f64>,
}

#[derive(Default)]
struct Entries {
    kept: VecDeque<Entry>,
    gone: u64,
}

/// The record of one hub.
#[derive(Default)]
pub struct Recording {
    entries: Watched<Entries>,
    file: Mutex<Option<PathBuf>>,
}

impl Recording {
    pub(super) fn add(&self, sent: Sent) {
        self.push(Entry::Sent(sent));
    }

    pub(super) fn note(&self, at: Duration, words: impl Into<String>) {
        self.push(Entry::Note(at, words.into()));
    }

    fn push(&self, entry: Entry) {
        self.entries.change(|entries| {
            if entries.kept.len() == MOST {
                entries.kept.pop_front();
                entries.gone += 1;
            }
            entries.kept.push_back(entry);
        });
    }

    /// The load from one moment to another.
    pub fn load(&self, from: Duration, to: Duration) -> Load {
        let capacity = (to - from).as_secs_f64() * BITS_PER_SECOND as f64;
        let mut shares: BTreeMap<String, f64> = BTreeMap::new();
        self.entries.look(|entries| {
            for entry in entries.kept.iter().rev() {
                match entry {
                    Entry::Sent(sent) if sent.at < from => break,
                    Entry::Sent(sent) if sent.at < to => {
                        *shares.entry(sent.sender.to_string()).or_default() +=
                            100.0 * f64::from(sent.bits) / capacity;
                    }
                    _ => {}
                }
            }
        });
        Load { total: shares.values().sum(), shares }
    }

    /// Lets time pass, and says how busy the bus was meanwhile; shorter when interrupted.
    pub(super) fn pass(&self, window: Duration) {
        self.entries.wait(window, |_| None::<()>);
    }

    /// The transcript so far.
    pub fn transcript(&self) -> String {
        self.entries.look(|entries| entries.kept.iter().map(|entry| format!("{entry}\n")).collect())
    }

    fn last(&self, count: usize) -> Vec<String> {
        self.entries.look(|entries| {
            let from = entries.kept.len().saturating_sub(count);
            entries.kept.range(from..).map(Entry::to_string).collect()
        })
    }

    /// Writes the transcript to a file that stays; the same one each time.
    pub fn keep(&self) -> io::Result<PathBuf> {
        let mut place = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let path = match &*place {
            Some(path) => path.clone(),
            None => {
                let mut named = tempfile::Builder::new();
                named.prefix("croupier-bus-").suffix(".txt").disable_cleanup(true);
                named.tempfile()?.path().to_owned()
            }
        };
        io::BufWriter::new(std::fs::File::create(&path)?)
            .write_all(self.transcript().as_bytes())?;
        *place = Some(path.clone());
        Ok(path)
    }

    /// Whether someone has asked to keep it.
    pub(super) fn is_kept(&self) -> bool {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// What comes on the bus from now on.
    pub(super) fn follow(self: &Arc<Self>) -> Frames {
        let next = self.entries.look(|entries| entries.gone + entries.kept.len() as u64);
        Frames { recording: Arc::clone(self), next }
    }
}

/// A reader of the bus: every frame since it was made, one after the other.
#[derive(Clone)]
pub struct Frames {
    recording: Arc<Recording>,
    next: u64,
}

impl Frames {
    /// The next frame.
    pub fn next(&mut self, within: Duration) -> Waited<Sent> {
        self.search(within, |_| true)
    }

    /// The next frame that is `wanted`, passing over the others; `what` is for the sentence.
    pub fn find(
        &mut self,
        what: &str,
        within: Duration,
        wanted: impl FnMut(&Sent) -> bool,
    ) -> Result<Sent> {
        match self.search(within, wanted) {
            Waited::Came(sent) => Ok(sent),
            Waited::Interrupted => Err(BenchError::Interrupted),
            Waited::RanOut => Err(BenchError::TimedOut {
                device: "table bus".into(),
                what: what.into(),
                waited: within,
                tail: Tail { lines: self.recording.last(TAIL), kept: self.recording.keep().ok() },
            }),
        }
    }

    /// Those already there.
    pub fn so_far(&mut self) -> Vec<Sent> {
        std::iter::from_fn(|| match self.next(Duration::ZERO) {
            Waited::Came(sent) => Some(sent),
            _ => None,
        })
        .collect()
    }

    fn search(&mut self, within: Duration, mut wanted: impl FnMut(&Sent) -> bool) -> Waited<Sent> {
        let next = &mut self.next;
        self.recording.entries.wait(within, |entries| {
            let from = next.saturating_sub(entries.gone) as usize;
            let mut fresh = entries.kept.range(from.min(entries.kept.len())..).enumerate();
            let found = fresh.find_map(|(index, entry)| match entry {
                Entry::Sent(sent) if wanted(sent) => Some((index, sent.clone())),
                _ => None,
            });
            let read = found.as_ref().map_or(entries.kept.len(), |(index, _)| from + index + 1);
            *next = entries.gone + read as u64;
            found.map(|(_, sent)| sent)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{bits, extended};
    use super::*;

    fn sent(at_ms: u64, sender: &str, number: u8) -> Sent {
        let frame = extended(0x10ab_1234, &[number; 8]).unwrap();
        let at = Duration::from_millis(at_ms);
        let (sender, bits) = (sender.into(), bits(&frame));
        Sent { at, sender, frame, bits, fate: Fate::Passed, remarks: String::new() }
    }

    #[test]
    fn a_reader_sees_each_frame_once_and_only_those_after_it_began() {
        let recording = Arc::new(Recording::default());
        recording.add(sent(1, "reader", 1));
        let mut frames = recording.follow();
        assert_eq!(frames.next(Duration::ZERO), Waited::RanOut);
        recording.add(sent(2, "reader", 2));
        recording.note(Duration::ZERO, "shuffler left");
        recording.add(sent(3, "reader", 3));
        let mut second = frames.clone();
        assert_eq!(frames.so_far().len(), 2);
        assert_eq!(frames.so_far().len(), 0);
        let third = second.find("three", Duration::ZERO, |sent| sent.frame.data()[0] == 3);
        assert_eq!(third.unwrap(), sent(3, "reader", 3));
    }

    #[test]
    fn a_frame_that_never_came_is_a_sentence_and_leaves_the_transcript() {
        let recording = Arc::new(Recording::default());
        let mut frames = recording.follow();
        recording.add(Sent { fate: Fate::Lost, ..sent(12_345, "reader", 0xab) });
        let said = frames.find("a heartbeat", Duration::ZERO, |_| false).unwrap_err().to_string();
        let path = recording.keep().unwrap();
        let kept = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let line = "(0012.345000)  reader       10AB1234   [8]  AB AB AB AB AB AB AB AB  lost";
        assert_eq!(kept, format!(" {line}\n"));
        for part in ["table bus", "a heartbeat", line, path.to_str().unwrap()] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn load_is_bits_over_capacity_in_the_window_only() {
        let recording = Recording::default();
        for (at, sender) in [(50, "reader"), (150, "reader"), (160, "shuffler"), (200, "reader")] {
            recording.add(sent(at, sender, 0));
        }
        let load = recording.load(Duration::from_millis(100), Duration::from_millis(200));
        // One frame of 160 bits in a tenth of a second at 500 kbit/s.
        assert_eq!(load.shares["reader"], 0.32);
        assert_eq!(load.shares["shuffler"], 0.32);
        assert_eq!(load.total, 0.64);
    }
}
