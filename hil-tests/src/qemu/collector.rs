//! What the random core makes in QEMU, brought to the host by the image `collect`.
//!
//! A collector is one device: switched on again, it starts with the store it had,
//! as a device at a table does, unless it is given a new store.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::instrument::Instrument;
use super::setup::NOR;
use crate::error::{BenchError, Result};

/// Where the image puts the records, in the instrument's folder.
const RECORDS: &str = "records.bin";
/// The words before the reason in the image's last line.
const ENDED: &str = "collection ended: ";
/// A block takes seconds; a loaded host may need many times that.
const PATIENCE: Duration = Duration::from_secs(600);

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Records {
    /// Orders of this number of cards.
    Orders(usize),
    /// Numbers from 1 to this.
    Numbers(u8),
    /// Bytes before scaling and shuffling.
    Raw,
}

/// What one start made.
#[derive(PartialEq, Eq)]
pub struct Collected {
    /// The records, as they lie in a block of an evidence file.
    pub records: Vec<u8>,
    /// Why there are no more, if there should be: the core's fault as it logs it.
    pub ended: Option<String>,
}

/// Says how much there is, and nothing of what it is.
impl fmt::Debug for Collected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of records, ended: {:?}", self.records.len(), self.ended)
    }
}

/// The image `collect` on its own device.
pub struct Collector(Instrument);

impl Collector {
    /// A device with this serial number that makes `count` records at each start, from
    /// the noise in a file.
    pub fn open(records: Records, count: usize, serial: [u8; 12], noise: PathBuf) -> Result<Self> {
        let (mode, cards) = match records {
            Records::Orders(cards) => ("orders", cards),
            Records::Numbers(most) => ("numbers", most.into()),
            Records::Raw => ("raw", 256),
        };
        let uid: String = serial.iter().map(|byte| format!("{byte:02x}")).collect();
        let instrument = Instrument::open("collect")?
            .argument("uid", &uid)
            .argument("entropy", &noise.display().to_string())
            .argument("mode", mode)
            .argument("cards", &cards.to_string())
            .argument("count", &count.to_string())
            .argument("report", RECORDS);
        Ok(Self(instrument))
    }

    /// Switches the device on, waits until it has ended, and reads what it made.
    pub fn run(&mut self) -> Result<Collected> {
        let status = self.0.run(PATIENCE)?;
        let reason = || {
            let lines = self.0.log().all();
            let mut reasons = lines.iter().rev().filter_map(|line| line.message.split_once(ENDED));
            reasons.next().map_or_else(|| status.to_string(), |(_, reason)| reason.to_owned())
        };
        let ended = match status.code() {
            Some(0) => None,
            Some(1) => Some(reason()),
            _ => {
                let asked = "collect".into();
                let answer = reason();
                return Err(BenchError::Refused { tool: "the collection image", asked, answer });
            }
        };
        Ok(Collected { records: self.0.read(RECORDS)?, ended })
    }

    /// Gives the device a new, empty store, as if it had never started.
    pub fn forget(&mut self) -> Result<()> {
        match std::fs::remove_file(self.0.folder().join(NOR)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(BenchError::io("removing the store")(error))
            }
            _ => Ok(()),
        }
    }
}
