//! The store: open it, ask it, change it.

use embedded_storage::nor_flash::NorFlash;
use zeroize::Zeroize;

use super::bank::{Bank, Index, banks};
use super::moving::Move;
use super::pages::{Pages, is_blank_word};
use super::record::WORD;
use super::{Key, Record, StoreError};

/// What opening the store found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Found {
    /// Blank flash, now a store without values.
    Fresh,
    /// Everything as it was left.
    Clean,
    /// Work that a power cut had stopped. A change it met is done or undone now, whole.
    Recovered,
}

/// One value per [`Key`], safe against power cuts. The module says how.
#[derive(Debug, Clone)]
pub struct Store<F> {
    pub(super) pages: Pages<F>,
    pub(super) active: Bank,
    pub(super) spare: Bank,
    pub(super) generation: u32,
    pub(super) index: Index,
    pub(super) tail: u32,
    /// Up to where the spare bank is blank. All of it must be before it is written.
    pub(super) spare_blank_to: u32,
    /// Whether the log says that the spare bank is erased.
    pub(super) vouched: bool,
    /// Whether the active bank may take no further record: flash behind its tail is not blank.
    pub(super) worn_tail: bool,
    /// Whether the active bank still holds a secret that was replaced or forgotten.
    pub(super) stale_secret: bool,
    /// The live values on their way to the spare bank.
    pub(super) moving: Option<Move>,
    /// Changes that had to wait for a whole retirement.
    pub(super) stalls: u32,
    /// Pieces written for changes.
    pub(super) changes: u32,
    found: Found,
}

impl<F: NorFlash> Store<F> {
    /// Opens the store, finishing or undoing what a power cut stopped.
    ///
    /// A page can read as blank although its erase was cut short, and lose later what is
    /// written to it. So a blank look is no proof: only what the log says was erased to the
    /// end is used without erasing it again.
    ///
    /// Blank flash becomes an empty store. Flash that holds anything else is refused.
    pub fn open(flash: F) -> Result<Self, StoreError> {
        let mut pages = Pages { flash };
        let [one, two] = banks(&pages)?;
        let (active, spare, generation) =
            match (one.generation(&mut pages)?, two.generation(&mut pages)?) {
                (Some(older), Some(newer)) if newer > older => (two, one, newer),
                (Some(generation), _) => (one, two, generation),
                (None, Some(generation)) => (two, one, generation),
                (None, None) => return Self::first_use(pages, [one, two]),
            };
        let scan = active.scan(&mut pages)?;
        let unfinished = scan.torn || scan.stale_secret;
        let looks_blank = pages.is_blank(spare.start, spare.end)?;
        // A torn log vouches for nothing: see `retract`.
        let erased = looks_blank && scan.spare_erased && !scan.torn;
        let found = if erased && !unfinished { Found::Clean } else { Found::Recovered };
        let mut store = Self {
            index: scan.index,
            tail: scan.tail,
            spare_blank_to: if erased { spare.end } else { spare.start },
            vouched: scan.spare_erased && !scan.torn,
            worn_tail: scan.torn,
            stale_secret: scan.stale_secret,
            found,
            ..Self::empty(pages, active, spare, generation)
        };
        if !erased {
            store.retract();
        }
        store.erase_spare()?;
        if unfinished {
            store.retire(None)?;
            store.erase_spare()?;
        }
        store.vouch();
        Ok(store)
    }

    /// Erases everything and starts an empty store: for the factory and for service.
    ///
    /// Cut short, it must be asked for again: opening may still find the old values.
    pub fn format(flash: F) -> Result<Self, StoreError> {
        let mut pages = Pages { flash };
        let [one, two] = banks(&pages)?;
        let two_is_newer = two.generation(&mut pages)? > one.generation(&mut pages)?;
        // The newer bank goes last, or the older one's values would come back.
        let order = if two_is_newer { [one, two] } else { [two, one] };
        for bank in order {
            bank.erase(&mut pages)?;
        }
        let mut store = Self::begin(pages, [two, one])?;
        store.spare_blank_to = store.spare.end;
        store.vouch();
        Ok(store)
    }

    /// It is unknown how the flash became blank, so each bank is erased while the other has
    /// the header: cut short at any moment, this is a store again.
    fn first_use(mut pages: Pages<F>, banks: [Bank; 2]) -> Result<Self, StoreError> {
        for bank in banks {
            if !pages.is_blank(bank.log_start(), bank.end)? {
                return Err(StoreError::Unrecognised);
            }
        }
        let mut store = Self::begin(pages, banks)?;
        store.erase_spare()?;
        store.retire(None)?;
        store.erase_spare()?;
        store.vouch();
        Ok(store)
    }

    /// An empty store in blank flash. A first header cut short leaves its own word and nothing
    /// else; then the other bank serves.
    fn begin(mut pages: Pages<F>, [one, two]: [Bank; 2]) -> Result<Self, StoreError> {
        let mut refusal = StoreError::Unrecognised;
        for (active, spare, generation) in [(two, one, 1), (one, two, 2)] {
            if !is_blank_word(pages.read_word(active.start)?) {
                continue;
            }
            match active.commit(&mut pages, generation) {
                Ok(()) => return Ok(Self::empty(pages, active, spare, generation)),
                Err(error) => refusal = error,
            }
        }
        Err(refusal)
    }

    fn empty(pages: Pages<F>, active: Bank, spare: Bank, generation: u32) -> Self {
        Self {
            pages,
            active,
            spare,
            generation,
            index: Index::EMPTY,
            tail: active.log_start(),
            spare_blank_to: spare.start,
            vouched: false,
            worn_tail: false,
            stale_secret: false,
            moving: None,
            stalls: 0,
            changes: 0,
            found: Found::Fresh,
        }
    }

    /// What opening found.
    pub fn found(&self) -> Found {
        self.found
    }

    /// The stored `T`, if there is one.
    pub fn get<T: Record>(&mut self) -> Result<Option<T>, StoreError> {
        let mut buffer = T::BUFFER;
        let value = match self.get_bytes(T::KEY, buffer.as_mut()) {
            Ok(None) => Ok(None),
            Ok(Some(bytes)) => T::decode(bytes).map(Some).ok_or(StoreError::Undecodable(T::KEY)),
            Err(StoreError::TooLong) => Err(StoreError::Undecodable(T::KEY)),
            Err(error) => Err(error),
        };
        buffer.as_mut().zeroize();
        value
    }

    /// Stores `value` in place of the old one. Storing what is stored already writes nothing.
    pub fn put<T: Record>(&mut self, value: &T) -> Result<(), StoreError> {
        let mut buffer = T::BUFFER;
        let room = buffer.as_mut();
        let encoded = value.encode(room).and_then(|length| room.get(..length));
        let stored = match encoded {
            Some(bytes) => self.put_bytes(T::KEY, bytes),
            None => Err(StoreError::TooLong),
        };
        buffer.as_mut().zeroize();
        stored
    }

    /// Removes the value of `key`; afterwards there is none.
    pub fn forget(&mut self, key: Key) -> Result<(), StoreError> {
        if self.index.get(key.code()).is_none() {
            return Ok(());
        }
        self.change(key, None)
    }

    /// The stored bytes of `key`, in `out`: for values too long to decode twice.
    pub fn get_bytes<'a>(
        &mut self,
        key: Key,
        out: &'a mut [u8],
    ) -> Result<Option<&'a [u8]>, StoreError> {
        let Some(place) = self.index.get(key.code()) else {
            return Ok(None);
        };
        let out = out.get_mut(..usize::from(place.length)).ok_or(StoreError::TooLong)?;
        let header = self.header(place)?;
        let mut check = header.check();
        let value_size = header.size() - WORD as u32;
        self.pages.for_each_chunk(place.at + WORD as u32, value_size, |_, done, words| {
            let room = out.get_mut(done as usize..).unwrap_or_default();
            for (byte, word) in room.iter_mut().zip(words) {
                *byte = *word;
            }
            Ok(true)
        })?;
        check.update(out);
        if check.finalize() == header.crc {
            Ok(Some(out))
        } else {
            Err(StoreError::Damaged(place.at))
        }
    }

    /// Stores `bytes` as the value of `key`: for values already encoded.
    pub fn put_bytes(&mut self, key: Key, bytes: &[u8]) -> Result<(), StoreError> {
        if self.holds(key, bytes)? { Ok(()) } else { self.change(key, Some(bytes)) }
    }

    /// Gives the flash back.
    pub fn release(self) -> F {
        self.pages.flash
    }

    /// The flash, to look at its counts or steer its model.
    pub fn flash(&mut self) -> &mut F {
        &mut self.pages.flash
    }
}
