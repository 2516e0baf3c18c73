//! The namespace `croupier.shuffler`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Decoded, Event, Malformed, Message, Object, Reader, Request, Response, Sealed, Writer, service,
    subject,
};
use crate::protocol::generated::croupier::common::{Answer, NextStep, Role, Seal, Stamp};
use crate::protocol::transfer::{ServiceId, SubjectId};

/// Which batch, by the colour of its backs (SH-15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Batch {
    /// No batch, or not known.
    #[default]
    None = 0,
    /// Red backs.
    First = 1,
    /// Blue backs.
    Second = 2,
}

impl Batch {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::None, Self::First, Self::Second];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::First,
            2 => Self::Second,
            _ => return None,
        })
    }
}

impl Object for Batch {
    const NAME: &'static str = "croupier.shuffler.Batch.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum BatchChange {
    /// Nothing.
    #[default]
    None = 0,
    /// New cards were opened (SH-40).
    Opened = 1,
    /// It left the table, or the game in force wants another number of decks (SH-15).
    Retired = 2,
    /// Its count was wrong: that deck leaves the table (SH-08).
    Removed = 3,
    /// Released last, it was shuffled again on a floorperson's word (SH-17).
    Reshuffled = 4,
    /// Released on a floorperson's word while the other batch was in play (SH-28).
    ReleasedEarly = 5,
}

impl BatchChange {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Opened,
        Self::Retired,
        Self::Removed,
        Self::Reshuffled,
        Self::ReleasedEarly,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Opened,
            2 => Self::Retired,
            3 => Self::Removed,
            4 => Self::Reshuffled,
            5 => Self::ReleasedEarly,
            _ => return None,
        })
    }
}

impl Object for BatchChange {
    const NAME: &'static str = "croupier.shuffler.BatchChange.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// What became of a batch, and by whose authority.
///
/// Sent by: the shuffler, at each such change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchChanged {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Which batch.
    pub batch: Batch,
    /// What became of it.
    pub change: BatchChange,
    /// Decks in it; 0 if that is not known.
    pub decks: u8,
    /// Whose word it was; DEVICE for a verdict of the machine.
    pub by: Role,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for BatchChanged {
    const NAME: &'static str = "croupier.shuffler.BatchChanged.1.0";
    const LONGEST: usize = 38;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.batch.write(to)?;
        self.change.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let batch = Batch::read(from)?;
        let change = BatchChange::read(from)?;
        let decks = from.take(8)? as u8;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, batch, change, decks, by, seal })
    }
}

impl Message for BatchChanged {
    const SUBJECT: SubjectId = subject(6276);
}

impl Sealed for BatchChanged {}

impl Event for BatchChanged {}

/// New cards were opened for a batch: its life begins (SH-40). The clock of each batch survives power loss.
///
/// A batch with another number of decks than the game in force is not in use any more (SH-15).
///
/// Asked by: floorperson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchOpenedRequest {
    /// Which batch.
    pub batch: Batch,
    /// Decks in it; must be those of the game in force (SH-15).
    pub decks: u8,
    /// By the floorperson.
    pub seal: Seal,
}

impl Object for BatchOpenedRequest {
    const NAME: &'static str = "croupier.shuffler.BatchOpened.1.0.Request";
    const LONGEST: usize = 27;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.batch.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let batch = Batch::read(from)?;
        let decks = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Ok(Self { batch, decks, seal })
    }
}

impl Request for BatchOpenedRequest {
    const SERVICE: ServiceId = service(323);
    type Response = BatchOpenedResponse;
}

impl Sealed for BatchOpenedRequest {}

/// The batch's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchOpenedResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Until it must be changed; the stricter limit if the way of dealing changed, 65535 where no clause sets one.
    pub minutes_left: u16,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for BatchOpenedResponse {
    const NAME: &'static str = "croupier.shuffler.BatchOpened.1.0.Response";
    const LONGEST: usize = 37;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.minutes_left.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let minutes_left = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { answer, minutes_left, seal })
    }
}

impl Response for BatchOpenedResponse {}

impl Sealed for BatchOpenedResponse {}

/// A batch has left the table for good: a deck that was removed, or cards that are not replaced.
///
/// Where the game may be played with one deck, the one left is then played alone; where it must have two, BATCH_MISSING says which
/// is wanted (SH-15, SH-16). A batch with a wrong count is retired by the verdict itself (SH-08).
///
/// Asked by: floorperson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchRetiredRequest {
    /// Which batch.
    pub batch: Batch,
    /// By the floorperson.
    pub seal: Seal,
}

impl Object for BatchRetiredRequest {
    const NAME: &'static str = "croupier.shuffler.BatchRetired.1.0.Request";
    const LONGEST: usize = 26;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.batch.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let batch = Batch::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { batch, seal })
    }
}

impl Request for BatchRetiredRequest {
    const SERVICE: ServiceId = service(324);
    type Response = BatchRetiredResponse;
}

impl Sealed for BatchRetiredRequest {}

/// Whether it counts as gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BatchRetiredResponse {
    /// What became of the request: IN_ROUND while it is in play, BUSY while cards move, OUT_OF_TURN while it is or may be inside,
    /// NOT_FOUND if it is not open.
    pub answer: Answer,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for BatchRetiredResponse {
    const NAME: &'static str = "croupier.shuffler.BatchRetired.1.0.Response";
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

impl Response for BatchRetiredResponse {}

impl Sealed for BatchRetiredResponse {}

/// A batch is certified shuffled, or is so no more. Only a whole clean cycle certifies (SH-22).
///
/// Sent by: the shuffler, at each change and at STORE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Certificate {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What it is now.
    pub state: CertificateState,
    /// Why it changed.
    pub reason: CertificateReason,
    /// Which batch.
    pub batch: Batch,
    /// Cards in it.
    pub cards: u16,
    /// The game in force lets it be dealt unspread after an idle hour, unless a player asks (SH-25). False: spread before use.
    /// Lid, door, power and release end it, and the certificate with it; cards laid into the feed tray do not.
    pub unspread: bool,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Certificate {
    const NAME: &'static str = "croupier.shuffler.Certificate.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.state.write(to)?;
        self.reason.write(to)?;
        self.batch.write(to)?;
        to.put(self.cards.into(), 16)?;
        to.put(self.unspread.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let state = CertificateState::read(from)?;
        let reason = CertificateReason::read(from)?;
        let batch = Batch::read(from)?;
        let cards = from.take(16)? as u16;
        let unspread = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, state, reason, batch, cards, unspread, seal })
    }
}

impl Message for Certificate {
    const SUBJECT: SubjectId = subject(6274);
}

impl Sealed for Certificate {}

impl Event for Certificate {}

/// Why a certificate changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CertificateReason {
    /// It did not.
    #[default]
    None = 0,
    /// A whole clean cycle.
    WholeCycle = 1,
    /// The certified cards were released for dealing, and no others are called so: this arms a generator (PG-10).
    Released = 2,
    /// A card got stuck (SH-22).
    Jam = 3,
    /// The door was opened.
    Door = 4,
    /// The lid was opened.
    Lid = 5,
    /// Power failed.
    Power = 6,
    /// Not the right number (SH-08).
    WrongCount = 7,
    /// Another back among them (SH-18).
    ForeignBack = 8,
    /// A card lay face up (SH-29).
    FaceUp = 9,
    /// The cycle was stopped by hand.
    Aborted = 10,
    /// The batch expired, was not opened, or no clock says how old it is (SH-40).
    DeckLife = 11,
    /// The machine does not trust itself.
    Fault = 12,
    /// The batch before it came again (SH-17).
    SameBatch = 13,
    /// Put away for an idle table with STORE; it stands (SH-25).
    Stored = 14,
    /// A whole clean cycle of the batch released last, on a floorperson's word (SH-17).
    Reshuffle = 15,
    /// A floorperson released cards that were only counted: not shuffled (SH-14).
    Counted = 16,
}

impl CertificateReason {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 17] = [
        Self::None,
        Self::WholeCycle,
        Self::Released,
        Self::Jam,
        Self::Door,
        Self::Lid,
        Self::Power,
        Self::WrongCount,
        Self::ForeignBack,
        Self::FaceUp,
        Self::Aborted,
        Self::DeckLife,
        Self::Fault,
        Self::SameBatch,
        Self::Stored,
        Self::Reshuffle,
        Self::Counted,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::WholeCycle,
            2 => Self::Released,
            3 => Self::Jam,
            4 => Self::Door,
            5 => Self::Lid,
            6 => Self::Power,
            7 => Self::WrongCount,
            8 => Self::ForeignBack,
            9 => Self::FaceUp,
            10 => Self::Aborted,
            11 => Self::DeckLife,
            12 => Self::Fault,
            13 => Self::SameBatch,
            14 => Self::Stored,
            15 => Self::Reshuffle,
            16 => Self::Counted,
            _ => return None,
        })
    }
}

impl Object for CertificateReason {
    const NAME: &'static str = "croupier.shuffler.CertificateReason.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Whether a batch counts as shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CertificateState {
    /// Never certified, or dealt since.
    #[default]
    None = 0,
    /// Whole cycle, right count, right backs, nothing face up.
    Issued = 1,
    /// Not any more: only a full reshuffle certifies it again.
    Revoked = 2,
}

impl CertificateState {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::None, Self::Issued, Self::Revoked];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Issued,
            2 => Self::Revoked,
            _ => return None,
        })
    }
}

impl Object for CertificateState {
    const NAME: &'static str = "croupier.shuffler.CertificateState.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Gives the shuffler a task.
///
/// Asked by: dealer or floorperson; the controller may ask for ABORT. EMPTY after a fault, and RELEASE of cards
/// that were only counted, need a floorperson; so do START of the batch released last (SH-17) and RELEASE while
/// the other batch is in play (SH-28).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CommandRequest {
    /// What to do.
    pub task: Task,
    /// With START; otherwise NONE.
    pub purpose: Purpose,
    /// Which batch, where two are used; with NONE the backs decide.
    pub batch: Batch,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for CommandRequest {
    const NAME: &'static str = "croupier.shuffler.Command.1.0.Request";
    const LONGEST: usize = 28;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.task.write(to)?;
        self.purpose.write(to)?;
        self.batch.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let task = Task::read(from)?;
        let purpose = Purpose::read(from)?;
        let batch = Batch::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { task, purpose, batch, seal })
    }
}

impl Request for CommandRequest {
    const SERVICE: ServiceId = service(320);
    type Response = CommandResponse;
}

impl Sealed for CommandRequest {}

/// Begun, or why not. Progress, Count and Certificate report the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CommandResponse {
    /// What became of the request. OUT_OF_TURN where alternation forbids the batch (SH-17); BATCH_STORED for START beside a certified
    /// batch (SH-28); CLOCK_UNSET and BATCH_NOT_OPENED where the age of a batch cannot be known (SH-40).
    pub answer: Answer,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for CommandResponse {
    const NAME: &'static str = "croupier.shuffler.Command.1.0.Response";
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

impl Response for CommandResponse {}

impl Sealed for CommandResponse {}

/// The count, shown after each completed cycle and only then (SH-07, SH-08).
///
/// Sent by: the shuffler, once for each cycle that came to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Count {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What the cycle was for.
    pub purpose: Purpose,
    /// Whether it is right.
    pub verdict: CountVerdict,
    /// Cards that came out, cover cards not among them (SH-26).
    pub found: u16,
    /// What the profile asks for; 0 for a partial batch (SH-28).
    pub expected: u16,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Count {
    const NAME: &'static str = "croupier.shuffler.Count.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.purpose.write(to)?;
        self.verdict.write(to)?;
        to.put(self.found.into(), 16)?;
        to.put(self.expected.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let purpose = Purpose::read(from)?;
        let verdict = CountVerdict::read(from)?;
        let found = from.take(16)? as u16;
        let expected = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, purpose, verdict, found, expected, seal })
    }
}

impl Message for Count {
    const SUBJECT: SubjectId = subject(6273);
}

impl Sealed for Count {}

impl Event for Count {}

/// Asks for the particulars of the last count: a card-checking receipt (SH-46).
///
/// Asked by: any role with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CountGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for CountGetRequest {
    const NAME: &'static str = "croupier.shuffler.CountGet.1.0.Request";
    const LONGEST: usize = 25;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let seal = Seal::read(from)?;
        Ok(Self { seal })
    }
}

impl Request for CountGetRequest {
    const SERVICE: ServiceId = service(322);
    type Response = CountGetResponse;
}

impl Sealed for CountGetRequest {}

/// The last count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CountGetResponse {
    /// What became of the request; NOT_FOUND before the first count.
    pub answer: Answer,
    /// When, in milliseconds of the day clock; 0 if the clock was not set.
    pub utc_ms: u64,
    /// What the cycle was for.
    pub purpose: Purpose,
    /// Whether it is right.
    pub verdict: CountVerdict,
    /// Which batch.
    pub batch: Batch,
    /// Decks in a full batch of the game in force when it was counted.
    pub decks: u8,
    /// What the profile asks for; 0 for a partial batch.
    pub expected: u16,
    /// Cards that went in.
    pub fed: u16,
    /// Cards the slots held together.
    pub slotted: u16,
    /// Cards that came out: the count that matters.
    pub ejected: u16,
    /// Cover cards, in none of the numbers above (SH-26).
    pub cover_cards: u8,
    /// Backs of another colour (SH-18).
    pub foreign_backs: u8,
    /// Cards face up (SH-29).
    pub face_up: u8,
    /// Whose authority started the cycle; DEVICE for the keys on the shuffler.
    pub by: Role,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for CountGetResponse {
    const NAME: &'static str = "croupier.shuffler.CountGet.1.0.Response";
    const LONGEST: usize = 59;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.utc_ms, 64)?;
        self.purpose.write(to)?;
        self.verdict.write(to)?;
        self.batch.write(to)?;
        to.put(self.decks.into(), 8)?;
        to.put(self.expected.into(), 16)?;
        to.put(self.fed.into(), 16)?;
        to.put(self.slotted.into(), 16)?;
        to.put(self.ejected.into(), 16)?;
        to.put(self.cover_cards.into(), 8)?;
        to.put(self.foreign_backs.into(), 8)?;
        to.put(self.face_up.into(), 8)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let utc_ms = from.take(64)?;
        let purpose = Purpose::read(from)?;
        let verdict = CountVerdict::read(from)?;
        let batch = Batch::read(from)?;
        let decks = from.take(8)? as u8;
        let expected = from.take(16)? as u16;
        let fed = from.take(16)? as u16;
        let slotted = from.take(16)? as u16;
        let ejected = from.take(16)? as u16;
        let cover_cards = from.take(8)? as u8;
        let foreign_backs = from.take(8)? as u8;
        let face_up = from.take(8)? as u8;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self {
            answer,
            utc_ms,
            purpose,
            verdict,
            batch,
            decks,
            expected,
            fed,
            slotted,
            ejected,
            cover_cards,
            foreign_backs,
            face_up,
            by,
            seal,
        })
    }
}

impl Response for CountGetResponse {}

impl Sealed for CountGetResponse {}

/// Whether a count is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CountVerdict {
    /// Nothing was counted.
    #[default]
    None = 0,
    /// As many as the profile asks for.
    Right = 1,
    /// Not as many: the deck leaves the table (SH-08).
    Wrong = 2,
    /// Feed, slots and exit disagree: in a game of rounds the stub is counted by hand (SH-09).
    NotValid = 3,
    /// A declared partial batch: no verdict on the number (SH-28).
    Partial = 4,
}

impl CountVerdict {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::None, Self::Right, Self::Wrong, Self::NotValid, Self::Partial];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Right,
            2 => Self::Wrong,
            3 => Self::NotValid,
            4 => Self::Partial,
            _ => return None,
        })
    }
}

impl Object for CountVerdict {
    const NAME: &'static str = "croupier.shuffler.CountVerdict.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Where the cards of a continuous machine are. The three parts make the batch at all times (SH-19).
///
/// Sent by: the shuffler in continuous operation, when a round begins or ends and at each discrepancy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Inventory {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Cards in the wheel, the last round held in order among them (SH-21).
    pub inside: u16,
    /// Cards in the exit chute: these will be dealt next, whatever comes in (SH-20).
    pub chute: u8,
    /// Cards on the table.
    pub out: u16,
    /// Cards of the last round that can still be given back in order.
    pub last_round: u8,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Inventory {
    const NAME: &'static str = "croupier.shuffler.Inventory.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.inside.into(), 16)?;
        to.put(self.chute.into(), 8)?;
        to.put(self.out.into(), 16)?;
        to.put(self.last_round.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let inside = from.take(16)? as u16;
        let chute = from.take(8)? as u8;
        let out = from.take(16)? as u16;
        let last_round = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, inside, chute, out, last_round, seal })
    }
}

impl Message for Inventory {
    const SUBJECT: SubjectId = subject(6275);
}

impl Sealed for Inventory {}

impl Event for Inventory {}

/// Asks where all cards are, as far as the machine knows: after an interruption it says what is left inside.
///
/// Asked by: any role with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InventoryGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for InventoryGetRequest {
    const NAME: &'static str = "croupier.shuffler.InventoryGet.1.0.Request";
    const LONGEST: usize = 25;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let seal = Seal::read(from)?;
        Ok(Self { seal })
    }
}

impl Request for InventoryGetRequest {
    const SERVICE: ServiceId = service(321);
    type Response = InventoryGetResponse;
}

impl Sealed for InventoryGetRequest {}

/// The cards, by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InventoryGetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// The batch inside; NONE if none, or if it is not known which.
    pub batch: Batch,
    /// Whether that batch counts as shuffled.
    pub certificate: CertificateState,
    /// Cards in the feed tray; 0 or 1, meaning none or some, where only a beam watches it.
    pub feed: u16,
    /// Cards in the wheel; in a cycle all that went in, until the look at its end is over (SH-08).
    pub inside: u16,
    /// Cards in the exit chute or tray; 0 in a cycle, until the look at its end is over (SH-08).
    pub chute: u16,
    /// Cards on the table.
    pub out: u16,
    /// These numbers are known to be right. False after an interruption, until the machine has been emptied.
    pub certain: bool,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for InventoryGetResponse {
    const NAME: &'static str = "croupier.shuffler.InventoryGet.1.0.Response";
    const LONGEST: usize = 46;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.batch.write(to)?;
        self.certificate.write(to)?;
        to.put(self.feed.into(), 16)?;
        to.put(self.inside.into(), 16)?;
        to.put(self.chute.into(), 16)?;
        to.put(self.out.into(), 16)?;
        to.put(self.certain.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let batch = Batch::read(from)?;
        let certificate = CertificateState::read(from)?;
        let feed = from.take(16)? as u16;
        let inside = from.take(16)? as u16;
        let chute = from.take(16)? as u16;
        let out = from.take(16)? as u16;
        let certain = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, batch, certificate, feed, inside, chute, out, certain, seal })
    }
}

impl Response for InventoryGetResponse {}

impl Sealed for InventoryGetResponse {}

/// What goes on in the shuffler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Phase {
    /// Nothing.
    #[default]
    Idle = 0,
    /// Cards go in.
    Feeding = 1,
    /// Cards move inside, in a pass between.
    Reordering = 2,
    /// Cards come out in their final order.
    Delivering = 3,
    /// Counting only, the order is kept (SH-14).
    Counting = 4,
    /// The delivered stack is released.
    Releasing = 5,
    /// Every card is brought out after a fault.
    Emptying = 6,
    /// The wheel looks for its home.
    Homing = 7,
    /// The wheel turns once past the slot beam: is every slot empty?
    Looking = 8,
}

impl Phase {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 9] = [
        Self::Idle,
        Self::Feeding,
        Self::Reordering,
        Self::Delivering,
        Self::Counting,
        Self::Releasing,
        Self::Emptying,
        Self::Homing,
        Self::Looking,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Idle,
            1 => Self::Feeding,
            2 => Self::Reordering,
            3 => Self::Delivering,
            4 => Self::Counting,
            5 => Self::Releasing,
            6 => Self::Emptying,
            7 => Self::Homing,
            8 => Self::Looking,
            _ => return None,
        })
    }
}

impl Object for Phase {
    const NAME: &'static str = "croupier.shuffler.Phase.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// How far the cycle is, in cards. Says nothing about which.
///
/// Not an event: it has no number, only the latest counts, and it cannot be asked for again with Resend.
///
/// Sent by: the shuffler, within 0.1 s of each change of phase, otherwise at most four times a second, and
/// once a second while nothing changes in a phase other than IDLE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Progress {
    /// As in Stamp.
    pub start: u8,
    /// As in Status.
    pub next_event: u32,
    /// When it was so, as in Stamp.
    pub time_ms: u64,
    /// What goes on.
    pub phase: Phase,
    /// The pass over the cards, from 1; 0 outside a shuffle.
    pub pass: u8,
    /// Cards done in this phase and pass; 0 while the counted cards come out (SH-08).
    pub done: u16,
    /// Cards this phase and pass will handle, as far as known; 0 if not, and while the counted cards come out.
    pub total: u16,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for Progress {
    const NAME: &'static str = "croupier.shuffler.Progress.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.start.into(), 8)?;
        to.put(self.next_event.min(0xFFFFFF).into(), 24)?;
        to.put(self.time_ms.min(0xFFFFFFFFFF), 40)?;
        self.phase.write(to)?;
        to.put(self.pass.into(), 8)?;
        to.put(self.done.into(), 16)?;
        to.put(self.total.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let start = from.take(8)? as u8;
        let next_event = from.take(24)? as u32;
        let time_ms = from.take(40)?;
        let phase = Phase::read(from)?;
        let pass = from.take(8)? as u8;
        let done = from.take(16)? as u16;
        let total = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { start, next_event, time_ms, phase, pass, done, total, seal })
    }
}

impl Message for Progress {
    const SUBJECT: SubjectId = subject(6272);
}

impl Sealed for Progress {}

/// What a cycle is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Purpose {
    /// No cycle.
    #[default]
    None = 0,
    /// Shuffle and count a whole batch.
    FullBatch = 1,
    /// Shuffle the discards of a shoe that ran out; any number (SH-28).
    PartialBatch = 2,
    /// Count and check, order kept (SH-14).
    CountOnly = 3,
    /// Feed into continuous operation (SH-19).
    Continuous = 4,
}

impl Purpose {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::None, Self::FullBatch, Self::PartialBatch, Self::CountOnly, Self::Continuous];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::FullBatch,
            2 => Self::PartialBatch,
            3 => Self::CountOnly,
            4 => Self::Continuous,
            _ => return None,
        })
    }
}

impl Object for Purpose {
    const NAME: &'static str = "croupier.shuffler.Purpose.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The stub, or in 589 the whole deck, was counted by hand: what must be done (SH-37)?
///
/// Asked by: dealer or floorperson. Refused with WRONG_PROFILE in a game of shoes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StubCountedRequest {
    /// Cards in the whole deck by this count: the stub with all that was dealt and burned.
    pub found: u8,
    /// A hand or the community area has more or fewer cards than it should.
    pub misdealt: bool,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for StubCountedRequest {
    const NAME: &'static str = "croupier.shuffler.StubCounted.1.0.Request";
    const LONGEST: usize = 27;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.found.into(), 8)?;
        to.put(self.misdealt.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let found = from.take(8)? as u8;
        let misdealt = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { found, misdealt, seal })
    }
}

impl Request for StubCountedRequest {
    const SERVICE: ServiceId = service(325);
    type Response = StubCountedResponse;
}

impl Sealed for StubCountedRequest {}

/// What the rule asks for. StubResult reports it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StubCountedResponse {
    /// What became of the request.
    pub answer: Answer,
    /// What must be done; NONE if the deck is whole and was dealt right.
    pub next_step: NextStep,
    /// No clause says so of a deck that was misdealt and is short: void as misdealt, removed as short.
    pub by_analogy: bool,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for StubCountedResponse {
    const NAME: &'static str = "croupier.shuffler.StubCounted.1.0.Response";
    const LONGEST: usize = 37;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.next_step.write(to)?;
        to.put(self.by_analogy.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let next_step = NextStep::read(from)?;
        let by_analogy = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, next_step, by_analogy, seal })
    }
}

impl Response for StubCountedResponse {}

impl Sealed for StubCountedResponse {}

/// The stub, or the whole deck, was counted by hand (SH-37).
///
/// Sent by: the shuffler, once it was told so with StubCounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StubResult {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Cards in the whole deck by this count.
    pub found: u8,
    /// A hand or the community area had more or fewer cards than it should.
    pub misdealt: bool,
    /// The step rests on no clause of its own.
    pub by_analogy: bool,
    /// What must be done; NONE if the deck is whole and was dealt right.
    pub next_step: NextStep,
    /// Whose authority told it.
    pub by: Role,
    /// By the shuffler.
    pub seal: Seal,
}

impl Object for StubResult {
    const NAME: &'static str = "croupier.shuffler.StubResult.1.0";
    const LONGEST: usize = 38;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.found.into(), 8)?;
        to.put(self.misdealt.into(), 1)?;
        to.put(self.by_analogy.into(), 1)?;
        to.put(0, 6)?;
        self.next_step.write(to)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let found = from.take(8)? as u8;
        let misdealt = from.take(1)? != 0;
        let by_analogy = from.take(1)? != 0;
        from.skip(6)?;
        let next_step = NextStep::read(from)?;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, found, misdealt, by_analogy, next_step, by, seal })
    }
}

impl Message for StubResult {
    const SUBJECT: SubjectId = subject(6277);
}

impl Sealed for StubResult {}

impl Event for StubResult {}

/// A task of the shuffler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Task {
    /// Nothing; never accepted.
    #[default]
    None = 0,
    /// Begin a cycle with the given purpose (SH-05).
    Start = 1,
    /// Stop; the cards count as not shuffled (SH-22).
    Abort = 2,
    /// Unlock and hand over the certified stack; needs a dealer's action (SH-33).
    Release = 3,
    /// Lock the certified batch away for an idle table; a Certificate says whether it may be dealt unspread (SH-25).
    Store = 4,
    /// Bring every card out; nothing is certified.
    Empty = 5,
    /// Continuous: a new round begins, the last may be mixed in (SH-21).
    NextRound = 6,
    /// Continuous: return the last round in its order (SH-21).
    GiveBack = 7,
    /// The shoe or round is over; in a game of rounds also one dealt from cards shuffled by hand (SH-09). The turn of a batch needs no DEALT (SH-17), its early release does (SH-28).
    Dealt = 8,
}

impl Task {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Start,
        Self::Abort,
        Self::Release,
        Self::Store,
        Self::Empty,
        Self::NextRound,
        Self::GiveBack,
        Self::Dealt,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Start,
            2 => Self::Abort,
            3 => Self::Release,
            4 => Self::Store,
            5 => Self::Empty,
            6 => Self::NextRound,
            7 => Self::GiveBack,
            8 => Self::Dealt,
            _ => return None,
        })
    }
}

impl Object for Task {
    const NAME: &'static str = "croupier.shuffler.Task.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}
