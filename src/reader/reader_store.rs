//! Where the reader keeps its record and its brand.

use embedded_storage::nor_flash::NorFlash;

use super::recognise::{BRAND_BYTES, Brand};
use super::record::Record;
use crate::services::StoreHandle;
use crate::store::{self, Key, Record as _, Store, StoreError};

/// The taught brand beside it: replaced whole, or not at all.
impl store::Record for Brand {
    const KEY: Key = Key::Brand;
    type Buffer = [u8; BRAND_BYTES];
    const BUFFER: [u8; BRAND_BYTES] = [0; BRAND_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        self.write(out.first_chunk_mut()?);
        Some(BRAND_BYTES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        Self::from_bytes(bytes.try_into().ok()?).ok()
    }
}

/// Where both are kept.
pub trait ReaderStore {
    /// The record kept last.
    fn load_record(&mut self) -> Result<Option<Record>, StoreError>;
    /// Keeps it; it is durable when this returns.
    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError>;
    /// Fetches the brand kept last, if there is one.
    fn load_brand(&mut self, brand: &mut Option<Brand>) -> Result<(), StoreError>;
    /// Keeps it; it is durable when this returns.
    fn keep_brand(&mut self, brand: &Brand) -> Result<(), StoreError>;
}

impl<F: NorFlash> ReaderStore for Store<F> {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        self.get()
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.put(record)
    }

    fn load_brand(&mut self, brand: &mut Option<Brand>) -> Result<(), StoreError> {
        *brand = None;
        let (mut room, refused) = (Brand::BUFFER, StoreError::Undecodable(Brand::KEY));
        let bytes = match self.get_bytes(Brand::KEY, &mut room) {
            Ok(None) => return Ok(()),
            Ok(Some(bytes)) => <&[u8; BRAND_BYTES]>::try_from(bytes).map_err(|_| refused)?,
            Err(StoreError::TooLong) => return Err(refused),
            Err(error) => return Err(error),
        };
        if brand.insert(Brand::BLANK).take(bytes).is_err() {
            *brand = None;
            return Err(refused);
        }
        Ok(())
    }

    fn keep_brand(&mut self, brand: &Brand) -> Result<(), StoreError> {
        self.put(brand)
    }
}

impl<F: NorFlash> ReaderStore for StoreHandle<F> {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        self.store()?.load_record()
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.store()?.keep_record(record)
    }

    fn load_brand(&mut self, brand: &mut Option<Brand>) -> Result<(), StoreError> {
        self.store()?.load_brand(brand)
    }

    fn keep_brand(&mut self, brand: &Brand) -> Result<(), StoreError> {
        self.store()?.keep_brand(brand)
    }
}
