//! The day clock: deck life and gaming days rest on it, so it says what it is worth.
//!
//! The device counts time since its start; a role with authority ties that
//! count to the day. A controller may trim it by two seconds; a larger step takes a
//! person (CM-09). A clock that was never set says so, as zero.

use core::ops::Range;

use crate::node::Refused;
use crate::protocol::generated::croupier::common::{
    ClockGetResponse, ClockSetRequest, ClockSetResponse, Role,
};
use crate::time::{Instant, Millis};

/// What a controller may correct by itself.
const TRIM: Millis = Millis::from_secs(2);
/// The years 2020 to 2199: a clock set before or after is a mistake. So times of day can be added and
/// compared as they are, and fit the six bytes that a generator's record has for one.
const POSSIBLE_UTC_MS: Range<u64> = 1_577_836_800_000..7_258_118_400_000;
/// The widest time zone.
const ZONE_MINUTES: u16 = 14 * 60;

/// When the clock was set, and to what.
#[derive(Debug, Clone, Copy)]
struct Setting {
    utc_ms: u64,
    at: Instant,
}

/// The day clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct DayClock {
    setting: Option<Setting>,
    drift_ppb: i32,
    zone_minutes: i16,
}

impl DayClock {
    /// A clock that is not set.
    pub const fn new() -> Self {
        Self { setting: None, drift_ppb: 0, zone_minutes: 0 }
    }

    /// Milliseconds of the epoch at `now` of this start, if the clock is set.
    pub fn utc_ms(&self, now: Instant) -> Option<u64> {
        let Setting { utc_ms, at } = self.setting?;
        Some(utc_ms.saturating_add(now.since(at).get()))
    }

    /// Obeys `ClockSet`, or says why not; then nothing has changed.
    pub fn set(
        &mut self,
        asked: &ClockSetRequest,
        role: Role,
        now: Instant,
    ) -> Result<ClockSetResponse, Refused> {
        let &ClockSetRequest { utc_ms, zone_minutes, .. } = asked;
        if !POSSIBLE_UTC_MS.contains(&utc_ms) || zone_minutes.unsigned_abs() > ZONE_MINUTES {
            return Err(Refused::OutOfRange);
        }
        let mut response = ClockSetResponse::default();
        if let (Some(before), Some(setting)) = (self.utc_ms(now), self.setting) {
            if before.abs_diff(utc_ms) > TRIM.get() && role == Role::Controller {
                return Err(Refused::NotAuthorised);
            }
            response.correction_ms = difference(utc_ms, before);
            let grew_for = now.since(setting.at);
            response.drift_ppb = drift_ppb(response.correction_ms, grew_for);
        }
        (self.drift_ppb, self.zone_minutes) = (response.drift_ppb, zone_minutes);
        self.setting = Some(Setting { utc_ms, at: now });
        Ok(response)
    }

    /// The same moment on both clocks.
    pub fn answer(&self, start: u8, now: Instant) -> ClockGetResponse {
        let since = self.setting.map_or(0, |setting| now.since(setting.at).as_secs());
        ClockGetResponse {
            start,
            time_ms: now.as_millis(),
            utc_ms: self.utc_ms(now).unwrap_or(0),
            since_set_s: u32::try_from(since).unwrap_or(u32::MAX),
            drift_ppb: self.drift_ppb,
            zone_minutes: self.zone_minutes,
            ..ClockGetResponse::default()
        }
    }
}

/// `now` minus `before`.
fn difference(now: u64, before: u64) -> i64 {
    let size = i64::try_from(now.abs_diff(before)).unwrap_or(i64::MAX);
    if now < before { -size } else { size }
}

/// A correction as a rate over the time it grew in. One of more than a hundred days is taken for a
/// hundred: a clock is never so wrong.
fn drift_ppb(correction_ms: i64, over: Millis) -> i32 {
    let over = i64::try_from(over.get().max(1)).unwrap_or(i64::MAX);
    let rate = correction_ms.saturating_mul(1_000_000_000) / over;
    rate.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Instant = Instant::START;
    const TEN_SECONDS: Instant = Instant::from_millis(10_000);
    const NOON: u64 = 1_790_000_000_000;

    fn request(utc_ms: u64, zone_minutes: i16) -> ClockSetRequest {
        ClockSetRequest { utc_ms, zone_minutes, ..ClockSetRequest::default() }
    }

    /// CM-09.
    #[test]
    fn a_controller_trims_and_a_person_steps() {
        let mut clock = DayClock::new();
        assert_eq!(clock.utc_ms(START), None, "a clock never set says so");
        let first = clock.set(&request(NOON, 60), Role::Controller, START).unwrap();
        assert_eq!((first.correction_ms, first.drift_ppb), (0, 0));
        assert_eq!(clock.utc_ms(TEN_SECONDS), Some(NOON + 10_000));

        let off_by_three = request(NOON + 13_000, 60);
        let refused = clock.set(&off_by_three, Role::Controller, TEN_SECONDS);
        assert_eq!(refused, Err(Refused::NotAuthorised));
        let back_by_three = request(NOON + 7_000, 60);
        let refused = clock.set(&back_by_three, Role::Controller, TEN_SECONDS);
        assert_eq!(refused, Err(Refused::NotAuthorised), "nor back");
        assert_eq!(clock.utc_ms(TEN_SECONDS), Some(NOON + 10_000), "and nothing changed");

        let stepped = clock.set(&off_by_three, Role::Floorperson, TEN_SECONDS).unwrap();
        assert_eq!((stepped.correction_ms, stepped.drift_ppb), (3_000, 300_000_000));
        let back = clock.set(&request(NOON + 12_000, 60), Role::Controller, TEN_SECONDS).unwrap();
        assert_eq!(back.correction_ms, -1_000);
    }

    /// CM-09: only times from 2020 to 2199 are times, from any role.
    #[test]
    fn cm_09_impossible_times_are_refused() {
        let mut clock = DayClock::new();
        for utc_ms in [0, 1_577_836_799_999, 7_258_118_400_000, i64::MAX as u64, u64::MAX] {
            for role in [Role::Controller, Role::Floorperson, Role::Service] {
                let refused = clock.set(&request(utc_ms, 0), role, START);
                assert_eq!(refused, Err(Refused::OutOfRange), "{utc_ms}");
            }
        }
        // The first and last milliseconds of 2020 and 2199.
        let Range { start, end } = POSSIBLE_UTC_MS;
        for zone in [-841, 841, i16::MIN] {
            let refused = clock.set(&request(NOON, zone), Role::Service, START);
            assert_eq!(refused, Err(Refused::OutOfRange), "{zone}");
        }
        assert_eq!(clock.utc_ms(START), None);
        for utc_ms in [start, end - 1, start] {
            clock.set(&request(utc_ms, 840), Role::Service, Instant::MAX).unwrap();
        }
    }

    /// CM-09: a device that runs for ever does not panic over the time.
    #[test]
    fn cm_09_no_correction_overflows() {
        let mut clock = DayClock::new();
        let last = POSSIBLE_UTC_MS.end - 1;
        clock.set(&request(last, 0), Role::Service, START).unwrap();
        let answer = clock.set(&request(NOON, 0), Role::Service, Instant::MAX).unwrap();
        assert_eq!((answer.correction_ms, answer.drift_ppb), (-i64::MAX, -1));
        assert_eq!(difference(0, u64::MAX), -i64::MAX);
        assert_eq!(difference(u64::MAX, 0), i64::MAX);
    }

    #[test]
    fn the_answer_ties_both_clocks_together() {
        let mut clock = DayClock::new();
        clock.set(&request(NOON, -300), Role::Service, Instant::from_millis(1_000)).unwrap();
        let answer = clock.answer(7, Instant::from_millis(61_000));
        assert_eq!((answer.start, answer.time_ms), (7, 61_000));
        assert_eq!((answer.utc_ms, answer.since_set_s), (NOON + 60_000, 60));
        assert_eq!(answer.zone_minutes, -300);
    }
}
