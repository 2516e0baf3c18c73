//! The record: what the reader still knows after a power cut.
//!
//! The fault, so that power cycling clears none (RD-10). The question of a round whose
//! card was looked at, so that a second one cannot be had by pulling the plug (RD-05).
//! The last question about a card, so that the other one is noticed after a power cut too (RD-05).
//! Reads without an answer, so that a power cut gives no more tries; what
//! only a floorperson clears, and how many wrong lights were reported (RD-11). The last passed check
//! with its seal number, and when the gaming day begins (CM-04, CM-05). No answer, no rank, no
//! image (RD-20). At two changes a peek round, 10,000 erases of a page last 2.7 million rounds
//! (`tests/store/bounds.rs`); a Masque's rounds write nothing as long as its cards can be read.

use super::Fault;
use super::check::{Check, DayBegins, PassedAt};
use super::machine::Save;
use super::recognise::{Brand, Question};
use super::round::{Round, Shut};
use crate::protocol::generated::croupier::common::{CheckVerdict, Role};
use crate::protocol::generated::croupier::reader::UpCard;
use crate::store::{self, Key};

const RECORD_BYTES: usize = 30;

/// A passed gaming-day check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passed {
    /// When, by clock, zone and house.
    pub at: PassedAt,
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
    /// The last question of a peek, of whichever round.
    pub looked: Option<Question>,
    /// Reads without an answer since the last answer, or in the round of a peek.
    pub failures: u8,
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
    /// When the gaming day begins.
    pub day_begins: DayBegins,
}

impl Record {
    /// How the last check ended, as far as that is kept: passed, or not decided.
    pub fn last_check(&self) -> CheckVerdict {
        match self.passed {
            Some(Passed { counts: true, .. }) => CheckVerdict::Passed,
            _ => CheckVerdict::Open,
        }
    }

    /// The record with what the machine wants saved. What is latched stays so.
    pub(super) fn with(self, save: &Save) -> Self {
        Self {
            round: save.round,
            looked: save.looked,
            failures: save.failures,
            fault: save.fault.or(self.fault),
            unread: self.unread || save.unread,
            wrong_deck: self.wrong_deck || save.wrong_deck,
            ..self
        }
    }

    /// The record without a check that counts.
    pub(super) fn uninspected(self) -> Self {
        Self { passed: self.passed.map(|passed| Passed { counts: false, ..passed }), ..self }
    }

    /// The record once `check` is passed. One by service is the end of a fault (RD-10).
    pub(super) fn inspected(self, check: &Check, at: PassedAt) -> Self {
        Self {
            passed: Some(Passed { at, inspector: check.inspector, counts: true }),
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

/// A question of a peek as a byte; 0 is none.
const fn looked_code(looked: Option<Question>) -> u8 {
    match looked {
        Some(Question::Ace) => 1,
        Some(Question::TenValue) => 2,
        Some(Question::Range) | None => 0,
    }
}

/// The question with this byte, if there is such a byte.
const fn looked_from(code: u8) -> Option<Option<Question>> {
    Some(match code {
        0 => None,
        1 => Some(Question::Ace),
        2 => Some(Question::TenValue),
        _ => return None,
    })
}

impl store::Record for Record {
    const KEY: Key = Key::ReaderRecord;
    type Buffer = [u8; RECORD_BYTES];
    const BUFFER: [u8; RECORD_BYTES] = [0; RECORD_BYTES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let no_check = Passed { at: PassedAt::default(), inspector: 0, counts: false };
        let passed = self.passed.unwrap_or(no_check);
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
            &[flags, self.wrong_lights, looked_code(self.looked), self.failures],
            &passed.at.utc_ms.to_le_bytes(),
            &passed.at.zone_minutes.to_le_bytes(),
            &passed.at.day_begins.minutes().to_le_bytes(),
            &passed.inspector.to_le_bytes(),
            &self.seal_number.unwrap_or(0).to_le_bytes(),
            &self.day_begins.minutes().to_le_bytes(),
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
        let (&[flags, wrong_lights, looked, failures], rest) = rest.split_first_chunk()?;
        let (&utc_ms, rest) = rest.split_first_chunk()?;
        let (&zone_minutes, rest) = rest.split_first_chunk()?;
        let (&day_of_check, rest) = rest.split_first_chunk()?;
        let (&inspector, rest) = rest.split_first_chunk()?;
        let (&seal_number, rest) = rest.split_first_chunk()?;
        let (&day_begins, rest) = rest.split_first_chunk()?;
        let flag = |place: u8| flags & 1 << place != 0;
        let sound = flags < 64 && (flag(0) || !flag(1)) && rest.is_empty();
        let at = PassedAt {
            utc_ms: u64::from_le_bytes(utc_ms),
            zone_minutes: i16::from_le_bytes(zone_minutes),
            day_begins: DayBegins::at(u16::from_le_bytes(day_of_check))?,
        };
        let inspector = u16::from_le_bytes(inspector);
        let passed = Passed { at, inspector, counts: flag(1) };
        sound.then_some(Self {
            fault: if fault == [0, 0] { None } else { Some(Fault::from_code(fault)?) },
            round: if round == [0; 4] { None } else { Some(KeptRound::from_code(round)?) },
            looked: looked_from(looked)?,
            failures,
            passed: flag(0).then_some(passed),
            seal_number: flag(2).then_some(u32::from_le_bytes(seal_number)),
            wrong_deck: flag(3),
            unread: flag(4),
            wrong_lights,
            by_controller: flag(5),
            day_begins: DayBegins::at(u16::from_le_bytes(day_begins))?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Record as _;
    use crate::time::Instant;

    fn full() -> Record {
        Record {
            fault: Some(Fault::Lamp(3)),
            round: Some(KeptRound {
                number: 700,
                up_card: UpCard::Ace,
                shut: Some(Shut::SecondQuestion),
            }),
            looked: Some(Question::TenValue),
            failures: 2,
            passed: Some(Passed {
                at: PassedAt {
                    utc_ms: 1_790_000_000_000,
                    zone_minutes: -300,
                    day_begins: DayBegins::at(240).unwrap(),
                },
                inspector: 9,
                counts: true,
            }),
            seal_number: Some(0),
            wrong_deck: true,
            unread: true,
            wrong_lights: 3,
            by_controller: true,
            day_begins: DayBegins::at(1440).unwrap(),
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
        // No such fault, up-card or reason, a check that counts but is none, no such question, no
        // such beginning of a day.
        for (place, value) in
            [(0, 9), (2, 1), (2, 12), (3, 3), (6, 64), (6, 2), (8, 3), (21, 9), (29, 9)]
        {
            let mut bad = good;
            bad[place] = value;
            assert_eq!(Record::decode(&bad), None, "byte {place} is {value}");
        }
    }

    /// RD-10: only service's check takes a fault out of the record.
    #[test]
    fn rd10_a_floorpersons_check_leaves_the_fault_in_the_record() {
        let record = full();
        for (by, left) in [(Role::Floorperson, record.fault), (Role::Service, None)] {
            let check = Check::begin(5, 6, by, Instant::START);
            let after = record.inspected(&check, PassedAt::default());
            assert_eq!((after.fault, after.seal_number), (left, Some(6)));
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
