//! The namespace `croupier.common`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{
    Decoded, Event, Malformed, Message, Object, Reader, Request, Response, Sealed, Writer,
    read_list, service, subject,
};
use crate::protocol::transfer::{ServiceId, SubjectId};

/// What the device is doing, as far as the table may know. It never depends on a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Activity {
    /// Between rounds.
    #[default]
    Idle = 0,
    /// Reader: knows the up-card. Pai Gow: shuffle complete and bets closed.
    Armed = 1,
    /// Pai Gow: shuffle complete, bets still open.
    WaitingBets = 2,
    /// Reader: a card is home, the answer is due.
    Reading = 3,
    /// Reader: an answer is shown. Pai Gow: a number is shown.
    Answered = 4,
    /// Shuffler: cards go in.
    Feeding = 5,
    /// Shuffler: cards move inside.
    Shuffling = 6,
    /// Shuffler: cards come out.
    Delivering = 7,
    /// Shuffler: counting only.
    Counting = 8,
    /// Shuffler: a certified batch waits.
    Ready = 9,
    /// Shuffler: a certified batch is locked away (SH-25).
    Stored = 10,
    /// Shuffler: continuous operation.
    Circulating = 11,
    /// Stopped until the next step of the Irregularity is done.
    WaitingPeople = 12,
}

impl Activity {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 13] = [
        Self::Idle,
        Self::Armed,
        Self::WaitingBets,
        Self::Reading,
        Self::Answered,
        Self::Feeding,
        Self::Shuffling,
        Self::Delivering,
        Self::Counting,
        Self::Ready,
        Self::Stored,
        Self::Circulating,
        Self::WaitingPeople,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Idle,
            1 => Self::Armed,
            2 => Self::WaitingBets,
            3 => Self::Reading,
            4 => Self::Answered,
            5 => Self::Feeding,
            6 => Self::Shuffling,
            7 => Self::Delivering,
            8 => Self::Counting,
            9 => Self::Ready,
            10 => Self::Stored,
            11 => Self::Circulating,
            12 => Self::WaitingPeople,
            _ => return None,
        })
    }
}

impl Object for Activity {
    const NAME: &'static str = "croupier.common.Activity.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The result of a request, and which request it was. The first 10 bytes of every response.
///
/// A request with a bad seal gets no answer at all. Where `result` is not ACCEPTED, nothing was
/// done, and what follows is zero up to the seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Answer {
    /// The sequence in the request's seal. An old answer can thus never pass for a new one.
    pub request: u64,
    /// What became of it.
    pub result: Result,
    /// With OUT_OF_RANGE, which field of the request holds that value, counted from 1; 0 if that is not known.
    pub field: u8,
}

impl Object for Answer {
    const NAME: &'static str = "croupier.common.Answer.1.0";
    const LONGEST: usize = 10;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.request, 64)?;
        self.result.write(to)?;
        to.put(self.field.into(), 8)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let request = from.take(64)?;
        let result = Result::read(from)?;
        let field = from.take(8)? as u8;
        Ok(Self { request, result, field })
    }
}

/// Has the device prove which image it runs (CM-02, CM-03). The device does not know the right answer.
///
/// Asked by: any role with a key. Answered BUSY until the image has been measured with this nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AttestationRequest {
    /// Chosen by the asker, a new one each time.
    pub nonce: [u8; 32],
    /// By any role.
    pub seal: Seal,
}

impl Object for AttestationRequest {
    const NAME: &'static str = "croupier.common.Attestation.1.0.Request";
    const LONGEST: usize = 57;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put_bytes(&self.nonce)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let nonce = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Ok(Self { nonce, seal })
    }
}

impl Request for AttestationRequest {
    const SERVICE: ServiceId = service(262);
    type Response = AttestationResponse;
}

impl Sealed for AttestationRequest {}

/// The measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct AttestationResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Bytes measured, from the start of the image.
    pub image_length: u32,
    /// SHA-256 of the nonce followed by the image.
    pub digest: [u8; 32],
    /// By the device.
    pub seal: Seal,
}

impl Object for AttestationResponse {
    const NAME: &'static str = "croupier.common.Attestation.1.0.Response";
    const LONGEST: usize = 71;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.image_length.into(), 32)?;
        to.put_bytes(&self.digest)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let image_length = from.take(32)? as u32;
        let digest = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, image_length, digest, seal })
    }
}

impl Response for AttestationResponse {}

impl Sealed for AttestationResponse {}

/// What the inspector does in the gaming-day check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CheckAction {
    /// Only ask how far it is.
    #[default]
    Look = 0,
    /// Begin; the device is out of service until the end.
    Begin = 1,
    /// The inspector saw what the step asks to be seen.
    Confirm = 2,
    /// The inspector did not see it.
    Deny = 3,
    /// Break off; the device stays not inspected.
    Leave = 4,
}

impl CheckAction {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] = [Self::Look, Self::Begin, Self::Confirm, Self::Deny, Self::Leave];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Look,
            1 => Self::Begin,
            2 => Self::Confirm,
            3 => Self::Deny,
            4 => Self::Leave,
            _ => return None,
        })
    }
}

impl Object for CheckAction {
    const NAME: &'static str = "croupier.common.CheckAction.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// What a step of the gaming-day check asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CheckStep {
    /// Nothing: no check is going on.
    #[default]
    None = 0,
    /// Compare the housing's seal with its number and look for tampering.
    SeeSeal = 1,
    /// One lamp or segment is lit: confirm that it alone is.
    SeeLamp = 2,
    /// Press the key; the device itself decides.
    PressKey = 3,
    /// Insert the test card with this number in the set; the device itself decides.
    InsertCard = 4,
    /// Compare the game's name on the display with the table's.
    SeeName = 5,
    /// Compare the time shown.
    SeeClock = 6,
    /// Compare the image hash shown with the approval file (CM-03).
    SeeImage = 7,
    /// Feed the counted test deck; the device itself decides.
    CountCards = 8,
    /// Open and close the door or lid; the device itself decides.
    OpenClose = 9,
    /// The device tests itself: wait.
    SelfTest = 10,
}

impl CheckStep {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 11] = [
        Self::None,
        Self::SeeSeal,
        Self::SeeLamp,
        Self::PressKey,
        Self::InsertCard,
        Self::SeeName,
        Self::SeeClock,
        Self::SeeImage,
        Self::CountCards,
        Self::OpenClose,
        Self::SelfTest,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::SeeSeal,
            2 => Self::SeeLamp,
            3 => Self::PressKey,
            4 => Self::InsertCard,
            5 => Self::SeeName,
            6 => Self::SeeClock,
            7 => Self::SeeImage,
            8 => Self::CountCards,
            9 => Self::OpenClose,
            10 => Self::SelfTest,
            _ => return None,
        })
    }
}

impl Object for CheckStep {
    const NAME: &'static str = "croupier.common.CheckStep.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// How a step of a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum CheckVerdict {
    /// Not decided yet.
    #[default]
    Open = 0,
    /// As it should be.
    Passed = 1,
    /// Not as it should be.
    Failed = 2,
    /// The check was broken off.
    Left = 3,
}

impl CheckVerdict {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Open, Self::Passed, Self::Failed, Self::Left];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Open,
            1 => Self::Passed,
            2 => Self::Failed,
            3 => Self::Left,
            _ => return None,
        })
    }
}

impl Object for CheckVerdict {
    const NAME: &'static str = "croupier.common.CheckVerdict.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The clause that an irregularity rests on, or the one that it follows by analogy.
///
/// A name is the clause: PA_581_13_J is 58 Pa. Code 581.13(j), BY_ANALOGY_PA_583_5_B is for what no clause of the
/// game foresees and is done as 583.5(b) does it. The one that counts is that of the game in force; without a
/// game, in South Dakota, whose rule names no device, and for what is the device's own rule there is none.
/// A device says which clause bears on what happened; what to do is NextStep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Clause {
    /// No clause: the device's own rule.
    #[default]
    None = 0,
    /// Pa. 581.1.
    Pa5811 = 1,
    /// Pa. 581.2(d).
    Pa5812D = 2,
    /// Pa. 581.3(a).
    Pa5813A = 3,
    /// Pa. 581.3(b)(1).
    Pa5813B1 = 4,
    /// Pa. 581.3(b)(4).
    Pa5813B4 = 5,
    /// Pa. 581.3(b)(5).
    Pa5813B5 = 6,
    /// Pa. 581.3(c).
    Pa5813C = 7,
    /// Pa. 581.5(a).
    Pa5815A = 8,
    /// Pa. 581.5(g).
    Pa5815G = 9,
    /// Pa. 581.7(g).
    Pa5817G = 10,
    /// Pa. 581.13(e).
    Pa58113E = 11,
    /// Pa. 581.13(h).
    Pa58113H = 12,
    /// Pa. 581.13(i).
    Pa58113I = 13,
    /// Pa. 581.13(j).
    Pa58113J = 14,
    /// Pa. 581.13(k).
    Pa58113K = 15,
    /// Pa. 583.3(a).
    Pa5833A = 16,
    /// Pa. 583.3(b).
    Pa5833B = 17,
    /// Pa. 583.3(b)(3).
    Pa5833B3 = 18,
    /// Pa. 583.3(b)(4).
    Pa5833B4 = 19,
    /// Pa. 583.3(c).
    Pa5833C = 20,
    /// Pa. 583.5(a).
    Pa5835A = 21,
    /// Pa. 583.5(b).
    Pa5835B = 22,
    /// Pa. 583.5(f).
    Pa5835F = 23,
    /// Pa. 583.8(e).
    Pa5838E = 24,
    /// Pa. 583.8(g).
    Pa5838G = 25,
    /// Pa. 583.9(e).
    Pa5839E = 26,
    /// Pa. 583.9(g).
    Pa5839G = 27,
    /// Pa. 583.10(d).
    Pa58310D = 28,
    /// Pa. 583.10(f).
    Pa58310F = 29,
    /// Pa. 583.13(d).
    Pa58313D = 30,
    /// Pa. 583.13(f).
    Pa58313F = 31,
    /// Pa. 587.3(a).
    Pa5873A = 32,
    /// Pa. 587.3(b).
    Pa5873B = 33,
    /// Pa. 587.3(b)(3).
    Pa5873B3 = 34,
    /// Pa. 587.3(b)(4).
    Pa5873B4 = 35,
    /// Pa. 587.3(c).
    Pa5873C = 36,
    /// Pa. 587.5(a).
    Pa5875A = 37,
    /// Pa. 587.5(b).
    Pa5875B = 38,
    /// Pa. 587.5(f).
    Pa5875F = 39,
    /// Pa. 587.8(f).
    Pa5878F = 40,
    /// Pa. 587.8(h).
    Pa5878H = 41,
    /// Pa. 587.9(d).
    Pa5879D = 42,
    /// Pa. 587.9(f).
    Pa5879F = 43,
    /// Pa. 587.10(d).
    Pa58710D = 44,
    /// Pa. 587.10(f).
    Pa58710F = 45,
    /// Pa. 587.13(e).
    Pa58713E = 46,
    /// Pa. 587.13(g).
    Pa58713G = 47,
    /// Pa. 588.2(a).
    Pa5882A = 48,
    /// Pa. 588.2(d)(1).
    Pa5882D1 = 49,
    /// Pa. 588.3(a).
    Pa5883A = 50,
    /// Pa. 588.3(b).
    Pa5883B = 51,
    /// Pa. 588.3(b)(3).
    Pa5883B3 = 52,
    /// Pa. 588.3(b)(4).
    Pa5883B4 = 53,
    /// Pa. 588.3(c).
    Pa5883C = 54,
    /// Pa. 588.5(a).
    Pa5885A = 55,
    /// Pa. 588.5(b)(1).
    Pa5885B1 = 56,
    /// Pa. 588.5(g)(2).
    Pa5885G2 = 57,
    /// Pa. 588.5(i)(2).
    Pa5885I2 = 58,
    /// Pa. 588.8(e).
    Pa5888E = 59,
    /// Pa. 588.8(f).
    Pa5888F = 60,
    /// Pa. 588.9(d).
    Pa5889D = 61,
    /// Pa. 588.9(e).
    Pa5889E = 62,
    /// Pa. 588.10(d).
    Pa58810D = 63,
    /// Pa. 588.10(e).
    Pa58810E = 64,
    /// Pa. 588.13(l).
    Pa58813L = 65,
    /// Pa. 588.13(n).
    Pa58813N = 66,
    /// Pa. 589.3(a).
    Pa5893A = 67,
    /// Pa. 589.3(b).
    Pa5893B = 68,
    /// Pa. 589.3(b)(3).
    Pa5893B3 = 69,
    /// Pa. 589.3(b)(4).
    Pa5893B4 = 70,
    /// Pa. 589.3(c).
    Pa5893C = 71,
    /// Pa. 589.5(a).
    Pa5895A = 72,
    /// Pa. 589.5(b).
    Pa5895B = 73,
    /// Pa. 589.5(f).
    Pa5895F = 74,
    /// Pa. 589.11(g).
    Pa58911G = 75,
    /// Pa. 589.11(g)(2).
    Pa58911G2 = 76,
    /// Pa. 589.13(e).
    Pa58913E = 77,
    /// Pa. 589.13(g).
    Pa58913G = 78,
    /// Pa. 590.1.
    Pa5901 = 79,
    /// Pa. 590.2(d).
    Pa5902D = 80,
    /// Pa. 590.3(a).
    Pa5903A = 81,
    /// Pa. 590.3(b)(1).
    Pa5903B1 = 82,
    /// Pa. 590.3(b)(4).
    Pa5903B4 = 83,
    /// Pa. 590.3(b)(5).
    Pa5903B5 = 84,
    /// Pa. 590.3(c).
    Pa5903C = 85,
    /// Pa. 590.3(d).
    Pa5903D = 86,
    /// Pa. 590.5(a).
    Pa5905A = 87,
    /// Pa. 590.5(g)(2).
    Pa5905G2 = 88,
    /// Pa. 590.7(g).
    Pa5907G = 89,
    /// Pa. 590.13(f).
    Pa59013F = 90,
    /// Pa. 590.13(i).
    Pa59013I = 91,
    /// Pa. 590.13(j).
    Pa59013J = 92,
    /// Pa. 590.13(k).
    Pa59013K = 93,
    /// Pa. 590.13(l).
    Pa59013L = 94,
    /// Pa. 591.1.
    Pa5911 = 95,
    /// Pa. 591.2(d).
    Pa5912D = 96,
    /// Pa. 591.3(a).
    Pa5913A = 97,
    /// Pa. 591.3(b)(1).
    Pa5913B1 = 98,
    /// Pa. 591.3(b)(4).
    Pa5913B4 = 99,
    /// Pa. 591.3(b)(5).
    Pa5913B5 = 100,
    /// Pa. 591.3(c).
    Pa5913C = 101,
    /// Pa. 591.3(d).
    Pa5913D = 102,
    /// Pa. 591.5(a).
    Pa5915A = 103,
    /// Pa. 591.5(g)(2).
    Pa5915G2 = 104,
    /// Pa. 591.7(h).
    Pa5917H = 105,
    /// Pa. 591.13(f).
    Pa59113F = 106,
    /// Pa. 591.13(i).
    Pa59113I = 107,
    /// Pa. 591.13(j).
    Pa59113J = 108,
    /// Pa. 591.13(k).
    Pa59113K = 109,
    /// Pa. 591.13(l).
    Pa59113L = 110,
    /// Pa. 592.3(a).
    Pa5923A = 111,
    /// Pa. 592.3(b).
    Pa5923B = 112,
    /// Pa. 592.3(b)(3).
    Pa5923B3 = 113,
    /// Pa. 592.3(b)(4).
    Pa5923B4 = 114,
    /// Pa. 592.3(c).
    Pa5923C = 115,
    /// Pa. 592.5(a).
    Pa5925A = 116,
    /// Pa. 592.5(b).
    Pa5925B = 117,
    /// Pa. 592.5(f).
    Pa5925F = 118,
    /// Pa. 592.8(f).
    Pa5928F = 119,
    /// Pa. 592.8(h).
    Pa5928H = 120,
    /// Pa. 592.9(d).
    Pa5929D = 121,
    /// Pa. 592.9(f).
    Pa5929F = 122,
    /// Pa. 592.10(d).
    Pa59210D = 123,
    /// Pa. 592.10(f).
    Pa59210F = 124,
    /// Pa. 592.13(e).
    Pa59213E = 125,
    /// Pa. 592.13(g).
    Pa59213G = 126,
    /// Pa. 672a.1.
    Pa672a1 = 127,
    /// Pa. 672a.2(d).
    Pa672a2D = 128,
    /// Pa. 672a.3(a).
    Pa672a3A = 129,
    /// Pa. 672a.3(b)(1).
    Pa672a3B1 = 130,
    /// Pa. 672a.3(b)(4).
    Pa672a3B4 = 131,
    /// Pa. 672a.3(b)(5).
    Pa672a3B5 = 132,
    /// Pa. 672a.3(c).
    Pa672a3C = 133,
    /// Pa. 672a.3(d).
    Pa672a3D = 134,
    /// Pa. 672a.5(a).
    Pa672a5A = 135,
    /// Pa. 672a.5(g)(2).
    Pa672a5G2 = 136,
    /// Pa. 672a.7(g).
    Pa672a7G = 137,
    /// Pa. 672a.12(f).
    Pa672a12F = 138,
    /// Pa. 672a.12(i).
    Pa672a12I = 139,
    /// Pa. 672a.12(j).
    Pa672a12J = 140,
    /// Pa. 672a.12(k).
    Pa672a12K = 141,
    /// Pa. 672a.12(l).
    Pa672a12L = 142,
    /// Pa. 685a.2(d).
    Pa685a2D = 143,
    /// Pa. 685a.3(a).
    Pa685a3A = 144,
    /// Pa. 685a.3(b)(1).
    Pa685a3B1 = 145,
    /// Pa. 685a.3(b)(4).
    Pa685a3B4 = 146,
    /// Pa. 685a.3(b)(5).
    Pa685a3B5 = 147,
    /// Pa. 685a.3(c).
    Pa685a3C = 148,
    /// Pa. 685a.5(a).
    Pa685a5A = 149,
    /// Pa. 685a.5(g).
    Pa685a5G = 150,
    /// Pa. 685a.7(h).
    Pa685a7H = 151,
    /// Pa. 685a.12(e).
    Pa685a12E = 152,
    /// Pa. 685a.12(h).
    Pa685a12H = 153,
    /// Pa. 685a.12(i).
    Pa685a12I = 154,
    /// Pa. 685a.12(j).
    Pa685a12J = 155,
    /// Pa. 685a.12(k).
    Pa685a12K = 156,
    /// By analogy with Pa. 583.5(b).
    ByAnalogyPa5835B = 157,
    /// By analogy with Pa. 583.8(g).
    ByAnalogyPa5838G = 158,
    /// By analogy with Pa. 581.13(a).
    ByAnalogyPa58113A = 159,
    /// By analogy with Pa. 583.13(a).
    ByAnalogyPa58313A = 160,
    /// By analogy with Pa. 587.13(a).
    ByAnalogyPa58713A = 161,
    /// By analogy with Pa. 588.13(f).
    ByAnalogyPa58813F = 162,
    /// By analogy with Pa. 589.13(a).
    ByAnalogyPa58913A = 163,
    /// By analogy with Pa. 590.13(a).
    ByAnalogyPa59013A = 164,
    /// By analogy with Pa. 591.13(a).
    ByAnalogyPa59113A = 165,
    /// By analogy with Pa. 592.13(a).
    ByAnalogyPa59213A = 166,
    /// By analogy with Pa. 672a.12(a).
    ByAnalogyPa672a12A = 167,
    /// By analogy with Pa. 685a.12(a).
    ByAnalogyPa685a12A = 168,
}

impl Clause {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 169] = [
        Self::None,
        Self::Pa5811,
        Self::Pa5812D,
        Self::Pa5813A,
        Self::Pa5813B1,
        Self::Pa5813B4,
        Self::Pa5813B5,
        Self::Pa5813C,
        Self::Pa5815A,
        Self::Pa5815G,
        Self::Pa5817G,
        Self::Pa58113E,
        Self::Pa58113H,
        Self::Pa58113I,
        Self::Pa58113J,
        Self::Pa58113K,
        Self::Pa5833A,
        Self::Pa5833B,
        Self::Pa5833B3,
        Self::Pa5833B4,
        Self::Pa5833C,
        Self::Pa5835A,
        Self::Pa5835B,
        Self::Pa5835F,
        Self::Pa5838E,
        Self::Pa5838G,
        Self::Pa5839E,
        Self::Pa5839G,
        Self::Pa58310D,
        Self::Pa58310F,
        Self::Pa58313D,
        Self::Pa58313F,
        Self::Pa5873A,
        Self::Pa5873B,
        Self::Pa5873B3,
        Self::Pa5873B4,
        Self::Pa5873C,
        Self::Pa5875A,
        Self::Pa5875B,
        Self::Pa5875F,
        Self::Pa5878F,
        Self::Pa5878H,
        Self::Pa5879D,
        Self::Pa5879F,
        Self::Pa58710D,
        Self::Pa58710F,
        Self::Pa58713E,
        Self::Pa58713G,
        Self::Pa5882A,
        Self::Pa5882D1,
        Self::Pa5883A,
        Self::Pa5883B,
        Self::Pa5883B3,
        Self::Pa5883B4,
        Self::Pa5883C,
        Self::Pa5885A,
        Self::Pa5885B1,
        Self::Pa5885G2,
        Self::Pa5885I2,
        Self::Pa5888E,
        Self::Pa5888F,
        Self::Pa5889D,
        Self::Pa5889E,
        Self::Pa58810D,
        Self::Pa58810E,
        Self::Pa58813L,
        Self::Pa58813N,
        Self::Pa5893A,
        Self::Pa5893B,
        Self::Pa5893B3,
        Self::Pa5893B4,
        Self::Pa5893C,
        Self::Pa5895A,
        Self::Pa5895B,
        Self::Pa5895F,
        Self::Pa58911G,
        Self::Pa58911G2,
        Self::Pa58913E,
        Self::Pa58913G,
        Self::Pa5901,
        Self::Pa5902D,
        Self::Pa5903A,
        Self::Pa5903B1,
        Self::Pa5903B4,
        Self::Pa5903B5,
        Self::Pa5903C,
        Self::Pa5903D,
        Self::Pa5905A,
        Self::Pa5905G2,
        Self::Pa5907G,
        Self::Pa59013F,
        Self::Pa59013I,
        Self::Pa59013J,
        Self::Pa59013K,
        Self::Pa59013L,
        Self::Pa5911,
        Self::Pa5912D,
        Self::Pa5913A,
        Self::Pa5913B1,
        Self::Pa5913B4,
        Self::Pa5913B5,
        Self::Pa5913C,
        Self::Pa5913D,
        Self::Pa5915A,
        Self::Pa5915G2,
        Self::Pa5917H,
        Self::Pa59113F,
        Self::Pa59113I,
        Self::Pa59113J,
        Self::Pa59113K,
        Self::Pa59113L,
        Self::Pa5923A,
        Self::Pa5923B,
        Self::Pa5923B3,
        Self::Pa5923B4,
        Self::Pa5923C,
        Self::Pa5925A,
        Self::Pa5925B,
        Self::Pa5925F,
        Self::Pa5928F,
        Self::Pa5928H,
        Self::Pa5929D,
        Self::Pa5929F,
        Self::Pa59210D,
        Self::Pa59210F,
        Self::Pa59213E,
        Self::Pa59213G,
        Self::Pa672a1,
        Self::Pa672a2D,
        Self::Pa672a3A,
        Self::Pa672a3B1,
        Self::Pa672a3B4,
        Self::Pa672a3B5,
        Self::Pa672a3C,
        Self::Pa672a3D,
        Self::Pa672a5A,
        Self::Pa672a5G2,
        Self::Pa672a7G,
        Self::Pa672a12F,
        Self::Pa672a12I,
        Self::Pa672a12J,
        Self::Pa672a12K,
        Self::Pa672a12L,
        Self::Pa685a2D,
        Self::Pa685a3A,
        Self::Pa685a3B1,
        Self::Pa685a3B4,
        Self::Pa685a3B5,
        Self::Pa685a3C,
        Self::Pa685a5A,
        Self::Pa685a5G,
        Self::Pa685a7H,
        Self::Pa685a12E,
        Self::Pa685a12H,
        Self::Pa685a12I,
        Self::Pa685a12J,
        Self::Pa685a12K,
        Self::ByAnalogyPa5835B,
        Self::ByAnalogyPa5838G,
        Self::ByAnalogyPa58113A,
        Self::ByAnalogyPa58313A,
        Self::ByAnalogyPa58713A,
        Self::ByAnalogyPa58813F,
        Self::ByAnalogyPa58913A,
        Self::ByAnalogyPa59013A,
        Self::ByAnalogyPa59113A,
        Self::ByAnalogyPa59213A,
        Self::ByAnalogyPa672a12A,
        Self::ByAnalogyPa685a12A,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Pa5811,
            2 => Self::Pa5812D,
            3 => Self::Pa5813A,
            4 => Self::Pa5813B1,
            5 => Self::Pa5813B4,
            6 => Self::Pa5813B5,
            7 => Self::Pa5813C,
            8 => Self::Pa5815A,
            9 => Self::Pa5815G,
            10 => Self::Pa5817G,
            11 => Self::Pa58113E,
            12 => Self::Pa58113H,
            13 => Self::Pa58113I,
            14 => Self::Pa58113J,
            15 => Self::Pa58113K,
            16 => Self::Pa5833A,
            17 => Self::Pa5833B,
            18 => Self::Pa5833B3,
            19 => Self::Pa5833B4,
            20 => Self::Pa5833C,
            21 => Self::Pa5835A,
            22 => Self::Pa5835B,
            23 => Self::Pa5835F,
            24 => Self::Pa5838E,
            25 => Self::Pa5838G,
            26 => Self::Pa5839E,
            27 => Self::Pa5839G,
            28 => Self::Pa58310D,
            29 => Self::Pa58310F,
            30 => Self::Pa58313D,
            31 => Self::Pa58313F,
            32 => Self::Pa5873A,
            33 => Self::Pa5873B,
            34 => Self::Pa5873B3,
            35 => Self::Pa5873B4,
            36 => Self::Pa5873C,
            37 => Self::Pa5875A,
            38 => Self::Pa5875B,
            39 => Self::Pa5875F,
            40 => Self::Pa5878F,
            41 => Self::Pa5878H,
            42 => Self::Pa5879D,
            43 => Self::Pa5879F,
            44 => Self::Pa58710D,
            45 => Self::Pa58710F,
            46 => Self::Pa58713E,
            47 => Self::Pa58713G,
            48 => Self::Pa5882A,
            49 => Self::Pa5882D1,
            50 => Self::Pa5883A,
            51 => Self::Pa5883B,
            52 => Self::Pa5883B3,
            53 => Self::Pa5883B4,
            54 => Self::Pa5883C,
            55 => Self::Pa5885A,
            56 => Self::Pa5885B1,
            57 => Self::Pa5885G2,
            58 => Self::Pa5885I2,
            59 => Self::Pa5888E,
            60 => Self::Pa5888F,
            61 => Self::Pa5889D,
            62 => Self::Pa5889E,
            63 => Self::Pa58810D,
            64 => Self::Pa58810E,
            65 => Self::Pa58813L,
            66 => Self::Pa58813N,
            67 => Self::Pa5893A,
            68 => Self::Pa5893B,
            69 => Self::Pa5893B3,
            70 => Self::Pa5893B4,
            71 => Self::Pa5893C,
            72 => Self::Pa5895A,
            73 => Self::Pa5895B,
            74 => Self::Pa5895F,
            75 => Self::Pa58911G,
            76 => Self::Pa58911G2,
            77 => Self::Pa58913E,
            78 => Self::Pa58913G,
            79 => Self::Pa5901,
            80 => Self::Pa5902D,
            81 => Self::Pa5903A,
            82 => Self::Pa5903B1,
            83 => Self::Pa5903B4,
            84 => Self::Pa5903B5,
            85 => Self::Pa5903C,
            86 => Self::Pa5903D,
            87 => Self::Pa5905A,
            88 => Self::Pa5905G2,
            89 => Self::Pa5907G,
            90 => Self::Pa59013F,
            91 => Self::Pa59013I,
            92 => Self::Pa59013J,
            93 => Self::Pa59013K,
            94 => Self::Pa59013L,
            95 => Self::Pa5911,
            96 => Self::Pa5912D,
            97 => Self::Pa5913A,
            98 => Self::Pa5913B1,
            99 => Self::Pa5913B4,
            100 => Self::Pa5913B5,
            101 => Self::Pa5913C,
            102 => Self::Pa5913D,
            103 => Self::Pa5915A,
            104 => Self::Pa5915G2,
            105 => Self::Pa5917H,
            106 => Self::Pa59113F,
            107 => Self::Pa59113I,
            108 => Self::Pa59113J,
            109 => Self::Pa59113K,
            110 => Self::Pa59113L,
            111 => Self::Pa5923A,
            112 => Self::Pa5923B,
            113 => Self::Pa5923B3,
            114 => Self::Pa5923B4,
            115 => Self::Pa5923C,
            116 => Self::Pa5925A,
            117 => Self::Pa5925B,
            118 => Self::Pa5925F,
            119 => Self::Pa5928F,
            120 => Self::Pa5928H,
            121 => Self::Pa5929D,
            122 => Self::Pa5929F,
            123 => Self::Pa59210D,
            124 => Self::Pa59210F,
            125 => Self::Pa59213E,
            126 => Self::Pa59213G,
            127 => Self::Pa672a1,
            128 => Self::Pa672a2D,
            129 => Self::Pa672a3A,
            130 => Self::Pa672a3B1,
            131 => Self::Pa672a3B4,
            132 => Self::Pa672a3B5,
            133 => Self::Pa672a3C,
            134 => Self::Pa672a3D,
            135 => Self::Pa672a5A,
            136 => Self::Pa672a5G2,
            137 => Self::Pa672a7G,
            138 => Self::Pa672a12F,
            139 => Self::Pa672a12I,
            140 => Self::Pa672a12J,
            141 => Self::Pa672a12K,
            142 => Self::Pa672a12L,
            143 => Self::Pa685a2D,
            144 => Self::Pa685a3A,
            145 => Self::Pa685a3B1,
            146 => Self::Pa685a3B4,
            147 => Self::Pa685a3B5,
            148 => Self::Pa685a3C,
            149 => Self::Pa685a5A,
            150 => Self::Pa685a5G,
            151 => Self::Pa685a7H,
            152 => Self::Pa685a12E,
            153 => Self::Pa685a12H,
            154 => Self::Pa685a12I,
            155 => Self::Pa685a12J,
            156 => Self::Pa685a12K,
            157 => Self::ByAnalogyPa5835B,
            158 => Self::ByAnalogyPa5838G,
            159 => Self::ByAnalogyPa58113A,
            160 => Self::ByAnalogyPa58313A,
            161 => Self::ByAnalogyPa58713A,
            162 => Self::ByAnalogyPa58813F,
            163 => Self::ByAnalogyPa58913A,
            164 => Self::ByAnalogyPa59013A,
            165 => Self::ByAnalogyPa59113A,
            166 => Self::ByAnalogyPa59213A,
            167 => Self::ByAnalogyPa672a12A,
            168 => Self::ByAnalogyPa685a12A,
            _ => return None,
        })
    }
}

impl Object for Clause {
    const NAME: &'static str = "croupier.common.Clause.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Clears an irregularity once its next step is done. A lock-out needs a passed check as well (RD-10, SH-23).
///
/// The shuffler's check is of the part that failed: the first request begins it and is answered with BUSY, as
/// are those while it goes on; one more clears, or is answered with OUT_OF_TURN if the check failed. A
/// sensor's beam must have been blocked and freed by hand before the first. BUSY clears nothing.
///
/// Asked by: the role that the irregularity names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClearRequest {
    /// What to clear.
    pub trouble: Trouble,
    /// By the role that clears.
    pub seal: Seal,
}

impl Object for ClearRequest {
    const NAME: &'static str = "croupier.common.Clear.1.0.Request";
    const LONGEST: usize = 26;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.trouble.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let trouble = Trouble::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { trouble, seal })
    }
}

impl Request for ClearRequest {
    const SERVICE: ServiceId = service(264);
    type Response = ClearResponse;
}

impl Sealed for ClearRequest {}

/// It is cleared, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClearResponse {
    /// What became of the request; OUT_OF_TURN while the cause persists.
    pub answer: Answer,
    /// Irregularities that remain.
    pub still_open: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for ClearResponse {
    const NAME: &'static str = "croupier.common.Clear.1.0.Response";
    const LONGEST: usize = 37;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.still_open.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let still_open = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { answer, still_open, seal })
    }
}

impl Response for ClearResponse {}

impl Sealed for ClearResponse {}

/// An irregularity is over.
///
/// Sent by: every device, when a request, a passed check or the cause's end clears one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Cleared {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What is over.
    pub trouble: Trouble,
    /// Whose authority cleared it.
    pub by: Role,
    /// Irregularities that remain.
    pub still_open: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for Cleared {
    const NAME: &'static str = "croupier.common.Cleared.1.0";
    const LONGEST: usize = 38;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.trouble.write(to)?;
        self.by.write(to)?;
        to.put(self.still_open.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let trouble = Trouble::read(from)?;
        let by = Role::read(from)?;
        let still_open = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, trouble, by, still_open, seal })
    }
}

impl Message for Cleared {
    const SUBJECT: SubjectId = subject(6146);
}

impl Sealed for Cleared {}

impl Event for Cleared {}

/// Asks for the day clock, and so ties event times to the day.
///
/// Asked by: any role with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClockGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for ClockGetRequest {
    const NAME: &'static str = "croupier.common.ClockGet.1.0.Request";
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

impl Request for ClockGetRequest {
    const SERVICE: ServiceId = service(260);
    type Response = ClockGetResponse;
}

impl Sealed for ClockGetRequest {}

/// The same moment on both of the device's clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClockGetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// As in Stamp.
    pub start: u8,
    /// As in Stamp.
    pub time_ms: u64,
    /// Milliseconds since 1970-01-01T00:00:00Z; 0 if the clock is not set.
    pub utc_ms: u64,
    /// Seconds since it was last set.
    pub since_set_s: u32,
    /// The rate found at the last setting, in parts per 10^9. Positive: the device is slow.
    pub drift_ppb: i32,
    /// Local time minus UTC.
    pub zone_minutes: i16,
    /// By the device.
    pub seal: Seal,
}

impl Object for ClockGetResponse {
    const NAME: &'static str = "croupier.common.ClockGet.1.0.Response";
    const LONGEST: usize = 59;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.start.into(), 8)?;
        to.put(self.time_ms.min(0xFFFFFFFFFF), 40)?;
        to.put(self.utc_ms, 64)?;
        to.put(self.since_set_s.into(), 32)?;
        to.put(i64::from(self.drift_ppb).cast_unsigned(), 32)?;
        to.put(i64::from(self.zone_minutes).cast_unsigned(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let start = from.take(8)? as u8;
        let time_ms = from.take(40)?;
        let utc_ms = from.take(64)?;
        let since_set_s = from.take(32)? as u32;
        let drift_ppb = from.take_signed(32)? as i32;
        let zone_minutes = from.take_signed(16)? as i16;
        let seal = Seal::read(from)?;
        Ok(Self { answer, start, time_ms, utc_ms, since_set_s, drift_ppb, zone_minutes, seal })
    }
}

impl Response for ClockGetResponse {}

impl Sealed for ClockGetResponse {}

/// Sets the day clock (CM-09). Deck life and gaming days rest on it, so each setting is published as SettingChanged.
///
/// Asked by: controller, for the first setting after a start and for corrections up to 2 s, 10 s a day in all; floorperson or service for larger ones; only service may set it before a time that the device has kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClockSetRequest {
    /// Milliseconds since 1970-01-01T00:00:00Z at the moment of sending; in the years 2020 to 2199.
    pub utc_ms: u64,
    /// How far that may be off.
    pub uncertainty_ms: u32,
    /// Local time minus UTC, from -840 to 840: for display and for the start of the gaming day.
    pub zone_minutes: i16,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for ClockSetRequest {
    const NAME: &'static str = "croupier.common.ClockSet.1.0.Request";
    const LONGEST: usize = 39;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.utc_ms, 64)?;
        to.put(self.uncertainty_ms.into(), 32)?;
        to.put(i64::from(self.zone_minutes).cast_unsigned(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let utc_ms = from.take(64)?;
        let uncertainty_ms = from.take(32)? as u32;
        let zone_minutes = from.take_signed(16)? as i16;
        let seal = Seal::read(from)?;
        Ok(Self { utc_ms, uncertainty_ms, zone_minutes, seal })
    }
}

impl Request for ClockSetRequest {
    const SERVICE: ServiceId = service(259);
    type Response = ClockSetResponse;
}

impl Sealed for ClockSetRequest {}

/// What the clock was off by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClockSetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// New time minus old time. Positive: the device had been slow. 0 at the first setting.
    pub correction_ms: i64,
    /// The same as a rate since the setting before, in parts per 10^9; 0 if that is not known.
    pub drift_ppb: i32,
    /// By the device.
    pub seal: Seal,
}

impl Object for ClockSetResponse {
    const NAME: &'static str = "croupier.common.ClockSet.1.0.Response";
    const LONGEST: usize = 47;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.correction_ms.cast_unsigned(), 64)?;
        to.put(i64::from(self.drift_ppb).cast_unsigned(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let correction_ms = from.take_signed(64)?;
        let drift_ppb = from.take_signed(32)? as i32;
        let seal = Seal::read(from)?;
        Ok(Self { answer, correction_ms, drift_ppb, seal })
    }
}

impl Response for ClockSetResponse {}

impl Sealed for ClockSetResponse {}

/// Whether the device may be used. Where several hold, the most serious one is sent.
///
/// Also the vendor-specific status code of the device's uavcan.node.Heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Condition {
    /// Self-test after power-on or reset.
    #[default]
    Starting = 0,
    /// May be used.
    InService = 1,
    /// Not until the gaming-day check is passed (CM-05).
    NotInspected = 2,
    /// Not until a floorperson has set a game (CM-07).
    NoProfile = 3,
    /// Not until keys are provisioned.
    NoKeys = 4,
    /// The gaming-day check, a lesson or a lamp test is going on.
    Checking = 5,
    /// Locked out: cleared by a passed check with service authority (RD-10).
    Malfunction = 6,
    /// To be covered or signed before anything else is used (SH-23).
    OutOfOrder = 7,
}

impl Condition {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 8] = [
        Self::Starting,
        Self::InService,
        Self::NotInspected,
        Self::NoProfile,
        Self::NoKeys,
        Self::Checking,
        Self::Malfunction,
        Self::OutOfOrder,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Starting,
            1 => Self::InService,
            2 => Self::NotInspected,
            3 => Self::NoProfile,
            4 => Self::NoKeys,
            5 => Self::Checking,
            6 => Self::Malfunction,
            7 => Self::OutOfOrder,
            _ => return None,
        })
    }
}

impl Object for Condition {
    const NAME: &'static str = "croupier.common.Condition.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// How the cards are dealt; it shortens or lengthens their life (SH-40).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Dealing {
    /// Not said: the one way the game allows; where it allows several, the strictest rule of all counts.
    #[default]
    Unsaid = 0,
    /// From the dealer's hand.
    Hand = 1,
    /// From a shoe the dealer draws from.
    ManualShoe = 2,
    /// From a shoe that deals stacks.
    AutomatedShoe = 3,
}

impl Dealing {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Unsaid, Self::Hand, Self::ManualShoe, Self::AutomatedShoe];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unsaid,
            1 => Self::Hand,
            2 => Self::ManualShoe,
            3 => Self::AutomatedShoe,
            _ => return None,
        })
    }
}

impl Object for Dealing {
    const NAME: &'static str = "croupier.common.Dealing.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Which of the devices this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum DeviceKind {
    /// The hole-card reader.
    Reader = 1,
    /// The card shuffler.
    Shuffler = 2,
    /// The Pai Gow starting-position generator.
    Paigow = 3,
}

impl DeviceKind {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Shuffler, Self::Paigow];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Reader,
            2 => Self::Shuffler,
            3 => Self::Paigow,
            _ => return None,
        })
    }
}

impl Object for DeviceKind {
    const NAME: &'static str = "croupier.common.DeviceKind.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// A game with a profile, by the rule that governs it. 255 will never be a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Game {
    /// No profile has been set: the device gives no answers.
    #[default]
    None = 0,
    /// Pa. 581.
    DoubleAttackBlackjack = 1,
    /// Pa. 590, temporary.
    FreeBetTemporary = 2,
    /// Pa. 672a, permanent.
    FreeBet = 3,
    /// South Dakota 20:18:15:30.14.
    FreeBetSouthDakota = 4,
    /// Pa. 591.
    DoubleBackJack = 5,
    /// Pa. 685a.
    DownUnderBlackjack = 6,
    /// Pa. 583.
    FlopPoker = 7,
    /// Pa. 587.
    RaiseItUpStud = 8,
    /// Pa. 588.
    SixCardFortunePaiGow = 9,
    /// Pa. 589.
    LunarPoker = 10,
    /// Pa. 592.
    CrissCrossPoker = 11,
}

impl Game {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 12] = [
        Self::None,
        Self::DoubleAttackBlackjack,
        Self::FreeBetTemporary,
        Self::FreeBet,
        Self::FreeBetSouthDakota,
        Self::DoubleBackJack,
        Self::DownUnderBlackjack,
        Self::FlopPoker,
        Self::RaiseItUpStud,
        Self::SixCardFortunePaiGow,
        Self::LunarPoker,
        Self::CrissCrossPoker,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::DoubleAttackBlackjack,
            2 => Self::FreeBetTemporary,
            3 => Self::FreeBet,
            4 => Self::FreeBetSouthDakota,
            5 => Self::DoubleBackJack,
            6 => Self::DownUnderBlackjack,
            7 => Self::FlopPoker,
            8 => Self::RaiseItUpStud,
            9 => Self::SixCardFortunePaiGow,
            10 => Self::LunarPoker,
            11 => Self::CrissCrossPoker,
            _ => return None,
        })
    }
}

impl Object for Game {
    const NAME: &'static str = "croupier.common.Game.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// A step of the gaming-day check, or the whole of it, is decided (CM-05, RD-09).
///
/// Sent by: the reader, after each step and at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Inspected {
    /// Which event, and when.
    pub stamp: Stamp,
    /// Passed, failed or left.
    pub verdict: CheckVerdict,
    /// The step decided, from 1; 0 for the whole check.
    pub step: u8,
    /// Steps in the whole check.
    pub steps: u8,
    /// The inspector's number, as given when the check began.
    pub inspector: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for Inspected {
    const NAME: &'static str = "croupier.common.Inspected.1.0";
    const LONGEST: usize = 39;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.verdict.write(to)?;
        to.put(self.step.into(), 8)?;
        to.put(self.steps.into(), 8)?;
        to.put(self.inspector.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let verdict = CheckVerdict::read(from)?;
        let step = from.take(8)? as u8;
        let steps = from.take(8)? as u8;
        let inspector = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, verdict, step, steps, inspector, seal })
    }
}

impl Message for Inspected {
    const SUBJECT: SubjectId = subject(6149);
}

impl Sealed for Inspected {}

impl Event for Inspected {}

/// Leads through the gaming-day check, step by step (CM-05, RD-09). Devices without a check answer OUT_OF_TURN.
///
/// Asked by: floorperson or service; any role may LOOK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InspectionRequest {
    /// What the inspector does.
    pub action: CheckAction,
    /// The inspector's number, with BEGIN; otherwise 0.
    pub inspector: u16,
    /// The number on the housing's seal, as the inspector reads it, with BEGIN; otherwise 0 (CM-04).
    pub seal_number: u32,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for InspectionRequest {
    const NAME: &'static str = "croupier.common.Inspection.1.0.Request";
    const LONGEST: usize = 32;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.action.write(to)?;
        to.put(self.inspector.into(), 16)?;
        to.put(self.seal_number.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let action = CheckAction::read(from)?;
        let inspector = from.take(16)? as u16;
        let seal_number = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self { action, inspector, seal_number, seal })
    }
}

impl Request for InspectionRequest {
    const SERVICE: ServiceId = service(258);
    type Response = InspectionResponse;
}

impl Sealed for InspectionRequest {}

/// How far the check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InspectionResponse {
    /// What became of the request.
    pub answer: Answer,
    /// OPEN while a check goes on, and where none has ended; otherwise how the last one ended.
    pub verdict: CheckVerdict,
    /// The step that waits, from 1; 0 if none does.
    pub step: u8,
    /// Steps in the whole check.
    pub steps: u8,
    /// What the step asks for.
    pub task: CheckStep,
    /// Which lamp, key, segment or test card, from 0; as numbered in the device's handbook.
    pub item: u8,
    /// Minutes until the next gaming day begins, and with it the last passed check ends; 0 if it has ended.
    pub minutes_left: u16,
    /// By the device.
    pub seal: Seal,
}

impl Object for InspectionResponse {
    const NAME: &'static str = "croupier.common.Inspection.1.0.Response";
    const LONGEST: usize = 42;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.verdict.write(to)?;
        to.put(self.step.into(), 8)?;
        to.put(self.steps.into(), 8)?;
        self.task.write(to)?;
        to.put(self.item.into(), 8)?;
        to.put(self.minutes_left.into(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let verdict = CheckVerdict::read(from)?;
        let step = from.take(8)? as u8;
        let steps = from.take(8)? as u8;
        let task = CheckStep::read(from)?;
        let item = from.take(8)? as u8;
        let minutes_left = from.take(16)? as u16;
        let seal = Seal::read(from)?;
        Ok(Self { answer, verdict, step, steps, task, item, minutes_left, seal })
    }
}

impl Response for InspectionResponse {}

impl Sealed for InspectionResponse {}

/// Something went wrong: what, what the rule asks for next, who may clear it, and the clause it rests on (CM-06).
///
/// Sent by: every device, once for each irregularity, at the moment it is noticed or may be reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Irregularity {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What happened.
    pub trouble: Trouble,
    /// What the people at the table must do.
    pub next_step: NextStep,
    /// Who may clear it with Clear; DEVICE if it clears itself when the cause is gone.
    pub cleared_by: Role,
    /// As the trouble says; otherwise 0. Never anything about a card's face.
    pub detail: u16,
    /// The clause of the game in force that bears on it, or that it follows by analogy; NONE for the device's own rules.
    pub clause: Clause,
    /// By the device.
    pub seal: Seal,
}

impl Object for Irregularity {
    const NAME: &'static str = "croupier.common.Irregularity.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.trouble.write(to)?;
        self.next_step.write(to)?;
        self.cleared_by.write(to)?;
        to.put(self.detail.into(), 16)?;
        self.clause.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let trouble = Trouble::read(from)?;
        let next_step = NextStep::read(from)?;
        let cleared_by = Role::read(from)?;
        let detail = from.take(16)? as u16;
        let clause = Clause::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, trouble, next_step, cleared_by, detail, clause, seal })
    }
}

impl Message for Irregularity {
    const SUBJECT: SubjectId = subject(6145);
}

impl Sealed for Irregularity {}

impl Event for Irregularity {}

/// Reads the journal, from the first record asked for on, as many whole records as fit (CM-08). Devices without a journal answer OUT_OF_TURN.
///
/// Asked by: floorperson, service or controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JournalReadRequest {
    /// The first record wanted. Records are numbered from 0 in the device's life.
    pub first: u32,
    /// The last record wanted.
    pub last: u32,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for JournalReadRequest {
    const NAME: &'static str = "croupier.common.JournalRead.1.0.Request";
    const LONGEST: usize = 33;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.first.into(), 32)?;
        to.put(self.last.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let first = from.take(32)? as u32;
        let last = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self { first, last, seal })
    }
}

impl Request for JournalReadRequest {
    const SERVICE: ServiceId = service(261);
    type Response = JournalReadResponse;
}

impl Sealed for JournalReadRequest {}

/// A run of records. Ask again from `next` until it passes the last one wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JournalReadResponse {
    /// What became of the request; NOT_FOUND if no record of the range is kept.
    pub answer: Answer,
    /// The oldest record that is kept.
    pub oldest: u32,
    /// The number that the next record will have.
    pub end: u32,
    /// The first record that is not in this answer.
    pub next: u32,
    /// Whole records, one after the other, as the journal keeps them. Nothing about a card's face.
    pub records: Vec<u8, 192>,
    /// By the device.
    pub seal: Seal,
}

impl Object for JournalReadResponse {
    const NAME: &'static str = "croupier.common.JournalRead.1.0.Response";
    const LONGEST: usize = 240;
    const SHORTEST: usize = 48;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.oldest.into(), 32)?;
        to.put(self.end.into(), 32)?;
        to.put(self.next.into(), 32)?;
        to.put(self.records.len() as u64, 8)?;
        to.put_bytes(&self.records)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let oldest = from.take(32)? as u32;
        let end = from.take(32)? as u32;
        let next = from.take(32)? as u32;
        let records = read_list(from, 8, |from| Ok(from.take(8)? as u8))?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, oldest, end, next, records, seal })
    }
}

impl Response for JournalReadResponse {}

impl Sealed for JournalReadResponse {}

/// Whose key it is that a device holds: its own, a role's that it obeys, or a device's whose seals it can only check.
///
/// The numbers of roles are those of Role. SHUFFLER is no role: nothing that this key seals is ever obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum KeyHolder {
    /// The device's own.
    #[default]
    Device = 0,
    /// The dealer's.
    Dealer = 1,
    /// The floorperson's.
    Floorperson = 2,
    /// The service engineer's.
    Service = 3,
    /// The table controller's.
    Controller = 4,
    /// The device key of the shuffler at this table: the generator checks certificates with it (PG-10).
    Shuffler = 5,
}

impl KeyHolder {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 6] = [
        Self::Device,
        Self::Dealer,
        Self::Floorperson,
        Self::Service,
        Self::Controller,
        Self::Shuffler,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Device,
            1 => Self::Dealer,
            2 => Self::Floorperson,
            3 => Self::Service,
            4 => Self::Controller,
            5 => Self::Shuffler,
            _ => return None,
        })
    }
}

impl Object for KeyHolder {
    const NAME: &'static str = "croupier.common.KeyHolder.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Asks from which sequence on the device takes commands of a role; for a controller that was replaced or restarted.
///
/// Asked by: any role with a key, about its own role. The seal's sequence is none of the role's own: it is the
/// highest that the client has seen in a seal of this device. Status brings one each second. Each question of a
/// role names a higher one than the question before, or it gets no answer: so a recording never gets one. The
/// nonce keeps an old answer from passing for this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NextSequenceRequest {
    /// Any number not used before.
    pub nonce: u64,
    /// By the role that wants to know.
    pub seal: Seal,
}

impl Object for NextSequenceRequest {
    const NAME: &'static str = "croupier.common.NextSequence.1.0.Request";
    const LONGEST: usize = 33;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.nonce, 64)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let nonce = from.take(64)?;
        let seal = Seal::read(from)?;
        Ok(Self { nonce, seal })
    }
}

impl Request for NextSequenceRequest {
    const SERVICE: ServiceId = service(265);
    type Response = NextSequenceResponse;
}

impl Sealed for NextSequenceRequest {}

/// The next sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct NextSequenceResponse {
    /// What became of the request.
    pub answer: Answer,
    /// As asked.
    pub nonce: u64,
    /// The lowest sequence that will be taken from this role.
    pub next_sequence: u64,
    /// By the device.
    pub seal: Seal,
}

impl Object for NextSequenceResponse {
    const NAME: &'static str = "croupier.common.NextSequence.1.0.Response";
    const LONGEST: usize = 51;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.nonce, 64)?;
        to.put(self.next_sequence, 64)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let nonce = from.take(64)?;
        let next_sequence = from.take(64)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, nonce, next_sequence, seal })
    }
}

impl Response for NextSequenceResponse {}

impl Sealed for NextSequenceResponse {}

/// What the rule asks for next, after something went wrong (CM-06).
///
/// The clause is the one that the profile of the game in force names for this step. 13 was a step that no
/// clause allows, and is not used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum NextStep {
    /// Nothing.
    #[default]
    None = 0,
    /// The cards are shuffled again, whole.
    Reshuffle = 1,
    /// The deck leaves the table.
    RemoveDeck = 2,
    /// Hands are void and wagers go back.
    VoidAndRefund = 3,
    /// The same, and all cards are shuffled again, those dealt with them.
    VoidRefundReshuffle = 4,
    /// The same, and the deck leaves the table.
    VoidRefundRemoveDeck = 5,
    /// Nothing more is dealt until the device is repaired or replaced.
    StopTable = 6,
    /// The device is covered or signed before cards are shuffled in any other way.
    CoverOrSign = 7,
    /// Play goes on once a floorperson has been told.
    TellFloorAndContinue = 8,
    /// A floorperson is told; hands die if this reader could inform a player.
    TellFloorAndContinueIfSilent = 9,
    /// Decisions stand, or hands die with refunds, busts too.
    PlayOnOrDeadHandsWithRefund = 10,
    /// The three-dice shaker takes the generator's place (PG-16).
    UseShaker = 11,
    /// The dealer slides the card in once more (RD-11).
    ReadAgain = 12,
    /// The machine's count is not valid: the stub is counted by hand (SH-09).
    CountStub = 14,
    /// The deck has reached its age (SH-40).
    ChangeDeck = 15,
    /// The gaming-day check (CM-05).
    Inspect = 16,
    /// A door or lid is open.
    Close = 17,
    /// Only repair helps, though play may go on.
    CallService = 18,
    /// Nothing more is asked of the device until a floorperson has seen to it (RD-11).
    CallFloor = 19,
    /// The dealer tells the up-card, then slides the card in once more (RD-04).
    TellUpCard = 20,
    /// The day clock is set: without it no age of a batch is known (CM-09).
    SetClock = 21,
    /// A floorperson opens the batch with BatchOpened (SH-40).
    OpenBatch = 22,
    /// Shuffle by hand, or a floorperson releases the stored batch into play (SH-28).
    HandShuffleOrRelease = 23,
    /// All cards of the deck are counted by hand, after the round (589.11(g)).
    CountCards = 25,
    /// The shuffler's certificate for the deck in play is forwarded; without one the shaker is used (PG-10).
    ForwardCertificate = 31,
}

impl NextStep {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 25] = [
        Self::None,
        Self::Reshuffle,
        Self::RemoveDeck,
        Self::VoidAndRefund,
        Self::VoidRefundReshuffle,
        Self::VoidRefundRemoveDeck,
        Self::StopTable,
        Self::CoverOrSign,
        Self::TellFloorAndContinue,
        Self::TellFloorAndContinueIfSilent,
        Self::PlayOnOrDeadHandsWithRefund,
        Self::UseShaker,
        Self::ReadAgain,
        Self::CountStub,
        Self::ChangeDeck,
        Self::Inspect,
        Self::Close,
        Self::CallService,
        Self::CallFloor,
        Self::TellUpCard,
        Self::SetClock,
        Self::OpenBatch,
        Self::HandShuffleOrRelease,
        Self::CountCards,
        Self::ForwardCertificate,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Reshuffle,
            2 => Self::RemoveDeck,
            3 => Self::VoidAndRefund,
            4 => Self::VoidRefundReshuffle,
            5 => Self::VoidRefundRemoveDeck,
            6 => Self::StopTable,
            7 => Self::CoverOrSign,
            8 => Self::TellFloorAndContinue,
            9 => Self::TellFloorAndContinueIfSilent,
            10 => Self::PlayOnOrDeadHandsWithRefund,
            11 => Self::UseShaker,
            12 => Self::ReadAgain,
            14 => Self::CountStub,
            15 => Self::ChangeDeck,
            16 => Self::Inspect,
            17 => Self::Close,
            18 => Self::CallService,
            19 => Self::CallFloor,
            20 => Self::TellUpCard,
            21 => Self::SetClock,
            22 => Self::OpenBatch,
            23 => Self::HandShuffleOrRelease,
            25 => Self::CountCards,
            31 => Self::ForwardCertificate,
            _ => return None,
        })
    }
}

impl Object for NextStep {
    const NAME: &'static str = "croupier.common.NextStep.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Another game is in force (CM-07).
///
/// Sent by: every device, when ProfileSet was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileChanged {
    /// Which event, and when.
    pub stamp: Stamp,
    /// The game before.
    pub from_game: Game,
    /// The game in force.
    pub to_game: Game,
    /// Decks per batch.
    pub decks: u8,
    /// How the cards are dealt.
    pub dealing: Dealing,
    /// Whose authority changed it.
    pub by: Role,
    /// By the device.
    pub seal: Seal,
}

impl Object for ProfileChanged {
    const NAME: &'static str = "croupier.common.ProfileChanged.1.0";
    const LONGEST: usize = 39;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.from_game.write(to)?;
        self.to_game.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.dealing.write(to)?;
        self.by.write(to)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let from_game = Game::read(from)?;
        let to_game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let dealing = Dealing::read(from)?;
        let by = Role::read(from)?;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, from_game, to_game, decks, dealing, by, seal })
    }
}

impl Message for ProfileChanged {
    const SUBJECT: SubjectId = subject(6148);
}

impl Sealed for ProfileChanged {}

impl Event for ProfileChanged {}

/// Asks which game's rules the device obeys.
///
/// Asked by: any role with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for ProfileGetRequest {
    const NAME: &'static str = "croupier.common.ProfileGet.1.0.Request";
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

impl Request for ProfileGetRequest {
    const SERVICE: ServiceId = service(257);
    type Response = ProfileGetResponse;
}

impl Sealed for ProfileGetRequest {}

/// The profile in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileGetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// The game; NONE if none was ever set.
    pub game: Game,
    /// Decks per batch.
    pub decks: u8,
    /// Cards in a full batch: what the count must find.
    pub cards: u16,
    /// How the cards are dealt.
    pub dealing: Dealing,
    /// Betting positions at this table.
    pub seats: u8,
    /// Whose authority set it.
    pub by: Role,
    /// When, in milliseconds of the day clock (see ClockGet); 0 if the clock was not set then.
    pub set_at_ms: u64,
    /// By the device.
    pub seal: Seal,
}

impl Object for ProfileGetResponse {
    const NAME: &'static str = "croupier.common.ProfileGet.1.0.Response";
    const LONGEST: usize = 50;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        self.game.write(to)?;
        to.put(self.decks.into(), 8)?;
        to.put(self.cards.into(), 16)?;
        self.dealing.write(to)?;
        to.put(self.seats.into(), 8)?;
        self.by.write(to)?;
        to.put(self.set_at_ms, 64)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let cards = from.take(16)? as u16;
        let dealing = Dealing::read(from)?;
        let seats = from.take(8)? as u8;
        let by = Role::read(from)?;
        let set_at_ms = from.take(64)?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, game, decks, cards, dealing, seats, by, set_at_ms, seal })
    }
}

impl Response for ProfileGetResponse {}

impl Sealed for ProfileGetResponse {}

/// Sets the game whose rules the device obeys (CM-07). Kept through power loss, and published as ProfileChanged.
///
/// Asked by: floorperson. Refused with IN_ROUND while a round is in play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileSetRequest {
    /// The game; not NONE.
    pub game: Game,
    /// Decks per batch; one that the game's profile allows, and at most as many as 424 cards make.
    pub decks: u8,
    /// How the cards are dealt: in a way that the game allows. Shoe games allow MANUAL_SHOE only.
    pub dealing: Dealing,
    /// Betting positions at this table (PG-13).
    pub seats: u8,
    /// By the floorperson.
    pub seal: Seal,
}

impl Object for ProfileSetRequest {
    const NAME: &'static str = "croupier.common.ProfileSet.1.0.Request";
    const LONGEST: usize = 29;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.game.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.dealing.write(to)?;
        to.put(self.seats.into(), 8)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let dealing = Dealing::read(from)?;
        let seats = from.take(8)? as u8;
        let seal = Seal::read(from)?;
        Ok(Self { game, decks, dealing, seats, seal })
    }
}

impl Request for ProfileSetRequest {
    const SERVICE: ServiceId = service(256);
    type Response = ProfileSetResponse;
}

impl Sealed for ProfileSetRequest {}

/// The profile is in force, or nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileSetResponse {
    /// What became of the request.
    pub answer: Answer,
    /// By the device.
    pub seal: Seal,
}

impl Object for ProfileSetResponse {
    const NAME: &'static str = "croupier.common.ProfileSet.1.0.Response";
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

impl Response for ProfileSetResponse {}

impl Sealed for ProfileSetResponse {}

/// Gives the device a key. Write only: no service ever returns a key.
///
/// Asked by: service, with the device's service switch on. The key travels in clear, so do this on a
/// private link before the device comes to the table.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ProvisionKeyRequest {
    /// Whose key it is. SHUFFLER only at the generator; other devices answer OUT_OF_RANGE.
    pub holder: KeyHolder,
    /// Secret. The key. A device on silicon refuses the simulation's keys.
    pub key: [u8; 32],
    /// By service: with the old key, when the service key itself is changed.
    pub seal: Seal,
}

impl core::fmt::Debug for ProvisionKeyRequest {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ProvisionKeyRequest")
            .field("holder", &self.holder)
            .field("seal", &self.seal)
            .finish_non_exhaustive()
    }
}

impl Object for ProvisionKeyRequest {
    const NAME: &'static str = "croupier.common.ProvisionKey.1.0.Request";
    const LONGEST: usize = 58;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.holder.write(to)?;
        to.put_bytes(&self.key)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let holder = KeyHolder::read(from)?;
        let key = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Ok(Self { holder, key, seal })
    }
}

impl Request for ProvisionKeyRequest {
    const SERVICE: ServiceId = service(263);
    type Response = ProvisionKeyResponse;
}

impl Sealed for ProvisionKeyRequest {}

/// The key is kept, or nothing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProvisionKeyResponse {
    /// What became of the request.
    pub answer: Answer,
    /// The first bytes of SHA-256 over "croupier key check" and the key: shows that it arrived, and no more.
    pub check: [u8; 8],
    /// By the device; with its new key, if that is what changed.
    pub seal: Seal,
}

impl Object for ProvisionKeyResponse {
    const NAME: &'static str = "croupier.common.ProvisionKey.1.0.Response";
    const LONGEST: usize = 43;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put_bytes(&self.check)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let check = from.take_bytes()?;
        let seal = Seal::read(from)?;
        Ok(Self { answer, check, seal })
    }
}

impl Response for ProvisionKeyResponse {}

impl Sealed for ProvisionKeyResponse {}

/// Asks how many requests were dropped or refused since the start, by kind.
///
/// Asked by: any role with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RefusalsRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for RefusalsRequest {
    const NAME: &'static str = "croupier.common.Refusals.1.0.Request";
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

impl Request for RefusalsRequest {
    const SERVICE: ServiceId = service(267);
    type Response = RefusalsResponse;
}

impl Sealed for RefusalsRequest {}

/// The counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RefusalsResponse {
    /// What became of the request.
    pub answer: Answer,
    /// Wrong length for the service.
    pub malformed: u32,
    /// A role the device has no key for.
    pub unknown_role: u32,
    /// The seal does not verify: another key, another device, or altered on the way.
    pub forged: u32,
    /// The seal verifies, but the sequence is below the next sequence, too far above it, or could not be kept; or a
    /// question for the next sequence names no new number of the device.
    pub replayed: u32,
    /// The seal verifies, but the role may not ask for this.
    pub not_authorised: u32,
    /// Dropped unread: no place for the answer, an unsealed request too soon after another, or a frame of the bus
    /// that found the queue full.
    pub unanswerable: u32,
    /// By the device.
    pub seal: Seal,
}

impl Object for RefusalsResponse {
    const NAME: &'static str = "croupier.common.Refusals.1.0.Response";
    const LONGEST: usize = 59;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.malformed.into(), 32)?;
        to.put(self.unknown_role.into(), 32)?;
        to.put(self.forged.into(), 32)?;
        to.put(self.replayed.into(), 32)?;
        to.put(self.not_authorised.into(), 32)?;
        to.put(self.unanswerable.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let malformed = from.take(32)? as u32;
        let unknown_role = from.take(32)? as u32;
        let forged = from.take(32)? as u32;
        let replayed = from.take(32)? as u32;
        let not_authorised = from.take(32)? as u32;
        let unanswerable = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self {
            answer,
            malformed,
            unknown_role,
            forged,
            replayed,
            not_authorised,
            unanswerable,
            seal,
        })
    }
}

impl Response for RefusalsResponse {}

impl Sealed for RefusalsResponse {}

/// Asks for events that were missed. The device publishes them again, with the same stamps and new seals.
///
/// Asked by: controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ResendRequest {
    /// As in Stamp: the start that the events belong to.
    pub start: u8,
    /// The first event missed.
    pub first: u32,
    /// The last event missed.
    pub last: u32,
    /// By the controller.
    pub seal: Seal,
}

impl Object for ResendRequest {
    const NAME: &'static str = "croupier.common.Resend.1.0.Request";
    const LONGEST: usize = 32;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.start.into(), 8)?;
        to.put(self.first.min(0xFFFFFF).into(), 24)?;
        to.put(self.last.min(0xFFFFFF).into(), 24)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let start = from.take(8)? as u8;
        let first = from.take(24)? as u32;
        let last = from.take(24)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self { start, first, last, seal })
    }
}

impl Request for ResendRequest {
    const SERVICE: ServiceId = service(266);
    type Response = ResendResponse;
}

impl Sealed for ResendRequest {}

/// Which of them will come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ResendResponse {
    /// What became of the request; NOT_FOUND if none is kept any more.
    pub answer: Answer,
    /// The first event that will be sent again.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// By the device.
    pub seal: Seal,
}

impl Object for ResendResponse {
    const NAME: &'static str = "croupier.common.Resend.1.0.Response";
    const LONGEST: usize = 41;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.first.min(0xFFFFFF).into(), 24)?;
        to.put(self.last.min(0xFFFFFF).into(), 24)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let answer = Answer::read(from)?;
        let first = from.take(24)? as u32;
        let last = from.take(24)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self { answer, first, last, seal })
    }
}

impl Response for ResendResponse {}

impl Sealed for ResendResponse {}

/// Why the device started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum ResetCause {
    /// Power came on.
    #[default]
    PowerOn = 0,
    /// The program met a case it holds impossible.
    Panic = 1,
    /// The processor refused an instruction.
    HardFault = 2,
    /// A task missed its check-in.
    Hung = 3,
    /// The hardware watchdog ran out.
    Watchdog = 4,
    /// The reset line was pulled.
    ResetLine = 5,
    /// Asked for, by ExecuteCommand or an update.
    Restart = 6,
    /// From outside: watchdog or reset line, the board cannot tell.
    Outside = 7,
}

impl ResetCause {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 8] = [
        Self::PowerOn,
        Self::Panic,
        Self::HardFault,
        Self::Hung,
        Self::Watchdog,
        Self::ResetLine,
        Self::Restart,
        Self::Outside,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::PowerOn,
            1 => Self::Panic,
            2 => Self::HardFault,
            3 => Self::Hung,
            4 => Self::Watchdog,
            5 => Self::ResetLine,
            6 => Self::Restart,
            7 => Self::Outside,
            _ => return None,
        })
    }
}

impl Object for ResetCause {
    const NAME: &'static str = "croupier.common.ResetCause.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// The result of a request. One list for all services; a working device never sends 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Result {
    /// No answer: cleared memory must not read as consent.
    #[default]
    Unknown = 0,
    /// Done, or begun where an event reports the end.
    Accepted = 1,
    /// Makes no sense in the present state.
    OutOfTurn = 2,
    /// The role that sealed it may not ask for this.
    NotAuthorised = 3,
    /// The sequence is below the next sequence of that role.
    Replayed = 4,
    /// The game in force has no such thing (RD-23).
    WrongProfile = 5,
    /// The device is locked out until a check is passed (RD-10, SH-23).
    Malfunction = 6,
    /// The gaming-day check comes first (CM-05).
    NotInspected = 7,
    /// A field holds a value that this device cannot take; `field` may say which.
    OutOfRange = 8,
    /// Not finished: ask again.
    Busy = 9,
    /// Not while a round is in play (CM-07).
    InRound = 10,
    /// No such record, number or batch is kept.
    NotFound = 11,
    /// The key switch inside the device must be turned first.
    ServiceSwitchOff = 12,
    /// A simulation key on silicon, or a key already in use by another holder.
    RefusedKey = 13,
    /// It could not be kept through a power loss, so it was not done.
    StoreFailed = 14,
    /// The batch must be changed first (SH-40).
    DeckLifeOver = 15,
    /// The day clock must be set first: without it no age is known (SH-40, CM-09).
    ClockUnset = 16,
    /// No BatchOpened came for this batch with the decks of the game in force (SH-40).
    BatchNotOpened = 17,
    /// A certified batch waits inside: shuffle by hand, or a floorperson releases it into play (SH-28).
    BatchStored = 18,
    /// 'Shuffled' takes the shuffler's certificate for the deck in play, and this is none (PG-10).
    NotCertified = 19,
    /// The role's commands changed as much as the flash can bear for now: ask again in ten seconds.
    TooOften = 21,
}

impl Result {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 21] = [
        Self::Unknown,
        Self::Accepted,
        Self::OutOfTurn,
        Self::NotAuthorised,
        Self::Replayed,
        Self::WrongProfile,
        Self::Malfunction,
        Self::NotInspected,
        Self::OutOfRange,
        Self::Busy,
        Self::InRound,
        Self::NotFound,
        Self::ServiceSwitchOff,
        Self::RefusedKey,
        Self::StoreFailed,
        Self::DeckLifeOver,
        Self::ClockUnset,
        Self::BatchNotOpened,
        Self::BatchStored,
        Self::NotCertified,
        Self::TooOften,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Unknown,
            1 => Self::Accepted,
            2 => Self::OutOfTurn,
            3 => Self::NotAuthorised,
            4 => Self::Replayed,
            5 => Self::WrongProfile,
            6 => Self::Malfunction,
            7 => Self::NotInspected,
            8 => Self::OutOfRange,
            9 => Self::Busy,
            10 => Self::InRound,
            11 => Self::NotFound,
            12 => Self::ServiceSwitchOff,
            13 => Self::RefusedKey,
            14 => Self::StoreFailed,
            15 => Self::DeckLifeOver,
            16 => Self::ClockUnset,
            17 => Self::BatchNotOpened,
            18 => Self::BatchStored,
            19 => Self::NotCertified,
            21 => Self::TooOften,
            _ => return None,
        })
    }
}

impl Object for Result {
    const NAME: &'static str = "croupier.common.Result.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Whose authority sealed a message: the role is the key that made the seal, nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Role {
    /// A device speaking for itself, with the key it alone holds.
    #[default]
    Device = 0,
    /// Deals and presses; may arm and ask.
    Dealer = 1,
    /// Supervises; may set profiles, inspect and clear irregularities.
    Floorperson = 2,
    /// Repairs; may clear lock-outs and, with the service switch on, provision keys.
    Service = 3,
    /// The table controller acting by itself.
    Controller = 4,
}

impl Role {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::Device, Self::Dealer, Self::Floorperson, Self::Service, Self::Controller];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Device,
            1 => Self::Dealer,
            2 => Self::Floorperson,
            3 => Self::Service,
            4 => Self::Controller,
            _ => return None,
        })
    }
}

impl Object for Role {
    const NAME: &'static str = "croupier.common.Role.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Proves who said it, to whom, and that it was not said before. The last 25 bytes of every croupier object.
///
/// A receiver drops and counts whatever does not verify. A device acts on a command only if the
/// sequence is not below the next sequence it keeps for that role; accepting moves that past it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Seal {
    /// Strictly increasing for each sender and role, also across power loss; never reused.
    pub sequence: u64,
    /// A value of Role. Plain, so that an unknown one can still be decoded and counted.
    pub role: u8,
    /// The first 16 bytes of HMAC-SHA-256 under the role's key over, in this order: the ASCII text
    /// "croupier seal 1"; source node (one byte); destination node (one byte, 255 for a message); port
    /// kind (one byte: 0 message, 1 request, 2 response); port id (two bytes, little endian); and the
    /// object up to this field.
    pub mac: [u8; 16],
}

impl Object for Seal {
    const NAME: &'static str = "croupier.common.Seal.1.0";
    const LONGEST: usize = 25;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.sequence, 64)?;
        to.put(self.role.into(), 8)?;
        to.put_bytes(&self.mac)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let sequence = from.take(64)?;
        let role = from.take(8)? as u8;
        let mac = from.take_bytes()?;
        Ok(Self { sequence, role, mac })
    }
}

/// What was changed at a device besides its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Setting {
    /// Nothing: never published.
    #[default]
    None = 0,
    /// The day clock was set (CM-09).
    Clock = 1,
    /// A key was set (CM-03).
    Key = 2,
    /// The service switch inside the housing was closed (CM-04).
    SwitchClosed = 3,
    /// It was opened.
    SwitchOpened = 4,
}

impl Setting {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 5] =
        [Self::None, Self::Clock, Self::Key, Self::SwitchClosed, Self::SwitchOpened];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Clock,
            2 => Self::Key,
            3 => Self::SwitchClosed,
            4 => Self::SwitchOpened,
            _ => return None,
        })
    }
}

impl Object for Setting {
    const NAME: &'static str = "croupier.common.Setting.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// Somebody changed something that the device's honesty rests on (CM-04, CM-08).
///
/// Sent by: every device, at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SettingChanged {
    /// Which event, and when.
    pub stamp: Stamp,
    /// What was changed.
    pub setting: Setting,
    /// Whose authority changed it; DEVICE for the switch.
    pub by: Role,
    /// With KEY, whose key it is; otherwise DEVICE.
    pub of: KeyHolder,
    /// With CLOCK, new time minus old time, 32767 at most either way; 0 at the first setting.
    pub seconds: i16,
    /// By the device.
    pub seal: Seal,
}

impl Object for SettingChanged {
    const NAME: &'static str = "croupier.common.SettingChanged.1.0";
    const LONGEST: usize = 39;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.setting.write(to)?;
        self.by.write(to)?;
        self.of.write(to)?;
        to.put(i64::from(self.seconds).cast_unsigned(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let setting = Setting::read(from)?;
        let by = Role::read(from)?;
        let of = KeyHolder::read(from)?;
        let seconds = from.take_signed(16)? as i16;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, setting, by, of, seconds, seal })
    }
}

impl Message for SettingChanged {
    const SUBJECT: SubjectId = subject(6150);
}

impl Sealed for SettingChanged {}

impl Event for SettingChanged {}

/// Which event this is, and when. The first 9 bytes of every event.
///
/// A receiver that sees `number` jump knows that it missed events and asks for them with Resend.
/// An event sent again keeps its stamp, so (`start`, `number`) tells a repeat from a new event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stamp {
    /// Low byte of the count of the device's starts. A new value: the device restarted.
    pub start: u8,
    /// Counts the events of this start, of all subjects together, from 0 by one. Status has the next.
    pub number: u32,
    /// Milliseconds since this start. Never set, so it never runs backwards; Clock ties it to the day.
    pub time_ms: u64,
}

impl Object for Stamp {
    const NAME: &'static str = "croupier.common.Stamp.1.0";
    const LONGEST: usize = 9;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.start.into(), 8)?;
        to.put(self.number.min(0xFFFFFF).into(), 24)?;
        to.put(self.time_ms.min(0xFFFFFFFFFF), 40)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let start = from.take(8)? as u8;
        let number = from.take(24)? as u32;
        let time_ms = from.take(40)?;
        Ok(Self { start, number, time_ms })
    }
}

/// The device started, and why. The first event of every start.
///
/// Sent by: every device, once, before any other event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Started {
    /// Which event, and when; its number is 0.
    pub stamp: Stamp,
    /// Why it started.
    pub cause: ResetCause,
    /// Crashes since power came on, up to 255.
    pub crashes: u8,
    /// Starts in the device's life; its low byte is the stamp's `start`.
    pub starts: u32,
    /// By the device.
    pub seal: Seal,
}

impl Object for Started {
    const NAME: &'static str = "croupier.common.Started.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.stamp.write(to)?;
        self.cause.write(to)?;
        to.put(self.crashes.into(), 8)?;
        to.put(self.starts.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let stamp = Stamp::read(from)?;
        let cause = ResetCause::read(from)?;
        let crashes = from.take(8)? as u8;
        let starts = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self { stamp, cause, crashes, starts, seal })
    }
}

impl Message for Started {
    const SUBJECT: SubjectId = subject(6147);
}

impl Sealed for Started {}

impl Event for Started {}

/// How the device is: shown at all times (CM-07) and repeated every second beside the standard Heartbeat.
///
/// Sent by: every device, once a second and at each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Status {
    /// Which device.
    pub kind: DeviceKind,
    /// The profile in force.
    pub game: Game,
    /// Decks per batch in that profile; 0 where none is set.
    pub decks: u8,
    /// Whether it may be used.
    pub condition: Condition,
    /// What it is doing.
    pub activity: Activity,
    /// What the most serious open irregularity asks for.
    pub next_step: NextStep,
    /// Who may clear that one; DEVICE if there is none, or if it clears itself when the cause is gone.
    pub cleared_by: Role,
    /// As in Stamp.
    pub start: u8,
    /// The number that the next event of this start will have: the last one lost is noticed too.
    pub next_event: u32,
    /// Requests dropped or refused for their seal since the start. Refusals has the kinds.
    pub refused: u32,
    /// By the device.
    pub seal: Seal,
}

impl Object for Status {
    const NAME: &'static str = "croupier.common.Status.1.0";
    const LONGEST: usize = 40;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.kind.write(to)?;
        self.game.write(to)?;
        to.put(self.decks.into(), 8)?;
        self.condition.write(to)?;
        self.activity.write(to)?;
        self.next_step.write(to)?;
        self.cleared_by.write(to)?;
        to.put(self.start.into(), 8)?;
        to.put(self.next_event.min(0xFFFFFF).into(), 24)?;
        to.put(self.refused.into(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let kind = DeviceKind::read(from)?;
        let game = Game::read(from)?;
        let decks = from.take(8)? as u8;
        let condition = Condition::read(from)?;
        let activity = Activity::read(from)?;
        let next_step = NextStep::read(from)?;
        let cleared_by = Role::read(from)?;
        let start = from.take(8)? as u8;
        let next_event = from.take(24)? as u32;
        let refused = from.take(32)? as u32;
        let seal = Seal::read(from)?;
        Ok(Self {
            kind,
            game,
            decks,
            condition,
            activity,
            next_step,
            cleared_by,
            start,
            next_event,
            refused,
            seal,
        })
    }
}

impl Message for Status {
    const SUBJECT: SubjectId = subject(6144);
}

impl Sealed for Status {}

/// What went wrong: below 32 in any device, from 32 in the reader, from 64 in the shuffler, from 128 in the generator.
///
/// Nothing here names a card. Where a trouble could tell something about one, the device holds it
/// back until the card has been turned up (RD-17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Trouble {
    /// Nothing.
    #[default]
    None = 0,
    /// It restarted after a crash; detail: the ResetCause.
    Crashed = 1,
    /// Something could not be kept, or what was kept is damaged.
    StoreFault = 2,
    /// The journal's chain is broken (CM-08); detail: low bits of the record.
    JournalFault = 3,
    /// The time of day is lost or not to be trusted (CM-09).
    ClockFault = 4,
    /// A lamp or segment does not follow; detail: its number.
    LampFault = 5,
    /// A key stayed down; detail: its number.
    KeyStuck = 6,
    /// The housing was opened (CM-04); detail: which switch.
    Tampered = 7,
    /// The random source failed a health test; detail: which.
    EntropyFault = 8,
    /// The program does not match what was measured before (CM-03).
    ImageAltered = 9,
    /// A gaming day began without a check (CM-05).
    InspectionDue = 10,
    /// The check found a fault; detail: the step.
    InspectionFailed = 11,
    /// Requests came with a bad seal; detail: how many since this was reported last, 65535 at most, see Refusals.
    SealsRefused = 12,
    /// An actuator or output does not follow; detail: its number.
    OutputFault = 13,
    /// Requests came faster than they can be answered; detail: how many were dropped since this was reported last, 65535 at most, see Refusals.
    RequestsDropped = 14,
    /// A card was inserted under an up-card that calls for no peek (590.13(i) and its like, RD-05).
    WrongUpCard = 32,
    /// Another up-card was given in this round, before or after its answer.
    SecondQuestion = 33,
    /// No answer after the allowed tries; detail: tries.
    CannotRead = 34,
    /// A beam or the scan head; detail: which.
    SensorFault = 35,
    /// The scan window wants cleaning.
    WindowDirty = 36,
    /// A card that the game's deck does not have; reported after the round, or once a malfunction in it is over (RD-17).
    WrongDeck = 37,
    /// A floorperson saw a wrong light (685a.12(h)); detail: how many were reported, up to 255.
    WrongLight = 38,
    /// A card stayed in the nest after the round.
    CardLeft = 39,
    /// The taught brand is damaged: teach again.
    BrandLost = 40,
    /// Two answers of one round contradict each other, so one was wrong (RD-12).
    Contradiction = 41,
    /// A card was inserted before its up-card was given: it was not looked at (RD-04).
    NoUpCard = 42,
    /// Soon after a look the other question was asked: of the same card? detail: ms since that look.
    QuickRepeat = 43,
    /// A card is stuck (SH-22); detail: the station.
    Jam = 64,
    /// Two cards went as one; detail: the card's place in the feed.
    DoubleFeed = 65,
    /// The roller found no card to take.
    NoPick = 66,
    /// The wheel or a motor did not move as commanded; detail: the axis.
    Stall = 67,
    /// Not the number the profile asks for (SH-08); detail: cards found.
    WrongCount = 68,
    /// Feed, slots and exit disagree (SH-09).
    CountNotValid = 69,
    /// A back of another colour (SH-18); detail: its place in the feed.
    ForeignBack = 70,
    /// A card lay face up (SH-29); detail: how many.
    FaceUp = 71,
    /// The batches must alternate (SH-17).
    SameBatchAgain = 72,
    /// The two batches differ in decks (SH-15).
    UnequalBatch = 73,
    /// Power, door or lid ended the cycle (SH-22).
    Interrupted = 74,
    /// A door or lid is open; detail: which.
    Opened = 75,
    /// Cards are left where none should be; detail: how many are known.
    CardInside = 76,
    /// Inside, chute and out do not make the batch (SH-19).
    InventoryWrong = 77,
    /// The batch expires soon (SH-40); detail: minutes left.
    DeckLifeNear = 78,
    /// The batch has expired (SH-40).
    DeckLifeOver = 79,
    /// A cover card came with the cards; not counted (SH-26).
    CoverCard = 81,
    /// The machine cannot be used (SH-23).
    Unusable = 82,
    /// The batch was never opened, or was retired: its age is not known (SH-40).
    BatchNotOpened = 83,
    /// Asked to shuffle while a certified batch waits inside (SH-28).
    BatchStored = 84,
    /// The game must have two batches, and this one is not opened (SH-15); detail: the Batch.
    BatchMissing = 85,
    /// Asked to release a batch while the other one is in play: a floorperson may (SH-28).
    BatchInPlay = 86,
    /// Cards are to be counted by hand (SH-09, SH-10); detail: rounds since a count was valid.
    StubDue = 88,
    /// Pressed before the shuffle was complete and bets closed (PG-10).
    EarlyPress = 128,
    /// Pressed again in the round (PG-11).
    SecondPress = 129,
    /// No number could be drawn, or the kept one is damaged (PG-16).
    SelectionFault = 130,
    /// The profile must have six positions (PG-13).
    SeatsNotSix = 131,
    /// Sooner after a draw than a deal can be, a round was ended or begun (PG-11); detail: ms since the draw.
    RoundTooShort = 132,
    /// 'Shuffled' by key or signal at a table that takes the shuffler's certificate (PG-10).
    NotByKey = 133,
    /// What was forwarded is no certificate for the deck in play (PG-10); detail: 1 no shuffler's key, 2 forged, 3 not released, 4 wrong count, 5 used.
    CertificateRefused = 134,
    /// The shuffler took a certificate back before the draw (PG-10).
    CertificateRevoked = 135,
}

impl Trouble {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 58] = [
        Self::None,
        Self::Crashed,
        Self::StoreFault,
        Self::JournalFault,
        Self::ClockFault,
        Self::LampFault,
        Self::KeyStuck,
        Self::Tampered,
        Self::EntropyFault,
        Self::ImageAltered,
        Self::InspectionDue,
        Self::InspectionFailed,
        Self::SealsRefused,
        Self::OutputFault,
        Self::RequestsDropped,
        Self::WrongUpCard,
        Self::SecondQuestion,
        Self::CannotRead,
        Self::SensorFault,
        Self::WindowDirty,
        Self::WrongDeck,
        Self::WrongLight,
        Self::CardLeft,
        Self::BrandLost,
        Self::Contradiction,
        Self::NoUpCard,
        Self::QuickRepeat,
        Self::Jam,
        Self::DoubleFeed,
        Self::NoPick,
        Self::Stall,
        Self::WrongCount,
        Self::CountNotValid,
        Self::ForeignBack,
        Self::FaceUp,
        Self::SameBatchAgain,
        Self::UnequalBatch,
        Self::Interrupted,
        Self::Opened,
        Self::CardInside,
        Self::InventoryWrong,
        Self::DeckLifeNear,
        Self::DeckLifeOver,
        Self::CoverCard,
        Self::Unusable,
        Self::BatchNotOpened,
        Self::BatchStored,
        Self::BatchMissing,
        Self::BatchInPlay,
        Self::StubDue,
        Self::EarlyPress,
        Self::SecondPress,
        Self::SelectionFault,
        Self::SeatsNotSix,
        Self::RoundTooShort,
        Self::NotByKey,
        Self::CertificateRefused,
        Self::CertificateRevoked,
    ];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::None,
            1 => Self::Crashed,
            2 => Self::StoreFault,
            3 => Self::JournalFault,
            4 => Self::ClockFault,
            5 => Self::LampFault,
            6 => Self::KeyStuck,
            7 => Self::Tampered,
            8 => Self::EntropyFault,
            9 => Self::ImageAltered,
            10 => Self::InspectionDue,
            11 => Self::InspectionFailed,
            12 => Self::SealsRefused,
            13 => Self::OutputFault,
            14 => Self::RequestsDropped,
            32 => Self::WrongUpCard,
            33 => Self::SecondQuestion,
            34 => Self::CannotRead,
            35 => Self::SensorFault,
            36 => Self::WindowDirty,
            37 => Self::WrongDeck,
            38 => Self::WrongLight,
            39 => Self::CardLeft,
            40 => Self::BrandLost,
            41 => Self::Contradiction,
            42 => Self::NoUpCard,
            43 => Self::QuickRepeat,
            64 => Self::Jam,
            65 => Self::DoubleFeed,
            66 => Self::NoPick,
            67 => Self::Stall,
            68 => Self::WrongCount,
            69 => Self::CountNotValid,
            70 => Self::ForeignBack,
            71 => Self::FaceUp,
            72 => Self::SameBatchAgain,
            73 => Self::UnequalBatch,
            74 => Self::Interrupted,
            75 => Self::Opened,
            76 => Self::CardInside,
            77 => Self::InventoryWrong,
            78 => Self::DeckLifeNear,
            79 => Self::DeckLifeOver,
            81 => Self::CoverCard,
            82 => Self::Unusable,
            83 => Self::BatchNotOpened,
            84 => Self::BatchStored,
            85 => Self::BatchMissing,
            86 => Self::BatchInPlay,
            88 => Self::StubDue,
            128 => Self::EarlyPress,
            129 => Self::SecondPress,
            130 => Self::SelectionFault,
            131 => Self::SeatsNotSix,
            132 => Self::RoundTooShort,
            133 => Self::NotByKey,
            134 => Self::CertificateRefused,
            135 => Self::CertificateRevoked,
            _ => return None,
        })
    }
}

impl Object for Trouble {
    const NAME: &'static str = "croupier.common.Trouble.1.0";
    const LONGEST: usize = 1;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 8)
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(8)? as u8;
        Self::from_code(code).ok_or(Malformed)
    }
}
