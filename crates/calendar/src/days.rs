//! Days before and after a day, and the instants of a time of day on them.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

/// The day at an instant, in a time zone.
#[must_use]
pub fn day_at(zone: &TimeZone, at: Timestamp) -> Date {
    zone.to_datetime(at).date()
}

/// The instant of a time of day, so many days after a day, or before it by a negative number. A time that a clock change
/// leaves out is as much later, and of one that it repeats the first counts. `None` outside the range of dates.
#[must_use]
pub fn instant(zone: &TimeZone, day: Date, after: i32, time: Time) -> Option<Timestamp> {
    let day = day.checked_add(Span::new().try_days(after).ok()?).ok()?;
    zone.to_ambiguous_timestamp(day.to_datetime(time)).compatible().ok()
}

/// The first instant of a day. It is midnight, or later where a clock change leaves midnight out.
#[must_use]
pub fn start(zone: &TimeZone, day: Date) -> Option<Timestamp> {
    instant(zone, day, 0, Time::midnight())
}

/// The days from one instant to another on the calendar at the wall: 1 from 23:59 to 00:01.
#[must_use]
pub fn between(zone: &TimeZone, from: Timestamp, until: Timestamp) -> i64 {
    day_at(zone, until).duration_since(day_at(zone, from)).as_hours() / 24
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::{date, time};

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_time_of_day_stays_over_a_clock_change() {
        let chicago = zone("America/Chicago");
        let day = date(2026, 3, 10);
        let nine = |after| instant(&chicago, day, after, time(9, 0, 0, 0)).unwrap();
        assert_eq!(nine(-3), at("2026-03-07T15:00:00Z"));
        assert_eq!(nine(-1), at("2026-03-09T14:00:00Z"));
        assert_eq!(nine(14), at("2026-03-24T14:00:00Z"));
    }

    #[test]
    fn a_time_that_is_left_out_is_later_and_a_repeated_one_the_first() {
        let chicago = zone("America/Chicago");
        let half_past = |day, hour| instant(&chicago, day, 0, time(hour, 30, 0, 0)).unwrap();
        assert_eq!(half_past(date(2026, 3, 8), 2), at("2026-03-08T08:30:00Z"), "03:30 daylight time");
        assert_eq!(half_past(date(2026, 11, 1), 1), at("2026-11-01T06:30:00Z"), "daylight time still");
    }

    #[test]
    fn days_are_those_of_the_zone() {
        let (late, early) = (at("2026-03-08T05:59:00Z"), at("2026-03-08T06:01:00Z"));
        assert_eq!(between(&zone("America/Chicago"), late, early), 1);
        assert_eq!(between(&zone("America/New_York"), late, early), 0);
        assert_eq!(between(&zone("America/Chicago"), early, late), -1);
        assert_eq!(day_at(&zone("America/Chicago"), late), date(2026, 3, 7));
        // Cuba's clocks change at midnight.
        assert_eq!(start(&zone("America/Havana"), date(2026, 3, 8)), Some(at("2026-03-08T05:00:00Z")));
    }
}
