//! `croupier.common.ClockSet.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Sets the day clock (CM-09). Deck life and gaming days rest on it, so each setting is journalled with the error found.
///
/// Asked by: controller, for corrections up to 2 s; floorperson or service for larger ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClockSetRequest {
    /// Milliseconds since 1970-01-01T00:00:00Z at the moment of sending.
    pub utc_ms: u64,
    /// How far that may be off.
    pub uncertainty_ms: u32,
    /// Local time minus UTC: only for display and for the start of the gaming day.
    pub zone_minutes: i16,
    /// By the role that asks.
    pub seal: Seal,
}

impl Object for ClockSetRequest {
    const NAME: &'static str = "croupier.common.ClockSet.1.0.Request";
    const SHORTEST: usize = 39;
    const LONGEST: usize = 39;
    const EXTENT: usize = 39;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.utc_ms, 64)?;
        to.put(self.uncertainty_ms.into(), 32)?;
        to.put(i64::from(self.zone_minutes).cast_unsigned(), 16)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let utc_ms = from.take(64)?;
        let uncertainty_ms = from.take(32)? as u32;
        let zone_minutes = from.take_signed(16)? as i16;
        let seal = Seal::read(from)?;
        Some(Self { utc_ms, uncertainty_ms, zone_minutes, seal })
    }
}

impl Request for ClockSetRequest {
    const SERVICE: ServiceId = service(259);
    type Response = ClockSetResponse;
}

impl Sealed for ClockSetRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

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
    const SHORTEST: usize = 46;
    const LONGEST: usize = 46;
    const EXTENT: usize = 46;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.answer.write(to)?;
        to.put(self.correction_ms.cast_unsigned(), 64)?;
        to.put(i64::from(self.drift_ppb).cast_unsigned(), 32)?;
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let correction_ms = from.take_signed(64)?;
        let drift_ppb = from.take_signed(32)? as i32;
        let seal = Seal::read(from)?;
        Some(Self { answer, correction_ms, drift_ppb, seal })
    }
}

impl Response for ClockSetResponse {
    const SERVICE: ServiceId = service(259);
}

impl Sealed for ClockSetResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ClockSetResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
