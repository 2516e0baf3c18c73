//! `croupier.common.ClockGet.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{
    Answered, Object, Reader, Request, Response, Sealed, Writer, service,
};
use crate::protocol::generated::croupier::common::{Answer, Seal};
use crate::protocol::transfer::ServiceId;

/// Asks for the day clock, and so ties event times to the day.
///
/// Asked by: anybody with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClockGetRequest {
    /// By any role.
    pub seal: Seal,
}

impl Object for ClockGetRequest {
    const NAME: &'static str = "croupier.common.ClockGet.1.0.Request";
    const SHORTEST: usize = 25;
    const LONGEST: usize = 25;
    const EXTENT: usize = 25;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.seal.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let seal = Seal::read(from)?;
        Some(Self { seal })
    }
}

impl Request for ClockGetRequest {
    const SERVICE: ServiceId = service(260);
    type Response = ClockGetResponse;
}

impl Sealed for ClockGetRequest {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

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
    const SHORTEST: usize = 58;
    const LONGEST: usize = 58;
    const EXTENT: usize = 58;
    const STRICT: bool = true;

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

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let answer = Answer::read(from)?;
        let start = from.take(8)? as u8;
        let time_ms = from.take(40)?;
        let utc_ms = from.take(64)?;
        let since_set_s = from.take(32)? as u32;
        let drift_ppb = from.take_signed(32)? as i32;
        let zone_minutes = from.take_signed(16)? as i16;
        let seal = Seal::read(from)?;
        Some(Self { answer, start, time_ms, utc_ms, since_set_s, drift_ppb, zone_minutes, seal })
    }
}

impl Response for ClockGetResponse {
    const SERVICE: ServiceId = service(260);
}

impl Sealed for ClockGetResponse {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    fn seal_mut(&mut self) -> &mut Seal {
        &mut self.seal
    }
}

impl Answered for ClockGetResponse {
    fn answer(&self) -> &Answer {
        &self.answer
    }

    fn answer_mut(&mut self) -> &mut Answer {
        &mut self.answer
    }
}
