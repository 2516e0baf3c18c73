//! Flash as bytes.

use croupier::services::{Chosen, KeptTime, ProfileStore};
use croupier::shuffler::{Batches, Record, ShufflerStore};
use croupier::store::{self, Operation, StoreError};

/// Flash as bytes, which can fail.
#[derive(Clone, Default)]
pub struct Ram {
    record: Option<Vec<u8>>,
    batches: Option<Vec<u8>>,
    pub broken: bool,
    /// It says that it kept what it was given, and did not.
    pub forgets: bool,
}

fn keep<R: store::Record>(
    record: &R,
    ram: (bool, bool),
    place: &mut Option<Vec<u8>>,
) -> Result<(), StoreError> {
    let (broken, forgets) = ram;
    if broken {
        return Err(StoreError::Flash(Operation::Write));
    }
    if forgets {
        return Ok(());
    }
    let mut room = vec![0; 64];
    let length = record.encode(&mut room).unwrap();
    room.truncate(length);
    *place = Some(room);
    Ok(())
}

fn load<R: store::Record>(place: &Option<Vec<u8>>) -> Result<Option<R>, StoreError> {
    let Some(bytes) = place else { return Ok(None) };
    R::decode(bytes).map(Some).ok_or(StoreError::Undecodable(R::KEY))
}

impl ShufflerStore for Ram {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        load(&self.record)
    }
    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        keep(record, (self.broken, self.forgets), &mut self.record)
    }
    fn load_batches(&mut self) -> Result<Option<Batches>, StoreError> {
        load(&self.batches)
    }
    fn keep_batches(&mut self, batches: &Batches) -> Result<(), StoreError> {
        keep(batches, (self.broken, self.forgets), &mut self.batches)
    }
}

impl ProfileStore for Ram {
    fn keep_profile(&mut self, _: &Chosen) -> Result<(), StoreError> {
        if self.broken { Err(StoreError::Flash(Operation::Write)) } else { Ok(()) }
    }
    fn keep_time(&mut self, _: &KeptTime) -> Result<(), StoreError> {
        if self.broken { Err(StoreError::Flash(Operation::Write)) } else { Ok(()) }
    }
}
