//! The namespace `croupier.paigow`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Decoded, Event, Malformed, Message, Object, Reader, Request, Response, Sealed, Writer, service,
    subject,
};
use crate::protocol::generated::croupier::common::{Answer, Role, Seal, Stamp};
use crate::protocol::generated::croupier::shuffler::{Batch, Certificate};
use crate::protocol::transfer::{ServiceId, SubjectId};

/// Tells the generator that the shuffle is complete, then that bets are closed. Only then does a press draw (PG-10).
///
/// Asked by: dealer or controller. No request draws a number: that takes the dealer's press.
/// Where House says CERTIFICATE, SHUFFLE_COMPLETE is answered NOT_CERTIFIED: see Shuffled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmRequest {
    /// The round, counted by the controller.
    pub round: u16,
    /// What has happened. BETS_CLOSED counts only after SHUFFLE_COMPLETE of the same round.
    pub signal: Signal,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for ArmRequest {
    const NAME: &'static str = "croupier.paigow.Arm.1.0.Request";
    const LONGEST: usize = 28;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        self.signal.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let round = from.take(16)? as u16;
        let signal = Signal::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { round, signal, seal })
    }
}

impl Request for ArmRequest {
    const SERVICE: ServiceId = service(352);
    type Response = ArmResponse;
}

impl Sealed for ArmRequest {}

/// Noted, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ArmResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Both have happened: a press will draw.
    pub armed: bool,
    /// By the generator.
    pub seal: Seal,
}

impl Object for ArmResponse {
    const NAME: &'static str = "croupier.paigow.Arm.1.0.Response";
    const LONGEST: usize = 36;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.armed.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let armed = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, armed, seal })
    }
}

impl Response for ArmResponse {}

impl Sealed for ArmResponse {}

/// Why no number is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum BlankReason {
    /// The round is over.
    RoundEnded = 1,
    /// The generator does not trust itself: use the shaker (PG-16).
    Fault = 2,
    /// The segments are tested, in a pattern that is no digit (PG-20).
    LampTest = 3,
}

impl BlankReason {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::RoundEnded, Self::Fault, Self::LampTest];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::RoundEnded,
            2 => Self::Fault,
            3 => Self::LampTest,
            _ => return None,
        })
    }
}

impl Object for BlankReason {
    const NAME: &'static str = "croupier.paigow.BlankReason.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The display is blank: no number stands (PG-10, PG-16).
///
/// Sent by: the generator, at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Blanked {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round whose number, if any, was taken down.
    pub round: u16,
    /// Why.
    pub reason: BlankReason,
    /// By the generator.
    pub seal: Seal,
}

impl Object for Blanked {
    const NAME: &'static str = "croupier.paigow.Blanked.1.0";
    const LONGEST: usize = 37;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.reason.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let reason = BlankReason::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, round, reason, seal })
    }
}

impl Message for Blanked {
    const SUBJECT: SubjectId = subject(6337);
}

impl Sealed for Blanked {}

impl Event for Blanked {}

/// Which way round the table, seen from above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Direction {
    /// None.
    #[default]
    None = 0,
    /// Clockwise.
    Clockwise = 1,
    /// Counter-clockwise.
    CounterClockwise = 2,
}

impl Direction {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::None, Self::Clockwise, Self::CounterClockwise];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Clockwise,
            2 => Self::CounterClockwise,
            _ => return None,
        })
    }
}

impl Object for Direction {
    const NAME: &'static str = "croupier.paigow.Direction.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Sets what the house decides about this generator, or asks for it. Kept through power loss.
///
/// Asked by: floorperson, and refused with IN_ROUND while a round is in play; with UNSAID any role may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HouseRequest {
    /// How 'shuffled' is known from now on; UNSAID: nothing is set.
    pub shuffled_by: ShuffledBy,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for HouseRequest {
    const NAME: &'static str = "croupier.paigow.House.1.0.Request";
    const LONGEST: usize = 26;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.shuffled_by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let shuffled_by = ShuffledBy::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { shuffled_by, seal })
    }
}

impl Request for HouseRequest {
    const SERVICE: ServiceId = service(356);
    type Response = HouseResponse;
}

impl Sealed for HouseRequest {}

/// What is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HouseResponse {
    /// What became of the request.
    pub answer: Answer,
    /// How 'shuffled' is known; KEYS until the house sets it.
    pub shuffled_by: ShuffledBy,
    /// By the generator.
    pub seal: Seal,
}

impl Object for HouseResponse {
    const NAME: &'static str = "croupier.paigow.House.1.0.Response";
    const LONGEST: usize = 36;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.shuffled_by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let shuffled_by = ShuffledBy::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, shuffled_by, seal })
    }
}

impl Response for HouseResponse {}

impl Sealed for HouseResponse {}

/// A floorperson set what the house decides about this generator (CM-07).
///
/// Sent by: the generator, when House set something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct HouseChanged {
    /// Which event, and when.
    pub stamp: Stamp,
    /// How 'shuffled' is known from now on.
    pub shuffled_by: ShuffledBy,
    /// By the generator.
    pub seal: Seal,
}

impl Object for HouseChanged {
    const NAME: &'static str = "croupier.paigow.HouseChanged.1.0";
    const LONGEST: usize = 35;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.shuffled_by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let shuffled_by = ShuffledBy::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, shuffled_by, seal })
    }
}

impl Message for HouseChanged {
    const SUBJECT: SubjectId = subject(6339);
}

impl Sealed for HouseChanged {}

impl Event for HouseChanged {}

/// The starting position of the round, as the display shows it (PG-01, PG-09). Fixed before it is shown.
///
/// Sent by: the generator, once for each round; after power loss in the round the same number again (PG-17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Number {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round, as the arming named it.
    pub round: u16,
    /// 1 is the dealer; 2 and up are the betting positions, empty ones too, in the direction `counted` (PG-12).
    pub number: u8,
    /// How many there are: 7 in 588. All equally likely (PG-03).
    pub positions: u8,
    /// Which way positions are counted from the dealer.
    pub counted: Direction,
    /// Which way the stacks then go.
    pub dealt: Direction,
    /// By the generator.
    pub seal: Seal,
}

impl Object for Number {
    const NAME: &'static str = "croupier.paigow.Number.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        to.put(self.number.into(), 8)?;
        to.put(self.positions.into(), 8)?;
        self.counted.write(to)?;
        self.dealt.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let number = from.take(8)? as u8;
        let positions = from.take(8)? as u8;
        let counted = Direction::read(from)?;
        let dealt = Direction::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, round, number, positions, counted, dealt, seal })
    }
}

impl Message for Number {
    const SUBJECT: SubjectId = subject(6336);
}

impl Sealed for Number {}

impl Event for Number {}

/// Asks for a number drawn before, one of the last hundred, for a dispute (PG-15).
///
/// Asked by: floorperson, service or controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecallRequest {
    /// 0 for the last number, 1 for the one before it, and so on to 99.
    pub back: u8,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for RecallRequest {
    const NAME: &'static str = "croupier.paigow.Recall.1.0.Request";
    const LONGEST: usize = 26;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.back.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let back = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Ok(Self { back, seal })
    }
}

impl Request for RecallRequest {
    const SERVICE: ServiceId = service(354);
    type Response = RecallResponse;
}

impl Sealed for RecallRequest {}

/// The number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RecallResponse {
    /// What became of the request; NOT_FOUND if fewer are kept.
    pub answer: Answer,
    /// Its round.
    pub round: u16,
    /// As shown.
    pub number: u8,
    /// Out of how many.
    pub positions: u8,
    /// When, in milliseconds of the day clock; 0 if the clock was not set.
    pub utc_ms: u64,
    /// The round has not ended: the number still stands.
    pub in_play: bool,
    /// By the generator.
    pub seal: Seal,
}

impl Object for RecallResponse {
    const NAME: &'static str = "croupier.paigow.Recall.1.0.Response";
    const LONGEST: usize = 48;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.round.into(), 16)?;
        to.put(self.number.into(), 8)?;
        to.put(self.positions.into(), 8)?;
        to.put(self.utc_ms, 64)?;
        to.put(self.in_play.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let round = from.take(16)? as u16;
        let number = from.take(8)? as u8;
        let positions = from.take(8)? as u8;
        let utc_ms = from.take(64)?;
        let in_play = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, round, number, positions, utc_ms, in_play, seal })
    }
}

impl Response for RecallResponse {}

impl Sealed for RecallResponse {}

/// The round is over: blank the display and await the next one. The number is needed until the first stack is delivered at
/// least (PG-14), and a deal takes 30 seconds at least: sooner after a draw it is refused and published (PG-11).
///
/// Asked by: dealer or controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundEndRequest {
    /// The round that ended.
    pub round: u16,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for RoundEndRequest {
    const NAME: &'static str = "croupier.paigow.RoundEnd.1.0.Request";
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
    const SERVICE: ServiceId = service(353);
    type Response = RoundEndResponse;
}

impl Sealed for RoundEndRequest {}

/// Ended, or why not. With STORE_FAILED the display is dark all the same, and the generator is out of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RoundEndResponse {
    /// What became of the request.
    pub answer: Answer,
    /// By the generator.
    pub seal: Seal,
}

impl Object for RoundEndResponse {
    const NAME: &'static str = "croupier.paigow.RoundEnd.1.0.Response";
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

/// Forwards a certificate of the shuffler, as it was on the bus. RELEASED for the profile's number of cards says that the deck
/// in play is shuffled, and opens the bets of the round; REVOKED takes that back until the draw. Anything else is answered
/// NOT_CERTIFIED and published. Only where House says CERTIFICATE (PG-10).
///
/// Asked by: controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ShuffledRequest {
    /// The round, counted by the controller.
    pub round: u16,
    /// The shuffler's node number: its seal covers it.
    pub node: u8,
    /// The event, every byte as it was, its seal too. It is taken once, and none older than it.
    pub certificate: Certificate,
    /// By the controller.
    pub seal: Seal,
}

impl Object for ShuffledRequest {
    const NAME: &'static str = "croupier.paigow.Shuffled.1.0.Request";
    const LONGEST: usize = 68;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.round.into(), 16)?;
        to.put(self.node.into(), 8)?;
        self.certificate.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let round = from.take(16)? as u16;
        let node = from.take(8)? as u8;
        let certificate = Certificate::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { round, node, certificate, seal })
    }
}

impl Request for ShuffledRequest {
    const SERVICE: ServiceId = service(355);
    type Response = ShuffledResponse;
}

impl Sealed for ShuffledRequest {}

/// Taken, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ShuffledResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Bets are open in this round: after BETS_CLOSED a press will draw.
    pub open: bool,
    /// By the generator.
    pub seal: Seal,
}

impl Object for ShuffledResponse {
    const NAME: &'static str = "croupier.paigow.Shuffled.1.0.Response";
    const LONGEST: usize = 36;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.open.into(), 1)?;
        to.put(0, 7)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let open = from.take(1)? != 0;
        from.skip(7)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, open, seal })
    }
}

impl Response for ShuffledResponse {}

impl Sealed for ShuffledResponse {}

/// How the generator knows that the cards of a round are shuffled (PG-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum ShuffledBy {
    /// Only ask what is in force.
    #[default]
    Unsaid = 0,
    /// The dealer's key or a signal says so: a table without a shuffler on the bus.
    Keys = 1,
    /// The shuffler's sealed certificate says so. The key SHUFFLED and the plain signal are refused.
    Certificate = 2,
}

impl ShuffledBy {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::Unsaid, Self::Keys, Self::Certificate];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unsaid,
            1 => Self::Keys,
            2 => Self::Certificate,
            _ => return None,
        })
    }
}

impl Object for ShuffledBy {
    const NAME: &'static str = "croupier.paigow.ShuffledBy.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// What has happened at the table before a number may be drawn (PG-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Signal {
    /// Nothing; never accepted.
    #[default]
    None = 0,
    /// The cards are shuffled.
    ShuffleComplete = 1,
    /// No more bets.
    BetsClosed = 2,
}

impl Signal {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::None, Self::ShuffleComplete, Self::BetsClosed];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::ShuffleComplete,
            2 => Self::BetsClosed,
            _ => return None,
        })
    }
}

impl Object for Signal {
    const NAME: &'static str = "croupier.paigow.Signal.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// How the generator knows of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Source {
    /// Not said: never published.
    #[default]
    None = 0,
    /// By a key on the generator.
    Key = 1,
    /// By a sealed request.
    Signal = 2,
    /// By a certificate that the shuffler sealed.
    Certificate = 3,
}

impl Source {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::None, Self::Key, Self::Signal, Self::Certificate];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Key,
            2 => Self::Signal,
            3 => Self::Certificate,
            _ => return None,
        })
    }
}

impl Object for Source {
    const NAME: &'static str = "croupier.paigow.Source.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// A step of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Step {
    /// None: never published.
    #[default]
    None = 0,
    /// The cards are shuffled: bets are open.
    Shuffled = 1,
    /// No more bets: a press will draw.
    BetsClosed = 2,
    /// The round is over, with a number or without.
    RoundEnded = 3,
    /// The shuffler took its certificate back before the draw: the round is not armed any more.
    Revoked = 4,
}

impl Step {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::None, Self::Shuffled, Self::BetsClosed, Self::RoundEnded, Self::Revoked];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Shuffled,
            2 => Self::BetsClosed,
            3 => Self::RoundEnded,
            4 => Self::Revoked,
            _ => return None,
        })
    }
}

impl Object for Step {
    const NAME: &'static str = "croupier.paigow.Step.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The round came one step on (PG-10), and who said so: what people and the controller say is on the record with its time.
///
/// Sent by: the generator, at each step that changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stepped {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The round.
    pub round: u16,
    /// What happened.
    pub step: Step,
    /// How the generator knows.
    pub source: Source,
    /// Whose authority it was; DEALER for a key.
    pub by: Role,
    /// With CERTIFICATE, the batch that it names; otherwise NONE.
    pub batch: Batch,
    /// By the generator.
    pub seal: Seal,
}

impl Object for Stepped {
    const NAME: &'static str = "croupier.paigow.Stepped.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        to.put(self.round.into(), 16)?;
        self.step.write(to)?;
        self.source.write(to)?;
        self.by.write(to)?;
        self.batch.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let round = from.take(16)? as u16;
        let step = Step::read(from)?;
        let source = Source::read(from)?;
        let by = Role::read(from)?;
        let batch = Batch::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, round, step, source, by, batch, seal })
    }
}

impl Message for Stepped {
    const SUBJECT: SubjectId = subject(6338);
}

impl Sealed for Stepped {}

impl Event for Stepped {}
