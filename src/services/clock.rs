//! The day clock: deck life and gaming days rest on it, so it says what it is worth.
//!
//! The device counts time since its start; a role with authority ties that
//! count to the day. A controller may trim it by two seconds, ten a day in all; a larger step takes a
//! person (CM-09). A clock that was never set says so, as zero.
//!
//! The device keeps the time about once an hour. No time before a kept one is taken, except from
//! service: so no one makes an old check or an old deck young by a power cut and a wrong time. What
//! passed without power is not known to it: the first setting may be too early by that.

use core::ops::Range;

use crate::node::Refused;
use crate::protocol::generated::croupier::common::{
    ClockGetResponse, ClockSetRequest, ClockSetResponse, Role,
};
use crate::store::{Key, Record};
use crate::time::{Instant, Millis};

/// What a controller may correct by itself at once.
const TRIM: Millis = Millis::from_secs(2);
/// What it may correct in a day: more than a good quartz drifts.
const TRIM_A_DAY: Millis = Millis::from_secs(10);
const DAY: Millis = Millis::from_secs(24 * 60 * 60);
/// How much later it is at least when the time is kept again: 24 flash writes a day.
const KEEP_AFTER: Millis = Millis::from_secs(60 * 60);
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

/// A time of day that the device has kept, in milliseconds of the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptTime(pub u64);

impl Record for KeptTime {
    const KEY: Key = Key::KeptTime;
    type Buffer = [u8; 8];
    const BUFFER: [u8; 8] = [0; 8];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        *out.first_chunk_mut()? = self.0.to_le_bytes();
        Some(8)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        Some(Self(u64::from_le_bytes(bytes.try_into().ok()?)))
    }
}

/// The day clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct DayClock {
    setting: Option<Setting>,
    drift_ppb: i32,
    zone_minutes: i16,
    /// A time that has been: it is not earlier now.
    not_before_ms: u64,
    /// What controllers have trimmed since this moment, for a day.
    trimmed: Millis,
    trimmed_since: Instant,
}

impl DayClock {
    /// A clock that is not set.
    pub const fn new() -> Self {
        Self {
            setting: None,
            drift_ppb: 0,
            zone_minutes: 0,
            not_before_ms: 0,
            trimmed: Millis::ZERO,
            trimmed_since: Instant::START,
        }
    }

    /// It is not earlier than this, in milliseconds of the epoch: a record of the device says so.
    pub fn not_before(&mut self, utc_ms: u64) {
        self.not_before_ms = self.not_before_ms.max(utc_ms);
    }

    /// The latest time that it knows to have been.
    pub fn latest_ms(&self, now: Instant) -> u64 {
        self.utc_ms(now).unwrap_or(0).max(self.not_before_ms)
    }

    /// Whether it was set back from `latest_ms`, by more than a trim.
    pub fn is_set_back(&self, latest_ms: u64, now: Instant) -> bool {
        self.utc_ms(now).is_some_and(|utc_ms| utc_ms.saturating_add(TRIM.get()) < latest_ms)
    }

    /// Local time minus UTC.
    pub const fn zone_minutes(&self) -> i16 {
        self.zone_minutes
    }

    /// What is to be kept of the time now, if that is long enough after what was kept, or service
    /// has set it back.
    pub fn to_keep(&self, now: Instant) -> Option<KeptTime> {
        let utc_ms = self.utc_ms(now)?;
        let later = utc_ms >= self.not_before_ms.saturating_add(KEEP_AFTER.get());
        let back = utc_ms.saturating_add(TRIM_A_DAY.get()) < self.not_before_ms;
        (later || back).then_some(KeptTime(utc_ms))
    }

    /// This time is kept.
    pub fn kept(&mut self, KeptTime(utc_ms): KeptTime) {
        self.not_before_ms = utc_ms;
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
        let before = self.utc_ms(now);
        let trims = before.filter(|_| role == Role::Controller);
        if trims.is_none() && utc_ms < self.not_before_ms && role != Role::Service {
            return Err(Refused::NotAuthorised);
        }
        if let Some(before) = trims {
            self.trim(before.abs_diff(utc_ms), now)?;
        }
        if let (Some(before), Some(setting)) = (before, self.setting) {
            response.correction_ms = difference(utc_ms, before);
            let grew_for = now.since(setting.at);
            response.drift_ppb = drift_ppb(response.correction_ms, grew_for);
        }
        (self.drift_ppb, self.zone_minutes) = (response.drift_ppb, zone_minutes);
        self.setting = Some(Setting { utc_ms, at: now });
        Ok(response)
    }

    /// Takes a controller's correction out of what it has for the day.
    fn trim(&mut self, by_ms: u64, now: Instant) -> Result<(), Refused> {
        let is_over = now.since(self.trimmed_since) >= DAY;
        let (trimmed, since) =
            if is_over { (Millis::ZERO, now) } else { (self.trimmed, self.trimmed_since) };
        let trimmed = trimmed + Millis::new(by_ms);
        if by_ms > TRIM.get() || trimmed > TRIM_A_DAY {
            return Err(Refused::NotAuthorised);
        }
        (self.trimmed, self.trimmed_since) = (trimmed, since);
        Ok(())
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

    /// CM-09, CM-05: no role but service sets the time before one that was kept, whichever setting it is.
    #[test]
    fn cm_09_a_time_before_a_kept_one_is_refused() {
        for role in [Role::Controller, Role::Floorperson] {
            let mut clock = DayClock::new();
            clock.not_before(NOON);
            clock.not_before(NOON - 5); // an older record
            let refused = clock.set(&request(NOON - 1, 0), role, START);
            assert_eq!(refused, Err(Refused::NotAuthorised));
            assert_eq!(clock.utc_ms(START), None, "and nothing changed");
            clock.set(&request(NOON, 0), role, START).unwrap();
        }
        let mut clock = DayClock::new();
        clock.not_before(NOON);
        clock.set(&request(NOON + 5_000, 0), Role::Floorperson, START).unwrap();
        let back = clock.set(&request(NOON - 1, 0), Role::Floorperson, START);
        assert_eq!(back, Err(Refused::NotAuthorised), "nor later on");
        clock.set(&request(NOON - 60_000, 0), Role::Service, START).unwrap();
        assert!(clock.is_set_back(NOON + 5_000, START) && !clock.is_set_back(NOON - 58_000, START));
    }

    /// CM-09: a controller's trims add up, either way, to ten seconds in a day.
    #[test]
    fn cm_09_a_controllers_trims_are_limited_by_the_day() {
        for forward in [true, false] {
            let mut clock = DayClock::new();
            clock.set(&request(NOON, 0), Role::Controller, START).unwrap();
            let mut trim = |seconds: u64, now: Instant, role| {
                let (utc_ms, by) = (clock.utc_ms(now).unwrap(), seconds * 1_000);
                let utc_ms = if forward { utc_ms + by } else { utc_ms - by };
                clock.set(&request(utc_ms, 0), role, now).is_ok()
            };
            for _ in 0..5 {
                assert!(trim(2, TEN_SECONDS, Role::Controller));
            }
            assert!(!trim(1, TEN_SECONDS, Role::Controller), "eleven");
            assert!(trim(0, TEN_SECONDS, Role::Controller), "it is right");
            assert!(trim(60, TEN_SECONDS, Role::Floorperson), "a person may");
            let day = START + DAY;
            assert!(!trim(1, day - Millis::new(1), Role::Controller));
            assert!(trim(2, day, Role::Controller), "the next day");
        }
    }

    /// CM-09: the time is kept at the first setting, then each hour, and when service sets it back.
    #[test]
    fn cm_09_the_time_is_kept_about_once_an_hour() {
        let mut clock = DayClock::new();
        assert_eq!(clock.to_keep(START), None, "not set");
        clock.set(&request(NOON, 0), Role::Controller, START).unwrap();
        let kept = clock.to_keep(START).unwrap();
        assert_eq!(kept, KeptTime(NOON));
        clock.kept(kept);
        let hour = START + KEEP_AFTER;
        assert_eq!(clock.to_keep(hour - Millis::new(1)), None);
        assert_eq!(clock.to_keep(hour), Some(KeptTime(NOON + 3_600_000)));
        clock.set(&request(NOON - 9_000, 0), Role::Service, START).unwrap();
        assert_eq!(clock.to_keep(START), None);
        clock.set(&request(NOON - 11_000, 0), Role::Service, START).unwrap();
        assert_eq!(clock.to_keep(START), Some(KeptTime(NOON - 11_000)));
        let mut bytes = KeptTime::BUFFER;
        assert_eq!(kept.encode(&mut bytes), Some(8));
        assert_eq!(KeptTime::decode(&bytes), Some(kept));
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
