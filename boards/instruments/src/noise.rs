//! Noise from a host file: the host's random device, or a file a test has made.
//!
//! A file that ends is a source that has fallen silent; a test can thus feed any
//! fault a source could have, byte by byte, and see what the device makes of it.

use croupier::entropy::{NoiseFault, NoiseSource};
use semihosting::fs::File;
use semihosting::io::Read;

/// The file named by `entropy=`, or the host's random device.
pub struct NoiseFile(Option<File>);

impl NoiseFile {
    /// Opens the source; one that cannot be opened fails at every word.
    pub fn open() -> Self {
        let path = crate::host::path("entropy");
        Self(File::open(path.as_deref().unwrap_or(c"/dev/urandom")).ok())
    }
}

impl NoiseSource for NoiseFile {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        let mut word = [0; 4];
        let file = self.0.as_mut().ok_or(NoiseFault::Absent)?;
        file.read_exact(&mut word).map_err(|_| NoiseFault::Silent)?;
        match u32::from_le_bytes(word) {
            0 => Err(NoiseFault::Zero),
            word => Ok(word),
        }
    }
}
