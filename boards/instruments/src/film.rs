//! What a scan head sees, from a host file.
//!
//! The file named by `film=` is read at each capture. Layout: set by set dark, left, right;
//! each 32 x 48 pixels row by row, then the strip's white, grey and black. A file that is
//! missing or short is a scan head that does not answer. A capture takes no time, because
//! instructions are counted.

use croupier::reader::ports::{ScanFault, ScanHead};
use croupier::reader::recognise::{Capture, Frame, Strip};
use heapless::CString;
use semihosting::fs::File;
use semihosting::io::Read;

/// The file that stands for a scan head.
pub struct Film(Option<CString<{ crate::host::VALUE }>>);

impl Film {
    /// The file named on the command line, if one is.
    pub fn named() -> Self {
        Self(crate::host::path("film"))
    }
}

impl ScanHead for Film {
    async fn capture(&mut self, into: &mut Capture) -> Result<(), ScanFault> {
        let path = self.0.as_ref().ok_or(ScanFault::Silent)?;
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
