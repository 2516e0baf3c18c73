//! The namespace `croupier.reader`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Decoded, Event, Malformed, Message, Object, Reader, Request, Response, Sealed, Writer, service,
    subject,
};
use crate::protocol::generated::croupier::common::{Answer, Role, Seal, Stamp};
use crate::protocol::transfer::{ServiceId, SubjectId};

/// Tells the reader the up-card of a round (RD-04, RD-06). One question a round: a second, different one is refused and reported.
///
/// Asked by: dealer or controller. The keys on the reader do the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmRequest {
    /// The round, counted by the controller. A new number ends the round before, where the asker may end it (see House).
    pub round: u16,
    /// What the dealer shows. In 685a it is not needed, and only serves the hint of RD-15.
    pub up_card: UpCard,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for ArmRequest {
    const NAME: &'static str = "croupier.reader.Arm.1.0.Request";
    const LONGEST: usize = 28;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        self.up_card.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let round = from.take(16)? as u16;
        let up_card = UpCard::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { round, up_card, seal })
    }
}

impl Request for ArmRequest {
    const SERVICE: ServiceId = service(288);
    type Response = ArmResponse;
}

impl Sealed for ArmRequest {}

/// Armed, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmResponse {
    /// What became of the request; OUT_OF_TURN for a second question: the first one stands.
    pub answer: Answer,
    /// By the reader.
    pub seal: Seal,
}

impl Object for ArmResponse {
    const NAME: &'static str = "croupier.reader.Arm.1.0.Response";
    const LONGEST: usize = 35;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, seal })
    }
}

impl Response for ArmResponse {}

impl Sealed for ArmResponse {}

/// The reader knows the up-card, by the dealer's key or by Arm; or a round ended and it forgot.
///
/// Sent by: the reader, at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Armed {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round.
    pub round: u16,
    /// The up-card; UNSAID when the round ended.
    pub up_card: UpCard,
    /// Whose authority gave it; DEVICE for the keys on the reader.
    pub by: Role,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Armed {
    const NAME: &'static str = "croupier.reader.Armed.1.0";
    const LONGEST: usize = 38;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.up_card.write(to)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let up_card = UpCard::read(from)?;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, round, up_card, by, seal })
    }
}

impl Message for Armed {
    const SUBJECT: SubjectId = subject(6210);
}

impl Sealed for Armed {}

impl Event for Armed {}

/// Sets what the house decides about this reader, or asks for it. Kept through power loss.
///
/// Asked by: floorperson, and refused with IN_ROUND while a round is in play; with nothing said any role may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HouseRequest {
    /// Who ends rounds from now on; UNSAID: that stays as it is.
    pub rounds_by: RoundsBy,
    /// When the gaming day begins (CM-05), in minutes of local time from 1 to 1440, which is midnight; 0: that stays as it is.
    /// A check that counts is never prolonged by it.
    pub day_begins: u16,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for HouseRequest {
    const NAME: &'static str = "croupier.reader.House.1.0.Request";
    const LONGEST: usize = 28;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.rounds_by.write(to)?;
        to.put(self.day_begins.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let rounds_by = RoundsBy::read(from)?;
        let day_begins = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { rounds_by, day_begins, seal })
    }
}

impl Request for HouseRequest {
    const SERVICE: ServiceId = service(292);
    type Response = HouseResponse;
}

impl Sealed for HouseRequest {}

/// What is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HouseResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Who ends rounds; DEALER until the house sets it.
    pub rounds_by: RoundsBy,
    /// When the gaming day begins, in minutes of local time from 1 to 1440; 360, which is 06:00, until the house sets it.
    pub day_begins: u16,
    /// By the reader.
    pub seal: Seal,
}

impl Object for HouseResponse {
    const NAME: &'static str = "croupier.reader.House.1.0.Response";
    const LONGEST: usize = 38;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.rounds_by.write(to)?;
        to.put(self.day_begins.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let rounds_by = RoundsBy::read(from)?;
        let day_begins = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { answer, rounds_by, day_begins, seal })
    }
}

impl Response for HouseResponse {}

impl Sealed for HouseResponse {}

/// A floorperson set what the house decides about this reader (CM-07).
///
/// Sent by: the reader, when House set something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HouseChanged {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Who ends rounds from now on.
    pub rounds_by: RoundsBy,
    /// When the gaming day begins from now on, in minutes of local time from 1 to 1440, which is midnight.
    pub day_begins: u16,
    /// By the reader.
    pub seal: Seal,
}

impl Object for HouseChanged {
    const NAME: &'static str = "croupier.reader.HouseChanged.1.0";
    const LONGEST: usize = 37;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.rounds_by.write(to)?;
        to.put(self.day_begins.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let rounds_by = RoundsBy::read(from)?;
        let day_begins = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, rounds_by, day_begins, seal })
    }
}

impl Message for HouseChanged {
    const SUBJECT: SubjectId = subject(6212);
}

impl Sealed for HouseChanged {}

impl Event for HouseChanged {}

/// A card came into the nest or left it. The time stamp settles disputes about Insurance (RD-13).
///
/// Sent by: the reader, once for each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Insertion {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round, as the arming named it.
    pub round: u16,
    /// What happened.
    pub change: NestChange,
    /// Insertions in this round so far.
    pub tries: u8,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Insertion {
    const NAME: &'static str = "croupier.reader.Insertion.1.0";
    const LONGEST: usize = 38;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.change.write(to)?;
        to.put(self.tries.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let change = NestChange::read(from)?;
        let tries = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, round, change, tries, seal })
    }
}

impl Message for Insertion {
    const SUBJECT: SubjectId = subject(6209);
}

impl Sealed for Insertion {}

impl Event for Insertion {}

/// Where the teaching of a brand stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Lesson {
    /// No lesson.
    #[default]
    None = 0,
    /// Cards are shown to be learnt.
    Learn = 1,
    /// Every card, both ends, repeatedly: one error ends the lesson.
    Prove = 2,
    /// Proven and in force.
    InUse = 3,
    /// An error: the brand before stays in force.
    Failed = 4,
    /// Broken off: the brand before stays in force.
    Left = 5,
}

impl Lesson {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 6] =
        [Self::None, Self::Learn, Self::Prove, Self::InUse, Self::Failed, Self::Left];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Learn,
            2 => Self::Prove,
            3 => Self::InUse,
            4 => Self::Failed,
            5 => Self::Left,
            _ => return None,
        })
    }
}

impl Object for Lesson {
    const NAME: &'static str = "croupier.reader.Lesson.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// What happened at the reader's nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum NestChange {
    /// A card is home.
    Inserted = 1,
    /// The nest is empty again.
    Removed = 2,
}

impl NestChange {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 2] = [Self::Inserted, Self::Removed];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Inserted,
            2 => Self::Removed,
            _ => return None,
        })
    }
}

impl Object for NestChange {
    const NAME: &'static str = "croupier.reader.NestChange.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The only things a reader ever says about a hole card (RD-01, RD-02, RD-20).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Reading {
    /// No answer was given.
    #[default]
    None = 0,
    /// Peek: the dealer has a Blackjack.
    Blackjack = 1,
    /// Peek: the dealer has none.
    NoBlackjack = 2,
    /// Masque: blue (685a.3(d)).
    Small = 3,
    /// Masque: red.
    Medium = 4,
    /// Masque: yellow. Does not say Blackjack (RD-15).
    Large = 5,
    /// Doubtful, so no class: read again (RD-11).
    CannotRead = 6,
    /// The fixed neutral notice: no question was allowed here (RD-05).
    Notice = 7,
}

impl Reading {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Blackjack,
        Self::NoBlackjack,
        Self::Small,
        Self::Medium,
        Self::Large,
        Self::CannotRead,
        Self::Notice,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Blackjack,
            2 => Self::NoBlackjack,
            3 => Self::Small,
            4 => Self::Medium,
            5 => Self::Large,
            6 => Self::CannotRead,
            7 => Self::Notice,
            _ => return None,
        })
    }
}

impl Object for Reading {
    const NAME: &'static str = "croupier.reader.Reading.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The hole card is face up and the round is over: the reader forgets it, and publishes what had to wait (RD-17).
///
/// Asked by: dealer or controller, whichever House says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundEndRequest {
    /// The round that ended.
    pub round: u16,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for RoundEndRequest {
    const NAME: &'static str = "croupier.reader.RoundEnd.1.0.Request";
    const LONGEST: usize = 27;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let round = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { round, seal })
    }
}

impl Request for RoundEndRequest {
    const SERVICE: ServiceId = service(289);
    type Response = RoundEndResponse;
}

impl Sealed for RoundEndRequest {}

/// Ended, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundEndResponse {
    /// What became of the request; OUT_OF_TURN while a card is in the nest, and for a dealer too soon after a peek.
    pub answer: Answer,
    /// By the reader.
    pub seal: Seal,
}

impl Object for RoundEndResponse {
    const NAME: &'static str = "croupier.reader.RoundEnd.1.0.Response";
    const LONGEST: usize = 35;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, seal })
    }
}

impl Response for RoundEndResponse {}

impl Sealed for RoundEndResponse {}

/// Who ends rounds at this table: one authority, so that no other can have the same card asked about again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum RoundsBy {
    /// Only ask what is in force.
    #[default]
    Unsaid = 0,
    /// The dealer, by the keys on the reader or by RoundEnd; ten seconds after the last look at the soonest.
    Dealer = 1,
    /// The controller. The key ROUND OVER and the dealer's RoundEnd are refused.
    Controller = 2,
}

impl RoundsBy {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::Unsaid, Self::Dealer, Self::Controller];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unsaid,
            1 => Self::Dealer,
            2 => Self::Controller,
            _ => return None,
        })
    }
}

impl Object for RoundsBy {
    const NAME: &'static str = "croupier.reader.RoundsBy.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// How far the teaching of a brand is. Counts the cards shown and never names one.
///
/// Sent by: the reader, after each card of a lesson and at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Taught {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Where the lesson stands.
    pub lesson: Lesson,
    /// Cards shown in this part.
    pub shown: u16,
    /// Cards this part wants.
    pub wanted: u16,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Taught {
    const NAME: &'static str = "croupier.reader.Taught.1.0";
    const LONGEST: usize = 39;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.lesson.write(to)?;
        to.put(self.shown.into(), 16)?;
        to.put(self.wanted.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let lesson = Lesson::read(from)?;
        let shown = from.take(16)? as u16;
        let wanted = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, lesson, shown, wanted, seal })
    }
}

impl Message for Taught {
    const SUBJECT: SubjectId = subject(6211);
}

impl Sealed for Taught {}

impl Event for Taught {}

/// Leads through the teaching of a brand of cards. Old brand or new, never half of one, also after power loss.
///
/// Asked by: floorperson or service; any role may LOOK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TeachRequest {
    /// What the supervisor does.
    pub action: TeachAction,
    /// The brand's number in the casino's list, with BEGIN; otherwise 0.
    pub brand: u32,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for TeachRequest {
    const NAME: &'static str = "croupier.reader.Teach.1.0.Request";
    const LONGEST: usize = 30;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.action.write(to)?;
        to.put(self.brand.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let action = TeachAction::read(from)?;
        let brand = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self { action, brand, seal })
    }
}

impl Request for TeachRequest {
    const SERVICE: ServiceId = service(290);
    type Response = TeachResponse;
}

impl Sealed for TeachRequest {}

/// How far the lesson is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TeachResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Where the lesson stands.
    pub lesson: Lesson,
    /// Cards shown in this part.
    pub shown: u16,
    /// Cards this part wants.
    pub wanted: u16,
    /// The brand in force; 0 if none.
    pub brand: u32,
    /// SHA-256 of what is kept of the brand in force; zero if none.
    pub brand_hash: [u8; 32],
    /// By the reader.
    pub seal: Seal,
}

impl Object for TeachResponse {
    const NAME: &'static str = "croupier.reader.Teach.1.0.Response";
    const LONGEST: usize = 76;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.lesson.write(to)?;
        to.put(self.shown.into(), 16)?;
        to.put(self.wanted.into(), 16)?;
        to.put(self.brand.into(), 32)?;
        to.put_bytes(&self.brand_hash)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let lesson = Lesson::read(from)?;
        let shown = from.take(16)? as u16;
        let wanted = from.take(16)? as u16;
        let brand = from.take(32)? as u32;
        let brand_hash = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, lesson, shown, wanted, brand, brand_hash, seal })
    }
}

impl Response for TeachResponse {}

impl Sealed for TeachResponse {}

/// What the supervisor does in a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum TeachAction {
    /// Only ask how far it is.
    #[default]
    Look = 0,
    /// Begin; the reader is out of service until the end.
    Begin = 1,
    /// The next card is home.
    Next = 2,
    /// Break off.
    Leave = 3,
}

impl TeachAction {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Look, Self::Begin, Self::Next, Self::Leave];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Look,
            1 => Self::Begin,
            2 => Self::Next,
            3 => Self::Leave,
            _ => return None,
        })
    }
}

impl Object for TeachAction {
    const NAME: &'static str = "croupier.reader.TeachAction.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// What the dealer shows, as far as the reader must know it to ask the right question (RD-04, RD-06).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum UpCard {
    /// Not given. A Masque reads all the same (RD-03); a peek does not.
    #[default]
    Unsaid = 0,
    /// An ace: the question is whether the hole card has the value ten.
    Ace = 1,
    /// A ten-value card of the game: the question is whether the hole card is an ace.
    TenValue = 2,
    /// Any other: no peek is called for (RD-05).
    Other = 3,
}

impl UpCard {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Unsaid, Self::Ace, Self::TenValue, Self::Other];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unsaid,
            1 => Self::Ace,
            2 => Self::TenValue,
            3 => Self::Other,
            _ => return None,
        })
    }
}

impl Object for UpCard {
    const NAME: &'static str = "croupier.reader.UpCard.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The answer that the lamps show, at the fixed time after the card was home (RD-21).
///
/// Sent by: the reader, once for each insertion, with bytes and timing that depend on nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Verdict {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round, as the arming named it.
    pub round: u16,
    /// The answer: peek games get BLACKJACK or NO_BLACKJACK, 685a gets a range (RD-23).
    pub reading: Reading,
    /// Insertions in this round so far (RD-12).
    pub tries: u8,
    /// 685a.7(h): the up-card is known to be large and the reading is LARGE, so the hole card is turned up.
    pub expose: bool,
    /// By the reader.
    pub seal: Seal,
}

impl Object for Verdict {
    const NAME: &'static str = "croupier.reader.Verdict.1.0";
    const LONGEST: usize = 39;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.reading.write(to)?;
        to.put(self.tries.into(), 8)?;
        to.put(self.expose.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let reading = Reading::read(from)?;
        let tries = from.take(8)? as u8;
        let expose = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, round, reading, tries, expose, seal })
    }
}

impl Message for Verdict {
    const SUBJECT: SubjectId = subject(6208);
}

impl Sealed for Verdict {}

impl Event for Verdict {}

/// A floorperson saw a wrong light (685a.12(h)): counted for good, and published with both outcomes of the clause.
///
/// Asked by: floorperson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WrongLightRequest {
    /// The round with the wrong light: the last one that had a light since the start, and once.
    pub round: u16,
    /// By the floorperson.
    pub seal: Seal,
}

impl Object for WrongLightRequest {
    const NAME: &'static str = "croupier.reader.WrongLight.1.0.Request";
    const LONGEST: usize = 27;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let round = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { round, seal })
    }
}

impl Request for WrongLightRequest {
    const SERVICE: ServiceId = service(291);
    type Response = WrongLightResponse;
}

impl Sealed for WrongLightRequest {}

/// Recorded, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WrongLightResponse {
    /// What became of the request; WRONG_PROFILE in a game without lights, NOT_FOUND if that round had none or is too long ago.
    pub answer: Answer,
    /// By the reader.
    pub seal: Seal,
}

impl Object for WrongLightResponse {
    const NAME: &'static str = "croupier.reader.WrongLight.1.0.Response";
    const LONGEST: usize = 35;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, seal })
    }
}

impl Response for WrongLightResponse {}

impl Sealed for WrongLightResponse {}
