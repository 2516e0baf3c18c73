//! `croupier.common.JournalRead.1.0`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, read_list, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Reads the journal, from the first record asked for on, as many whole records as fit (CM-08).
///
/// Asked by: floorperson, service or controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JournalReadRequest {
    /// The first record wanted. Records are numbered from 0 in the device's life.
    pub first: u32,
    /// The last record wanted.
    pub last: u32,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for JournalReadRequest {
    const NAME: &'static str = "croupier.common.JournalRead.1.0.Request";
    const SHORTEST: usize = 33;
    const LONGEST: usize = 33;
    const EXTENT: usize = 33;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.first.into(), 32)?;
        to.put(self.last.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let first = from.take(32)? as u32;
        let last = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Some(Self { first, last, seal })
    }
}

impl Request for JournalReadRequest {
    const SERVICE: ServiceId = service(261);
    type Response = JournalReadResponse;
}

impl Sealed for JournalReadRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

/// A run of records. Ask again from `next` until it passes the last one wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalReadResponse {
    /// What became of the request; NOT_FOUND if no record of the range is kept.
    pub answer: Answer,
    /// The oldest record that is kept.
    pub oldest: u32,
    /// The number that the next record will have.
    pub end: u32,
    /// The first record that is not in this answer.
    pub next: u32,
    /// Whole records, one after the other, as the journal keeps them. Nothing about a card's face.
    pub records: Vec<u8, 192>,
    /// By the device.
    pub seal: Seal,
}

impl Object for JournalReadResponse {
    const NAME: &'static str = "croupier.common.JournalRead.1.0.Response";
    const SHORTEST: usize = 47;
    const LONGEST: usize = 239;
    const EXTENT: usize = 239;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.oldest.into(), 32)?;
        to.put(self.end.into(), 32)?;
        to.put(self.next.into(), 32)?;
        to.put(self.records.len() as u64, 8)?;
        to.put_bytes(&self.records)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let oldest = from.take(32)? as u32;
        let end = from.take(32)? as u32;
        let next = from.take(32)? as u32;
        let records = read_list(from, 8, |from| Some(from.take(8)? as u8))?;
        let seal = Seal::read(from)?;
        Some(Self { answer, oldest, end, next, records, seal })
    }
}

impl Response for JournalReadResponse {
    const SERVICE: ServiceId = service(261);
}

impl Sealed for JournalReadResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for JournalReadResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
