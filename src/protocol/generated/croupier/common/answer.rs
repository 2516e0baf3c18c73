//! `croupier.common.Answer.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};
use crate::protocol::generated::croupier::common::Result;

/// What became of a request, and of which. The first 9 bytes of every response.
///
/// A request with a bad seal gets no answer at all. Where `result` is not ACCEPTED, nothing was
/// done and whatever follows is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Answer {
    /// The sequence in the request's seal. An old answer can thus never pass for a new one.
    pub request: u64,
    /// What became of it.
    pub result: Result,
}

impl Object for Answer {
    const NAME: &'static str = "croupier.common.Answer.1.0";
    const SHORTEST: usize = 9;
    const LONGEST: usize = 9;
    const EXTENT: usize = 9;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.request, 64)?;
        self.result.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let request = from.take(64)?;
        let result = Result::read(from)?;
        Some(Self { request, result })
    }
}
