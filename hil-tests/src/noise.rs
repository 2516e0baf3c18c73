//! Noise on a tape: good noise, and every way a source can fail that a file can show.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use croupier::entropy::Cause;
use tempfile::TempDir;

/// Words the core reads before its first request: ten blocks of twenty.
pub const START_WORDS: usize = 200;
/// Words of one number: a block for the generator and a block of fresh noise.
pub const NUMBER_WORDS: usize = 40;

/// Words on a tape: minutes of a device's life.
const TAPE: usize = 1 << 16;
const WRITABLE: &str = "the tape's folder can be written";

/// A noise file that can be written again under the device that reads it: the device
/// stays at its place, as it would at a peripheral that fails.
pub struct Tape(TempDir);

impl Tape {
    /// A tape with these words.
    pub fn of(words: impl IntoIterator<Item = u32>) -> Self {
        let tape = Self(tempfile::tempdir().expect("a folder can be made"));
        File::create(tape.path()).expect(WRITABLE);
        tape.rewrite(words);
        tape
    }

    /// A tape of good noise, another one for each number.
    pub fn good(number: u64) -> Self {
        Self::of(good(number).take(TAPE))
    }

    /// Its file.
    pub fn path(&self) -> PathBuf {
        self.0.path().join("noise.bin")
    }

    /// Other words from its beginning on; the file stays the same one.
    pub fn rewrite(&self, words: impl IntoIterator<Item = u32>) {
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
        let file = OpenOptions::new().write(true).open(self.path()).expect(WRITABLE);
        file.write_all_at(&bytes, 0).expect(WRITABLE);
        file.set_len(bytes.len() as u64).expect(WRITABLE);
    }

    /// Good noise instead, not used before.
    pub fn mend(&self, number: u64) {
        self.rewrite(good(number).take(TAPE));
    }

    /// From now on, wherever the device is, the source fails so.
    pub fn spoil(&self, failure: &Failure) {
        self.rewrite(failure.words().take(TAPE));
    }
}

/// Words that pass every health test and do not come again: a counter, well mixed
/// (SplitMix64).
pub fn good(number: u64) -> impl Iterator<Item = u32> {
    (0..).map(move |place| mixed(number << 40 | place))
}

fn mixed(place: u64) -> u32 {
    let z = place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ z >> 31) as u32
}

/// A word whose bits are one in `percent` of all cases.
fn biased(place: u64, percent: u32) -> u32 {
    (0..32).map(|bit| u32::from(mixed(place << 5 | bit) % 100 < percent) << bit).sum()
}

/// A way a source fails.
pub struct Failure {
    /// What it is called in a failed assertion.
    pub name: &'static str,
    /// The word at each place.
    word: fn(u64) -> u32,
    /// Whether no word comes any more.
    ends: bool,
    /// What it may be found to be.
    pub causes: &'static [Cause],
    /// Words within which it is found.
    pub within: usize,
}

impl Failure {
    const fn new(
        name: &'static str,
        word: fn(u64) -> u32,
        causes: &'static [Cause],
        within: usize,
    ) -> Self {
        Self { name, word, ends: false, causes, within }
    }

    /// The words that the source gives from the failure on.
    pub fn words(&self) -> impl Iterator<Item = u32> + use<> {
        (0..).map(self.word).take(if self.ends { 0 } else { usize::MAX })
    }
}

/// Those that are found within a few windows of words.
pub const SOON: [Failure; 14] = [
    Failure::new("all zeros", |_| 0, &[Cause::OddWord], 2),
    Failure::new("all ones", |_| u32::MAX, &[Cause::Repetition], 3),
    Failure::new("one word for ever", |_| mixed(7), &[Cause::OddWord], 3),
    Failure::new("each word twice", |n| mixed(n / 2), &[Cause::OddWord], 5),
    Failure::new("bits that alternate", |_| 0x5555_5555, &[Cause::Alternation], 3),
    Failure::new("a line stuck low", |n| mixed(n) & !(1 << 7), &[Cause::Lane], 51),
    Failure::new("a line stuck high", |n| mixed(n) | 1 << 31, &[Cause::Lane], 51),
    Failure::new("ones 95 in 100", |n| biased(n, 95), &[Cause::Repetition, Cause::Proportion], 128),
    Failure::new("ones 80 in 100", |n| biased(n, 80), &[Cause::Proportion], 320),
    Failure::new("ones 70 in 100", |n| biased(n, 70), &[Cause::Proportion], 640),
    Failure::new("a period of 2 words", |n| mixed(n % 2), &[Cause::RepeatedBlock], 12),
    Failure::new("a period of 64 words", |n| mixed(n % 64), &[Cause::RepeatedBlock], 72),
    Failure::new("a few words again", again, &[Cause::RepeatedBlock], 88),
    Failure { ends: true, ..Failure::new("its end", |_| 0, &[Cause::Silent], 1) },
];

/// Those that only the long window of 2^20 bits can see.
pub const LATE: [Failure; 3] = [
    Failure::new("ones 60 in 100", |n| biased(n, 60), &[Cause::Ones], 2 * LONG_WINDOW),
    Failure::new("bits that stick", sticky, &[Cause::Changes], 2 * LONG_WINDOW),
    // From 0.5 to 0.7 over 10^7 bits, found before 0.55.
    Failure::new(
        "ones that drift",
        |n| biased(n, 50 + (n / 15_625) as u32),
        &[Cause::Ones],
        78_125,
    ),
];

const LONG_WINDOW: usize = 1 << 15;

/// Good words, but in each 64 of them eight that came just before.
fn again(place: u64) -> u32 {
    let repeats = (16..24).contains(&(place % 64));
    mixed(if repeats { place - 12 } else { place })
}

/// A good word, but every eighth bit is like the one before it; ones stay as frequent.
fn sticky(place: u64) -> u32 {
    let (word, held) = (mixed(place), 0x8080_8080);
    word & !held | word << 1 & held
}
