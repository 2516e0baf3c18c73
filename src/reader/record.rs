//! The record: what the reader still knows after a power cut.
//!
//! The fault, so that power cycling clears none (RD-10). The question of a round whose
//! card was looked at, so that a second one cannot be had by pulling the plug (RD-05).
//! The last passed check with its seal number (CM-04, CM-05). What
//! only a floorperson clears, and how many wrong lights were reported (RD-11). No answer, no rank, no
//! image (RD-20). At two changes a peek round, 10,000 erases of a page last 3.4 million rounds
//! (`tests/store/bounds.rs`); a Masque's rounds write nothing.

use embedded_storage::nor_flash::NorFlash;

use super::check::Check;
use super::recognise::{BRAND_BYTES, Brand};
use super::round::{Round, Shut};
use super::{Action, Fault};
use crate::protocol::generated::croupier::common::{CheckVerdict, Role};
use crate::protocol::generated::croupier::reader::UpCard;
use crate::services::StoreHandle;
use crate::store::{self, Key, Record as _, Store, StoreError};

const RECORD_BYTES: usize = 22;

/// A passed gaming-day check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// When, in milliseconds of the epoch.
    pub utc_ms: u64,
    /// By whom.
    pub inspector: u16,
    /// Whether it still counts: a check that began and was not passed ends it.
    pub counts: bool,
}

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Record {
    /// Why it is out of service.
    pub fault: Option<Fault>,
    /// The round in which a peek was asked.
    pub round: Option<KeptRound>,
    /// The last passed check.
    pub passed: Option<Passed>,
    /// The number on the housing's seal, as the last passed check found it.
    pub seal_number: Option<u32>,
    /// A card that the deck has not was seen, and no floorperson has cleared that.
    pub wrong_deck: bool,
    /// A card could not be read, and no floorperson has seen to that (RD-11).
    pub unread: bool,
    /// Wrong lights that were reported, up to 255 (685a.12(h)).
    pub wrong_lights: u8,
    /// The controller ends rounds, not the dealer.
    pub by_controller: bool,
}

impl Record {
    /// How the last check ended, as far as that is kept: passed, or not decided.
    pub fn last_check(&self) -> CheckVerdict {
        match self.passed {
            Some(Passed { counts: true, .. }) => CheckVerdict::Passed,
            _ => CheckVerdict::Open,
        }
    }

    /// Takes up this round and what `action` adds. False: nothing is to be kept.
    pub(super) fn take(&mut self, round: Option<KeptRound>, action: &Action) -> bool {
        let binds = self.round != round;
        self.round = round;
        match action {
            Action::Stop(fault) => self.fault = Some(*fault),
            Action::Closed(round, _) if round.foreign => self.wrong_deck = true,
            Action::CallFloor => self.unread = true,
            _ => return binds,
        }
        true
    }

    /// The record without a check that counts.
    pub(super) fn uninspected(self) -> Self {
        Self { passed: self.passed.map(|passed| Passed { counts: false, ..passed }), ..self }
    }

    /// The record once `check` is passed. One by service is the end of a fault (RD-10).
    pub(super) fn inspected(self, check: &Check, utc_ms: u64) -> Self {
        Self {
            passed: Some(Passed { utc_ms, inspector: check.inspector, counts: true }),
            seal_number: Some(check.seal_number),
            fault: if check.by == Role::Service { None } else { self.fault },
            ..self
        }
    }
}

/// What is kept of a round: its question, never its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptRound {
    /// Its number.
    pub number: u16,
    /// What was shown when the card was looked at.
    pub up_card: UpCard,
    /// Why it gets no more answers.
    pub shut: Option<Shut>,
}

impl KeptRound {
    /// What is kept of `round`; nothing of one without a question that binds it.
    pub fn of(round: Option<Round>) -> Option<Self> {
        let round = round.filter(|round| round.asked && !round.by_card)?;
        Some(Self { number: round.number, up_card: round.up_card, shut: round.shut })
    }

    /// The round, as far as it is known.
    pub const fn resumed(self) -> Round {
        Round::resumed(self.number, self.up_card, self.shut)
    }

    const fn code(self) -> [u8; 4] {
        let [low, high] = self.number.to_le_bytes();
        let shut = match self.shut {
            None => 0,
            Some(Shut::SecondQuestion) => 1,
            Some(Shut::Unread) => 2,
        };
        // An up-card is below 4, and the eight marks that there is a round.
        [8 | self.up_card.code(), shut, low, high]
    }

    fn from_code([up_card, shut, low, high]: [u8; 4]) -> Option<Self> {
        let shut = match shut {
            0 => None,
            1 => Some(Shut::SecondQuestion),
            2 => Some(Shut::Unread),
            _ => return None,
        };
        let up_card = UpCard::from_code(up_card.checked_sub(8)?)?;
        Some(Self { number: u16::from_le_bytes([low, high]), up_card, shut })
    }
}

impl store::Record for Record {
    const KEY: Key = Key::ReaderRecord;
    type Buffer = [u8; RECORD_BYTES];
    const BUFFER: [u8; RECORD_BYTES] = [0; RECORD_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let passed = self.passed.unwrap_or(Passed { utc_ms: 0, inspector: 0, counts: false });
        let flags = u8::from(self.passed.is_some())
            | u8::from(passed.counts) << 1
            | u8::from(self.seal_number.is_some()) << 2
            | u8::from(self.wrong_deck) << 3
            | u8::from(self.unread) << 4
            | u8::from(self.by_controller) << 5;
        let mut left = out.get_mut(..RECORD_BYTES)?;
        for part in [
            &self.fault.map_or([0, 0], Fault::code)[..],
            &self.round.map_or([0; 4], KeptRound::code),
            &[flags, self.wrong_lights],
            &passed.utc_ms.to_le_bytes(),
            &passed.inspector.to_le_bytes(),
            &self.seal_number.unwrap_or(0).to_le_bytes(),
        ] {
            let (here, rest) = left.split_at_mut(part.len());
            here.copy_from_slice(part);
            left = rest;
        }
        Some(RECORD_BYTES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; RECORD_BYTES] = bytes.try_into().ok()?;
        let (&fault, rest) = bytes.split_first_chunk()?;
        let (&round, rest) = rest.split_first_chunk()?;
        let (&[flags, wrong_lights], rest) = rest.split_first_chunk()?;
        let (&utc_ms, rest) = rest.split_first_chunk()?;
        let (&inspector, rest) = rest.split_first_chunk()?;
        let (&seal_number, rest) = rest.split_first_chunk()?;
        let flag = |place: u8| flags & 1 << place != 0;
        let sound = flags < 64 && (flag(0) || !flag(1)) && rest.is_empty();
        let passed = Passed {
            utc_ms: u64::from_le_bytes(utc_ms),
            inspector: u16::from_le_bytes(inspector),
            counts: flag(1),
        };
        sound.then_some(Self {
            fault: if fault == [0, 0] { None } else { Some(Fault::from_code(fault)?) },
            round: if round == [0; 4] { None } else { Some(KeptRound::from_code(round)?) },
            passed: flag(0).then_some(passed),
            seal_number: flag(2).then_some(u32::from_le_bytes(seal_number)),
            wrong_deck: flag(3),
            unread: flag(4),
            wrong_lights,
            by_controller: flag(5),
        })
    }
}

/// What is known of the brand in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Its number.
    pub id: u16,
    /// SHA-256 of what is kept of it.
    pub hash: [u8; 32],
}

impl Label {
    /// The label of `brand`.
    pub fn of(brand: &Brand) -> Self {
        Self { id: brand.id(), hash: brand.hash() }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Record {
        Record {
            fault: Some(Fault::Lamp(3)),
            round: Some(KeptRound {
                number: 700,
                up_card: UpCard::Ace,
                shut: Some(Shut::SecondQuestion),
            }),
            passed: Some(Passed { utc_ms: 1_790_000_000_000, inspector: 9, counts: true }),
            seal_number: Some(0),
            wrong_deck: true,
            unread: true,
            wrong_lights: 3,
            by_controller: true,
        }
    }

    fn bytes(record: &Record) -> [u8; RECORD_BYTES] {
        let mut room = Record::BUFFER;
        assert_eq!(record.encode(&mut room), Some(RECORD_BYTES));
        room
    }

    #[test]
    fn the_record_survives_the_store() {
        for record in [full(), Record::default()] {
            assert_eq!(Record::decode(&bytes(&record)), Some(record));
        }
    }

    /// RD-10: a damaged record is none, never one without its fault.
    #[test]
    fn no_record_is_made_up_from_wrong_bytes() {
        let good = bytes(&full());
        for length in 0..good.len() {
            assert_eq!(Record::decode(&good[..length]), None);
        }
        // No such fault, no such up-card, no such reason, a check that counts but is none.
        for (place, value) in [(0, 9), (2, 1), (2, 12), (3, 3), (6, 64), (6, 2)] {
            let mut bad = good;
            bad[place] = value;
            assert_eq!(Record::decode(&bad), None, "byte {place} is {value}");
        }
    }

    /// RD-05, RD-20: the question is kept, the answer is not.
    #[test]
    fn of_a_round_only_its_question_is_kept() {
        let mut round = Round::resumed(7, UpCard::Ace, None);
        (round.insertions, round.foreign) = (4, true);
        let kept = KeptRound::of(Some(round)).unwrap();
        assert_eq!(kept.resumed(), Round::resumed(7, UpCard::Ace, None));
        round.by_card = true;
        assert_eq!(KeptRound::of(Some(round)), None);
        (round.by_card, round.asked) = (false, false);
        assert_eq!(KeptRound::of(Some(round)), None);
    }
}
