//! When the gaming day begins: a passed check is good until the next one does (581.2(d), CM-05).

use crate::time::Millis;

const DAY_MINUTES: u16 = 24 * 60;
const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = DAY_MINUTES as u64 * MINUTE_MS;
/// Daylight saving moves local time by up to an hour.
const DAYLIGHT_MINUTES: i64 = 60;

/// When the gaming day begins, in minutes of local time: from 1 to 1440, which is midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayBegins(u16);

impl DayBegins {
    /// At this minute, if a day has it.
    pub const fn at(minutes: u16) -> Option<Self> {
        if minutes >= 1 && minutes <= DAY_MINUTES { Some(Self(minutes)) } else { None }
    }

    /// Minutes of local time.
    pub const fn minutes(self) -> u16 {
        self.0
    }

    /// The first beginning after `utc_ms`, where local time is `zone_minutes` ahead of UTC.
    fn next(self, utc_ms: u64, zone_minutes: i16) -> u64 {
        let in_utc = i64::from(self.0) - i64::from(zone_minutes);
        let begins = in_utc.rem_euclid(i64::from(DAY_MINUTES)).unsigned_abs() * MINUTE_MS;
        let gone = (utc_ms % DAY_MS + DAY_MS - begins) % DAY_MS;
        utc_ms.saturating_add(DAY_MS - gone)
    }
}

/// 06:00.
impl Default for DayBegins {
    fn default() -> Self {
        Self(6 * 60)
    }
}

/// What the clock showed when the check was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PassedAt {
    /// Milliseconds of the epoch.
    pub utc_ms: u64,
    /// Local time minus UTC.
    pub zone_minutes: i16,
    /// When the gaming day begins by what the house has set.
    pub day_begins: DayBegins,
}

impl PassedAt {
    /// The same once the house has set another beginning: that may end the check sooner, not later.
    pub fn with(self, day_begins: DayBegins) -> Self {
        let next = |begins: DayBegins| begins.next(self.utc_ms, self.zone_minutes);
        if next(day_begins) < next(self.day_begins) { Self { day_begins, ..self } } else { self }
    }

    /// How long the check is still good at `utc_ms`, if it is, by the zone that is in force.
    ///
    /// The beginning moves with daylight saving. A zone that is further off does not prolong it any
    /// more than that; a time before the check is a wrong one.
    pub fn good_for(&self, utc_ms: u64, zone_minutes: i16) -> Option<Millis> {
        let ends = self.day_begins.next(self.utc_ms, self.zone_minutes);
        let later = i64::from(self.zone_minutes) - i64::from(zone_minutes);
        let later_ms = later.min(DAYLIGHT_MINUTES) * 60_000;
        let ends = ends.saturating_add_signed(later_ms);
        let is_after = utc_ms >= self.utc_ms;
        ends.checked_sub(utc_ms).filter(|left| is_after && *left > 0).map(Millis::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 60 * MINUTE_MS;
    /// A midnight of 2026 in UTC.
    const MIDNIGHT: u64 = 20_717 * DAY_MS;

    const fn at(hour: u64) -> u64 {
        MIDNIGHT + hour * HOUR
    }

    fn passed(hour: u64, zone_minutes: i16) -> PassedAt {
        PassedAt { utc_ms: at(hour), zone_minutes, day_begins: DayBegins::default() }
    }

    /// Hours for which it is still good.
    fn hours(passed: PassedAt, now: u64, zone_minutes: i16) -> Option<u64> {
        let left = passed.good_for(at(now), zone_minutes)?;
        Some(left.get() / HOUR)
    }

    /// CM-05, 581.2(d): a check is good until the next beginning, be that a minute or a day.
    #[test]
    fn cm_05_a_check_is_good_until_the_next_gaming_day_begins() {
        assert_eq!(hours(passed(23, 0), 23, 0), Some(7));
        assert_eq!(hours(passed(23, 0), 29, 0), Some(1));
        assert_eq!(hours(passed(23, 0), 30, 0), None, "the day begins");
        assert_eq!(hours(passed(5, 0), 5, 0), Some(1));
        assert_eq!(hours(passed(6, 0), 6, 0), Some(24), "at the beginning itself");
        assert_eq!(hours(passed(7, 0), 6, 0), None, "before it was made");
        let last = PassedAt { utc_ms: u64::MAX - 1, ..passed(0, 0) };
        assert!(last.good_for(u64::MAX - 1, -840).is_some());
    }

    /// CM-05, CM-09: it begins by local time, on either side of Greenwich.
    #[test]
    fn cm_05_the_gaming_day_begins_by_local_time() {
        assert_eq!(hours(passed(3, 120), 3, 120), Some(1), "05:00 in the east");
        assert_eq!(hours(passed(4, 120), 4, 120), Some(24), "06:00 in the east");
        assert_eq!(hours(passed(10, -300), 10, -300), Some(1), "05:00 in the west");
        assert_eq!(hours(passed(11, -300), 11, -300), Some(24), "06:00 in the west");
        assert_eq!(hours(passed(20, 840), 20, 840), Some(20), "10:00 of the next day");
    }

    /// CM-05, CM-09: the beginning moves with daylight saving and by no more: another zone cannot
    /// make an old check good.
    #[test]
    fn cm_05_daylight_saving_moves_the_beginning_and_no_zone_prolongs_a_check() {
        let autumn = passed(20, 120);
        assert_eq!(hours(autumn, 20, 120), Some(8));
        assert_eq!(hours(autumn, 20, 60), Some(9), "06:00 is an hour later");
        assert_eq!(hours(autumn, 20, -840), Some(9), "and no later than that");
        let spring = passed(20, 60);
        assert_eq!(hours(spring, 20, 120), Some(8), "06:00 is an hour sooner");
        assert_eq!(hours(spring, 20, 840), None);
        assert_eq!(hours(passed(4, 60), 4, 120), None, "05:00 is not made 06:00");
    }

    /// CM-05, CM-07: another beginning ends a check sooner, never later.
    #[test]
    fn cm_05_another_beginning_prolongs_no_check() {
        let passed = passed(8, 0);
        let good_for = |hour: u16| {
            let begins = DayBegins::at(hour * 60).unwrap();
            passed.with(begins).good_for(at(8), 0).map(|left| left.get() / HOUR)
        };
        assert_eq!(good_for(4), Some(20));
        assert_eq!(good_for(7), Some(22), "and not 23");
        assert_eq!(good_for(9), Some(1));
        assert_eq!(good_for(24), Some(16), "midnight");
        let back = passed.with(DayBegins::at(1440).unwrap()).with(DayBegins::default());
        assert_eq!(back, passed.with(DayBegins::at(1440).unwrap()), "nor the one before");
        assert_eq!((DayBegins::at(0), DayBegins::at(1441)), (None, None));
    }
}
