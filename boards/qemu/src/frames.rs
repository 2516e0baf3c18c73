//! Frames from a host file: what the bench's optical world makes of a card.
//!
//! The file named by `frames=` is read anew at each capture, so a test changes cards by
//! changing the file. Layout: set by set dark, left, right; each 32 x 48 pixels row by
//! row, then the strip's white, grey and black. A file that is missing or short is a
//! scan head that does not answer.

use croupier::reader::ports::{ScanFault, ScanHead};
use croupier::reader::recognise::{Capture, Frame, Strip};
use embassy_time::Timer;
use heapless::CString;
use semihosting::fs::File;
use semihosting::io::Read;

/// As long as nine exposures take on silicon.
const EXPOSURES_MS: u64 = 45;

/// The file that stands for a scan head.
pub struct FrameFile {
    path: Option<CString<{ crate::host::VALUE }>>,
    takes_ms: u64,
}

impl FrameFile {
    /// The file named on the command line, if one is; as slow as a scan head.
    pub fn named() -> Self {
        Self { path: crate::host::path("frames"), takes_ms: EXPOSURES_MS }
    }

    /// The same without the wait, where instructions are counted.
    pub fn at_once() -> Self {
        Self { takes_ms: 0, ..Self::named() }
    }
}

impl ScanHead for FrameFile {
    async fn capture(&mut self, into: &mut Capture) -> Result<(), ScanFault> {
        if self.takes_ms > 0 {
            Timer::after_millis(self.takes_ms).await;
        }
        let path = self.path.as_ref().ok_or(ScanFault::Silent)?;
        let mut file = File::open(path).map_err(|_| ScanFault::Silent)?;
        for set in &mut into.sets {
            for frame in [&mut set.dark, &mut set.left, &mut set.right] {
                read(&mut file, frame).map_err(|_| ScanFault::Silent)?;
            }
        }
        Ok(())
    }
}

fn read(file: &mut File, frame: &mut Frame) -> semihosting::io::Result<()> {
    file.read_exact(frame.pixels.as_flattened_mut())?;
    let mut strip = [0; 3];
    file.read_exact(&mut strip)?;
    let [white, grey, black] = strip;
    frame.strip = Strip { white, grey, black };
    Ok(())
}
