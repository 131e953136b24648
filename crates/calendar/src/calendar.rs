//! The calendar of something that opens and closes.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::holiday::Holiday;
use crate::open::{Interval, Open, weekday};
use crate::week::Week;

/// How far an opening is looked for.
const HORIZON: SignedDuration = SignedDuration::from_hours(24 * 366 * 3);

/// The hours of a week in a time zone, without the days on which it is closed.
#[derive(Debug, Clone)]
pub struct Calendar {
    zone: TimeZone,
    week: Week,
    /// First and last days, in days since 1970.
    closures: Vec<(i64, i64)>,
    holidays: Vec<Holiday>,
}

impl Calendar {
    /// A calendar that is open at the hours of each week.
    #[must_use]
    pub fn new(zone: TimeZone, week: Week) -> Self {
        Self { zone, week, closures: Vec::new(), holidays: Vec::new() }
    }

    /// The calendar, closed from the first until the last of these days.
    #[must_use]
    pub fn closed(mut self, first: Date, last: Date) -> Self {
        self.closures.push((day_number(first), day_number(last)));
        self
    }

    /// The calendar, closed on these days.
    #[must_use]
    pub fn holidays(mut self, days: impl IntoIterator<Item = Holiday>) -> Self {
        self.holidays.extend(days);
        self
    }

    /// Its time zone.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    pub(crate) fn week(&self) -> &Week {
        &self.week
    }

    /// Whether it is closed on a day, in days since 1970.
    pub(crate) fn is_closed(&self, day: i64) -> bool {
        if self.closures.iter().any(|(first, last)| (*first..=*last).contains(&day)) {
            return true;
        }
        // Most days need no date.
        !self.holidays.is_empty()
            && !self.week.of(weekday(day)).is_empty()
            && date_of(day).is_some_and(|date| self.holidays.iter().any(|holiday| holiday.falls_on(date)))
    }

    /// Whether it is open at an instant.
    #[must_use]
    pub fn is_open(&self, at: Timestamp) -> bool {
        let local = self.zone.to_datetime(at);
        let minute = u16::try_from(i32::from(local.hour()) * 60 + i32::from(local.minute())).unwrap_or_default();
        self.week.of(local.weekday()).iter().any(|span| span.has(minute)) && !self.is_closed(day_number(local.date()))
    }

    /// The open times between two instants, in order. No two of them meet.
    #[must_use]
    pub fn open(&self, from: Timestamp, until: Timestamp) -> Open<'_> {
        Open::new(self, from, until)
    }

    /// The open time at an instant, from the instant on.
    #[must_use]
    pub fn open_at(&self, at: Timestamp) -> Option<Interval> {
        self.open(at, horizon(at)).next().filter(|open| open.start == at)
    }

    /// The first instant from `at` on at which it is open: `at` itself if it is open then. `None` if it does not open within
    /// three years.
    #[must_use]
    pub fn next_opening(&self, at: Timestamp) -> Option<Timestamp> {
        if self.week.is_empty() {
            return None;
        }
        self.open(at, horizon(at)).next().map(|open| open.start)
    }

    /// The instant at which so much business time has passed since `at`. It lies at the end of an open time rather than at
    /// the next opening. `None` for a negative time, and if it would lie more than three years ahead.
    #[must_use]
    pub fn add(&self, at: Timestamp, business: SignedDuration) -> Option<Timestamp> {
        let mut rest = business;
        if rest.is_negative() || (self.week.is_empty() && !rest.is_zero()) {
            return None;
        }
        if rest.is_zero() {
            return Some(at);
        }
        for open in self.open(at, horizon(at)) {
            if rest <= open.length() {
                return open.start.checked_add(rest).ok();
            }
            rest = rest.checked_sub(open.length())?;
        }
        None
    }

    /// The business time between two instants; none if `until` is not after `from`.
    #[must_use]
    pub fn between(&self, from: Timestamp, until: Timestamp) -> SignedDuration {
        self.open(from, until).map(Interval::length).fold(SignedDuration::ZERO, SignedDuration::saturating_add)
    }
}

fn horizon(at: Timestamp) -> Timestamp {
    at.checked_add(HORIZON).unwrap_or(Timestamp::MAX)
}

/// The days since 1970.
fn day_number(day: Date) -> i64 {
    day.duration_since(date(1970, 1, 1)).as_hours() / 24
}

fn date_of(day: i64) -> Option<Date> {
    date(1970, 1, 1).checked_add(jiff::Span::new().try_days(day).ok()?).ok()
}
