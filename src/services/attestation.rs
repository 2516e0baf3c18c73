//! Which image runs, proved over a number the asker chose.
//!
//! The device never holds the right answer, so there is nothing to alter that would
//! make a wrong image pass (CM-03): it hashes the asker's nonce and its own flash, and
//! the asker compares. Hashing takes a while; until it is done the answer is "busy".

/// A measurement of the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Bytes measured.
    pub length: u32,
    /// SHA-256 of the nonce followed by the image.
    pub digest: [u8; 32],
}

/// One measurement at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Attestation {
    asked: Option<[u8; 32]>,
    done: Option<([u8; 32], Measured)>,
}

impl Attestation {
    /// Nothing asked yet.
    pub const fn new() -> Self {
        Self { asked: None, done: None }
    }

    /// The measurement with this nonce, if it is done; else it is begun.
    ///
    /// A measurement under way is finished first, so two askers cannot starve each other.
    pub fn ask(&mut self, nonce: [u8; 32]) -> Option<Measured> {
        if let Some((of, measured)) = self.done
            && of == nonce
        {
            return Some(measured);
        }
        self.asked.get_or_insert(nonce);
        None
    }

    /// The nonce to measure with, if a request waits.
    pub fn wanted(&self) -> Option<[u8; 32]> {
        self.asked
    }

    /// Takes a measurement made with `nonce`.
    pub fn measured(&mut self, nonce: [u8; 32], measured: Measured) {
        self.asked.take_if(|asked| *asked == nonce);
        self.done = Some((nonce, measured));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CM-03.
    #[test]
    fn each_nonce_gets_its_own_measurement_and_never_an_old_one() {
        let (first, second) = ([1; 32], [2; 32]);
        let measured = Measured { length: 40_000, digest: [9; 32] };
        let mut proof = Attestation::new();
        assert_eq!(proof.ask(first), None);
        assert_eq!(proof.ask(second), None, "one at a time");
        assert_eq!(proof.wanted(), Some(first));
        proof.measured(first, measured);
        assert_eq!(proof.ask(first), Some(measured));
        assert_eq!(proof.ask(second), None);
        assert_eq!(proof.wanted(), Some(second));
    }
}
