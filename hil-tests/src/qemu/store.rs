//! A device's store before its first start, made by the firmware's own store.

use std::path::Path;

use croupier::store::{NorModel, Store};

use super::setup::{NOR, TORN};
use crate::error::{BenchError, Result};
use crate::keys;

/// The store's pages and words, as on the chip.
const PAGE: usize = 2048;
const PAGES: usize = 16;
const WORDS: usize = PAGE * PAGES / 8;
const ERASED: u8 = 0xFF;

/// A store that is being filled.
pub type Fresh = Store<NorModel<PAGE, PAGES>>;

/// The bytes of a store with the bench's keys and what `fill` adds; none if that cannot be kept.
pub fn provisioned(fill: impl FnOnce(&mut Fresh) -> Option<()>) -> Option<Vec<u8>> {
    let mut store = Store::open(NorModel::new(5)).ok()?;
    store.put(&keys::ring()).ok()?;
    fill(&mut store)?;
    Some(store.release().dump().to_vec())
}

/// Writes a store to a guest's folder; no word of it is torn.
pub fn write(folder: &Path, bytes: &[u8]) -> Result<()> {
    let doing = || BenchError::io("writing the device's store");
    std::fs::write(folder.join(NOR), bytes).map_err(doing())?;
    std::fs::write(folder.join(TORN), [0; WORDS]).map_err(doing())
}

/// Writes the store of a device that has the bench's keys and nothing else.
pub fn write_provisioned(folder: &Path) -> Result<()> {
    let bytes = provisioned(|_| Some(())).expect("an empty store holds five keys");
    write(folder, &bytes)
}

/// Writes the store of a device that is not provisioned.
pub fn write_blank(folder: &Path) -> Result<()> {
    write(folder, &[ERASED; PAGE * PAGES])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_fills_its_window_and_holds_keys_unless_blank() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name| std::fs::read(folder.path().join(name)).unwrap();
        write_provisioned(folder.path()).unwrap();
        let key = keys::bytes(croupier::protocol::seal::Role::Service);
        assert_eq!(read(NOR).len(), 0x8000);
        assert!(read(NOR).windows(key.len()).any(|bytes| bytes == key));
        assert_eq!(read(TORN), [0; 4096]);
        write_blank(folder.path()).unwrap();
        assert!(read(NOR).iter().all(|byte| *byte == ERASED) && read(NOR).len() == 0x8000);
    }
}
