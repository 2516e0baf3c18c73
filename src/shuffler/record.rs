//! The record: what the machine must still know after the power has failed.
//!
//! It is written before the first card of a cycle moves and when the cycle has ended, not
//! for every card: that would wear the flash out in weeks. So a power cut in between finds a
//! record that says "cards are moving". Then the cards are not shuffled, and may be anywhere
//! until a sweep has brought them out (SH-22).

use embedded_storage::nor_flash::NorFlash;

use super::batch::certificate::{Certificate, Certified};
use super::batch::{Batches, Life};
use super::fault::Fault;
use crate::cards::BackColour;
use crate::protocol::generated::croupier::shuffler::CertificateReason as Reason;
use crate::services::StoreHandle;
use crate::store::{self, Key, Store, StoreError};

/// Where the cards are, as far as the machine knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Inventory {
    /// In the wheel.
    pub inside: u16,
    /// In the delivery tray or the chute.
    pub delivered: u16,
    /// On the table.
    pub out: u16,
    /// Whether these numbers are known; if not, a sweep must empty the wheel.
    pub certain: bool,
}

/// What must outlive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// A cycle began and has not ended.
    pub moving: bool,
    /// Where the cards are.
    pub inventory: Inventory,
    /// Whether they count as shuffled.
    pub certificate: Certificate,
    /// The fault that must be cleared first.
    pub fault: Option<Fault>,
    /// Cycles in a row that came to nothing.
    pub failures: u8,
    /// Cards of this table count as not shuffled, and that is said until they are.
    pub unshuffled: bool,
    /// A batch that was only counted lies behind the door, for a floorperson.
    pub counted: bool,
    /// Rounds since the last valid count, of the machine or by hand (SH-09).
    pub uncounted: u8,
    /// Counts the checks of the store, so that each has something to write.
    pub store_checks: u8,
}

impl Record {
    /// A new machine: empty, but that was never proved.
    pub const NEW: Self = Self {
        moving: false,
        inventory: Inventory { inside: 0, delivered: 0, out: 0, certain: false },
        certificate: Certificate::None,
        fault: None,
        failures: 0,
        unshuffled: false,
        counted: false,
        uncounted: 0,
        store_checks: 0,
    };
}

impl Record {
    /// This fault stands no more, and what was counted behind the door has been seen to. A deck
    /// that leaves the table need not be shuffled.
    pub(super) fn put_aside(&mut self, fault: Option<Fault>) {
        (self.fault, self.counted) = (None, false);
        self.unshuffled &= !fault.is_some_and(Fault::removes_deck);
    }
}

const RECORD_BYTES: usize = 23;

impl store::Record for Record {
    const KEY: Key = Key::ShufflerRecord;
    type Buffer = [u8; RECORD_BYTES];
    const BUFFER: [u8; RECORD_BYTES] = [0; RECORD_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let out: &mut [u8; RECORD_BYTES] = out.first_chunk_mut()?;
        let (state, detail, cards) = match self.certificate {
            Certificate::None => (0, 0, 0),
            Certificate::Issued(Certified { colour, cards, again }) => {
                (1 + u8::from(again), colour.code(), cards)
            }
            Certificate::Revoked(reason) => (3, reason.code(), 0),
        };
        let Inventory { inside, delivered, out: away, certain } = self.inventory;
        let mut numbers = [0; 8];
        for (place, number) in
            numbers.as_chunks_mut().0.iter_mut().zip([inside, delivered, away, cards])
        {
            *place = number.to_le_bytes();
        }
        let fault = self.fault.map_or([0; 4], Fault::code);
        out[..2].copy_from_slice(&[self.moving.into(), certain.into()]);
        out[2..10].copy_from_slice(&numbers);
        out[10..14].copy_from_slice(&fault);
        let Self { failures, uncounted, store_checks, .. } = *self;
        let [unshuffled, counted] = [self.unshuffled, self.counted].map(u8::from);
        let rest = [state, detail, failures, unshuffled, counted, uncounted, store_checks, 0, 1];
        out[14..].copy_from_slice(&rest);
        Some(RECORD_BYTES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; RECORD_BYTES] = bytes.try_into().ok()?;
        let number = |at: usize| Some(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
        let [state, detail, failures, unshuffled, counted, uncounted, store_checks, 0, 1] =
            bytes[14..]
        else {
            return None;
        };
        let cards = number(8)?;
        let certificate = match state {
            0 if detail == 0 => Certificate::None,
            1 | 2 => Certificate::Issued(Certified {
                colour: BackColour::from_code(detail)?,
                cards,
                again: state == 2,
            }),
            3 => Certificate::Revoked(Reason::from_code(detail)?),
            _ => return None,
        };
        let fault = match bytes[10..14] {
            [0, 0, 0, 0] => None,
            [a, b, c, d] => Some(Fault::from_code([a, b, c, d])?),
            _ => return None,
        };
        Some(Self {
            moving: flag(bytes[0])?,
            inventory: Inventory {
                inside: number(2)?,
                delivered: number(4)?,
                out: number(6)?,
                certain: flag(bytes[1])?,
            },
            certificate,
            fault,
            failures,
            unshuffled: flag(unshuffled)?,
            counted: flag(counted)?,
            uncounted,
            store_checks,
        })
    }
}

const LIFE_BYTES: usize = 10;
const BATCHES_BYTES: usize = 2 + 2 * LIFE_BYTES;

impl store::Record for Batches {
    const KEY: Key = Key::BatchClocks;
    type Buffer = [u8; BATCHES_BYTES];
    const BUFFER: [u8; BATCHES_BYTES] = [0; BATCHES_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let out: &mut [u8; BATCHES_BYTES] = out.first_chunk_mut()?;
        out[0] = self.last_played.map_or(0, BackColour::code);
        out[1] = self.in_play.into();
        for (place, life) in out[2..].as_chunks_mut::<LIFE_BYTES>().0.iter_mut().zip(self.lives) {
            // Zero decks mean that this batch was never opened, zero hours that no clause limits it.
            let Life { opened_ms, decks, hours } =
                life.unwrap_or(Life { opened_ms: 0, decks: 0, hours: None });
            place[..8].copy_from_slice(&opened_ms.to_le_bytes());
            place[8..].copy_from_slice(&[decks, hours.unwrap_or(0)]);
        }
        Some(BATCHES_BYTES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; BATCHES_BYTES] = bytes.try_into().ok()?;
        let last_played = match bytes[0] {
            0 => None,
            code => Some(BackColour::from_code(code)?),
        };
        let mut batches = Self { last_played, in_play: flag(bytes[1])?, ..Self::default() };
        let (lives, _) = bytes[2..].as_chunks::<LIFE_BYTES>();
        for (life, &[a, b, c, d, e, f, g, h, decks, hours]) in batches.lives.iter_mut().zip(lives) {
            let opened_ms = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            let hours = Some(hours).filter(|hours| *hours > 0);
            *life = (decks > 0).then_some(Life { opened_ms, decks, hours });
        }
        Some(batches)
    }
}

const fn flag(byte: u8) -> Option<bool> {
    match byte {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

/// The store of the record and of the batches.
pub trait ShufflerStore {
    /// The record kept last.
    fn load_record(&mut self) -> Result<Option<Record>, StoreError>;
    /// Keeps it; it is durable when this returns.
    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError>;
    /// The batches kept last.
    fn load_batches(&mut self) -> Result<Option<Batches>, StoreError>;
    /// Keeps them; they are durable when this returns.
    fn keep_batches(&mut self, batches: &Batches) -> Result<(), StoreError>;
}

impl<F: NorFlash> ShufflerStore for Store<F> {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        self.get()
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.put(record)
    }

    fn load_batches(&mut self) -> Result<Option<Batches>, StoreError> {
        self.get()
    }

    fn keep_batches(&mut self, batches: &Batches) -> Result<(), StoreError> {
        self.put(batches)
    }
}

impl<F: NorFlash> ShufflerStore for StoreHandle<F> {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        self.store()?.load_record()
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.store()?.keep_record(record)
    }

    fn load_batches(&mut self) -> Result<Option<Batches>, StoreError> {
        self.store()?.load_batches()
    }

    fn keep_batches(&mut self, batches: &Batches) -> Result<(), StoreError> {
        self.store()?.keep_batches(batches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shuffler::fault::Cut;
    use crate::store::Record as _;

    /// SH-22, SH-40: what is kept comes back as it was, or not at all.
    #[test]
    fn record_and_batches_survive_the_store_and_damage_is_noticed() {
        let issued = Certified { colour: BackColour::Blue, cards: 416, again: true };
        for certificate in [
            Certificate::None,
            Certificate::Issued(issued),
            Certificate::Issued(Certified { again: false, ..issued }),
            Certificate::Revoked(Reason::Lid),
        ] {
            let inventory = Inventory { inside: 3, delivered: 416, out: 7, certain: true };
            let fault = Some(Fault::Interrupted(Cut::Door));
            let (failures, uncounted, store_checks) = (2, 4, 7);
            let (unshuffled, counted) = (true, certificate == Certificate::None);
            let record = Record {
                moving: true,
                inventory,
                certificate,
                fault,
                failures,
                unshuffled,
                counted,
                uncounted,
                store_checks,
            };
            let mut bytes = Record::BUFFER;
            assert_eq!(record.encode(&mut bytes), Some(bytes.len()));
            assert_eq!(Record::decode(&bytes), Some(record));
            assert_eq!(Record::decode(&bytes[1..]), None);
            for (place, wrong) in [(0, 2), (1, 9), (10, 99), (14, 4), (17, 2), (18, 2), (22, 0)] {
                let mut bad = bytes;
                bad[place] = wrong;
                assert_eq!(Record::decode(&bad), None, "byte {place}");
            }
        }
        let life = Life { opened_ms: 1_790_000_000_000, decks: 6, hours: Some(24) };
        let unlimited = Life { hours: None, ..life };
        let mut bytes = Batches::BUFFER;
        for lives in [[None, Some(life)], [Some(unlimited), None]] {
            let batches = Batches { lives, last_played: Some(BackColour::Red), in_play: true };
            assert_eq!(batches.encode(&mut bytes), Some(bytes.len()));
            assert_eq!(Batches::decode(&bytes), Some(batches));
        }
        bytes[0] = 7;
        assert_eq!(Batches::decode(&bytes), None);
    }
}
