//! Crash record: why a run ended, kept in memory that outlives the reset.
//!
//! The record is sixteen words with a checksum, because after power-on that memory
//! holds noise and noise must read as "power on", never as a fault that did not
//! happen. A panic is kept as its place in the source and nothing else: a message
//! could carry a value, and a value could be a rank (CM-10).

use super::task_watchdog::TaskSet;

/// Words in the record.
pub const WORDS: usize = 16;
/// Bytes of a file name that are kept: the end of it, which tells files apart.
const NAME: usize = 32;
const MAGIC: u32 = 0x43_52_4F_55; // "CROU"

/// A place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    name: [u8; NAME],
    line: u32,
}

impl Place {
    /// The place, keeping the end of `file` when the name is long.
    pub fn new(file: &str, line: u32) -> Self {
        let bytes = file.as_bytes();
        let tail = &bytes[bytes.len().saturating_sub(NAME)..];
        let mut name = [0; NAME];
        name[..tail.len()].copy_from_slice(tail);
        Self { name, line }
    }

    /// The file's name, or its end.
    pub fn file(&self) -> &str {
        let length = self.name.iter().position(|&byte| byte == 0).unwrap_or(NAME);
        core::str::from_utf8(&self.name[..length]).unwrap_or("?")
    }
}

/// How a run ended by its own hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashReason {
    /// The code met a case it holds impossible.
    Panic(Place),
    /// The processor refused an instruction: where, and its fault status word.
    HardFault {
        /// Program counter of the refused instruction.
        at: u32,
        /// Configurable fault status register.
        status: u32,
    },
    /// These tasks did not check in with the task watchdog.
    Hung(TaskSet),
    /// An interrupt without a handler: its number, below zero an exception's.
    Stray(i16),
}

/// What the memory that outlives a reset says of the run before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrashRecord {
    /// How that run ended, or nothing if it was still up when it was cut short.
    pub crash: Option<CrashReason>,
    /// Crashes since power came on, that one included.
    pub crashes: u32,
}

impl CrashRecord {
    /// A run that is up, after `crashes` crashes.
    pub const fn alive(crashes: u32) -> Self {
        Self { crash: None, crashes }
    }

    /// A run that ends with `crash`, as the next of a count of crashes.
    pub const fn crashed(crash: CrashReason, crashes_before: u32) -> Self {
        Self { crash: Some(crash), crashes: crashes_before.saturating_add(1) }
    }

    /// The record for the memory that outlives a reset.
    pub fn encode(&self) -> [u32; WORDS] {
        let mut words = [0; WORDS];
        words[0] = MAGIC;
        words[1] = self.crashes;
        match self.crash {
            None => {}
            Some(CrashReason::Panic(place)) => {
                words[2] = 1;
                words[3] = place.line;
                for (word, bytes) in words[4..].iter_mut().zip(place.name.as_chunks().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
            }
            Some(CrashReason::HardFault { at, status }) => {
                words[2..5].copy_from_slice(&[2, at, status])
            }
            Some(CrashReason::Hung(tasks)) => words[2..4].copy_from_slice(&[3, tasks.bits()]),
            Some(CrashReason::Stray(line)) => words[2..4].copy_from_slice(&[4, line as u16 as u32]),
        }
        words[WORDS - 1] = checksum(&words[..WORDS - 1]);
        words
    }

    /// The record in `words`, or nothing when they hold noise.
    pub fn decode(words: &[u32; WORDS]) -> Option<Self> {
        if words[0] != MAGIC || words[WORDS - 1] != checksum(&words[..WORDS - 1]) {
            return None;
        }
        let crash = match words[2] {
            0 => None,
            1 => {
                let mut name = [0; NAME];
                for (bytes, word) in name.as_chunks_mut().0.iter_mut().zip(&words[4..]) {
                    *bytes = word.to_le_bytes();
                }
                Some(CrashReason::Panic(Place { name, line: words[3] }))
            }
            2 => Some(CrashReason::HardFault { at: words[3], status: words[4] }),
            3 => Some(CrashReason::Hung(TaskSet::from_bits(words[3]))),
            4 => Some(CrashReason::Stray(words[3] as u16 as i16)),
            _ => return None,
        };
        Some(Self { crash, crashes: words[1] })
    }
}

/// FNV-1a over the words: enough to tell a record from power-on noise.
fn checksum(words: &[u32]) -> u32 {
    words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .fold(0x811C_9DC5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// What the chip's reset flags say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HardwareReset {
    /// Power came up, or dipped below the brown-out level.
    Power,
    /// The reset pin, or a debugger.
    Pin,
    /// Asked for by software.
    Software,
    /// The hardware watchdog ran out.
    Watchdog,
    /// This board cannot tell.
    Unknown,
}

/// Why this run began, as the device reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetCause {
    /// Power came on.
    PowerOn,
    /// The run before ended by its own hand.
    Crashed(CrashReason),
    /// The hardware watchdog ran out: not even the task watchdog could act.
    Watchdog,
    /// The reset line was pulled.
    ResetLine,
    /// Software asked for it, without a crash.
    Restart,
    /// Reset from outside; the board cannot tell whether by watchdog or by hand.
    Outside,
}

impl ResetCause {
    /// Joins what the chip says with what the run before left behind.
    ///
    /// Crash record win over the chip's flags, since only they know the reason; but a
    /// power-on is a power-on even if old memory happens to have kept its charge.
    pub fn of(hardware: HardwareReset, words: Option<CrashRecord>) -> Self {
        match (hardware, words) {
            (HardwareReset::Power, _) | (HardwareReset::Unknown, None) => Self::PowerOn,
            (HardwareReset::Watchdog, Some(CrashRecord { crash: None, .. }) | None) => {
                Self::Watchdog
            }
            (_, Some(CrashRecord { crash: Some(crash), .. })) => Self::Crashed(crash),
            (HardwareReset::Pin, _) => Self::ResetLine,
            (HardwareReset::Software, _) => Self::Restart,
            (HardwareReset::Unknown, Some(_)) => Self::Outside,
        }
    }
}

/// In words of defmt's own: they stay out of flash, and so does `core::fmt`.
#[cfg(feature = "defmt")]
impl defmt::Format for ResetCause {
    fn format(&self, f: defmt::Formatter<'_>) {
        match self {
            Self::PowerOn => defmt::write!(f, "power on"),
            Self::Crashed(CrashReason::Panic(place)) => {
                defmt::write!(f, "panic at {=str}:{=u32}", place.file(), place.line);
            }
            Self::Crashed(CrashReason::HardFault { at, status }) => {
                defmt::write!(f, "hard fault at {=u32:#010x}, status {=u32:#010x}", at, status);
            }
            Self::Crashed(CrashReason::Hung(tasks)) => defmt::write!(f, "hung task: {}", tasks),
            Self::Crashed(CrashReason::Stray(line)) => {
                defmt::write!(f, "stray interrupt {=i16}", line);
            }
            Self::Watchdog => defmt::write!(f, "watchdog"),
            Self::ResetLine => defmt::write!(f, "reset line"),
            Self::Restart => defmt::write!(f, "restart"),
            Self::Outside => defmt::write!(f, "reset from outside (watchdog or reset line)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::task_watchdog::TaskId;
    use super::*;

    fn every_crash() -> [Option<CrashReason>; 6] {
        [
            None,
            Some(CrashReason::Panic(Place::new("src/shuffler/machine.rs", 217))),
            Some(CrashReason::HardFault { at: 0x0800_1234, status: 0x0000_8200 }),
            Some(CrashReason::Hung(TaskSet::NONE.with(TaskId::Game).with(TaskId::Bus))),
            Some(CrashReason::Stray(55)),
            Some(CrashReason::Stray(-1)),
        ]
    }

    #[test]
    fn every_kind_of_fall_survives_the_reset() {
        for crash in every_crash() {
            let words = CrashRecord { crash, crashes: 3 };
            assert_eq!(CrashRecord::decode(&words.encode()), Some(words));
        }
    }

    #[test]
    fn any_flipped_bit_reads_as_noise() {
        for crash in every_crash() {
            let good = CrashRecord { crash, crashes: 1 }.encode();
            for bit in 0..WORDS * 32 {
                let mut bad = good;
                bad[bit / 32] ^= 1 << (bit % 32);
                assert_eq!(CrashRecord::decode(&bad), None, "bit {bit} of {crash:?}");
            }
        }
        assert_eq!(CrashRecord::decode(&[0; WORDS]), None);
        assert_eq!(CrashRecord::decode(&[u32::MAX; WORDS]), None);
    }

    #[test]
    fn whole_words_of_another_program_are_no_record() {
        let mut words = CrashRecord::alive(1).encode();
        words[0] ^= 1;
        words[WORDS - 1] = checksum(&words[..WORDS - 1]);
        assert_eq!(CrashRecord::decode(&words), None);
    }

    #[test]
    fn a_task_that_there_is_not_is_left_out() {
        let mut words = CrashRecord::crashed(CrashReason::Hung(TaskSet::NONE), 0).encode();
        words[3] = u32::MAX;
        words[WORDS - 1] = checksum(&words[..WORDS - 1]);
        let read = CrashRecord::decode(&words).and_then(|record| record.crash);
        let Some(CrashReason::Hung(tasks)) = read else { panic!("{read:?}") };
        assert_eq!(tasks, TaskSet::from_bits(0b11_1111), "six tasks");
        assert_eq!(tasks.bits(), 0b11_1111);
    }

    #[test]
    fn a_long_file_name_keeps_its_end() {
        let place = Place::new("registry/some-crate-1.2.3/src/deeply/nested/module.rs", 9);
        assert!(place.file().ends_with("nested/module.rs"));
        assert_eq!(Place::new("src/lib.rs", 7).file(), "src/lib.rs");
        assert_eq!(Place::new("", 0).file(), "");
    }

    #[test]
    fn the_record_outranks_the_chips_flags_but_power_on_is_power_on() {
        let crash = CrashReason::HardFault { at: 4, status: 5 };
        let crashed = Some(CrashRecord::crashed(crash, 0));
        let alive = Some(CrashRecord::alive(0));
        assert_eq!(ResetCause::of(HardwareReset::Software, crashed), ResetCause::Crashed(crash));
        assert_eq!(ResetCause::of(HardwareReset::Unknown, crashed), ResetCause::Crashed(crash));
        assert_eq!(ResetCause::of(HardwareReset::Power, crashed), ResetCause::PowerOn);
        assert_eq!(ResetCause::of(HardwareReset::Unknown, None), ResetCause::PowerOn);
        assert_eq!(ResetCause::of(HardwareReset::Watchdog, alive), ResetCause::Watchdog);
        assert_eq!(ResetCause::of(HardwareReset::Unknown, alive), ResetCause::Outside);
        assert_eq!(ResetCause::of(HardwareReset::Pin, alive), ResetCause::ResetLine);
        assert_eq!(ResetCause::of(HardwareReset::Software, alive), ResetCause::Restart);
    }

    #[test]
    fn crashes_are_counted_without_wrapping() {
        assert_eq!(CrashRecord::crashed(CrashReason::Hung(TaskSet::NONE), 4).crashes, 5);
        assert_eq!(
            CrashRecord::crashed(CrashReason::Hung(TaskSet::NONE), u32::MAX).crashes,
            u32::MAX
        );
    }
}
