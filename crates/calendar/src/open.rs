//! The times at which a calendar is open, one after the other.

use jiff::civil::Weekday;
use jiff::{SignedDuration, Timestamp};

use crate::calendar::Calendar;

const DAY: i64 = 86_400;

/// A time from its start until its end, which does not belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The first instant.
    pub start: Timestamp,
    /// The first instant after it.
    pub end: Timestamp,
}

impl Interval {
    /// How long it is.
    #[must_use]
    pub fn length(self) -> SignedDuration {
        self.end.duration_since(self.start)
    }
}

/// The open times of a calendar between two instants, in order. No two of them meet.
#[derive(Debug)]
pub struct Open<'c> {
    calendar: &'c Calendar,
    from: Timestamp,
    until: Timestamp,
    /// The present piece of time: an offset from UTC, and the second at which another one begins. Seconds since 1970.
    offset: i64,
    piece_start: i64,
    piece_end: i64,
    /// The present day, in days since 1970 on the clock at the wall, and the next of its times.
    day: i64,
    next: usize,
    /// An open time that the next one may continue.
    pending: Option<Interval>,
}

impl<'c> Open<'c> {
    pub(crate) fn new(calendar: &'c Calendar, from: Timestamp, until: Timestamp) -> Self {
        // A second earlier, because a negative instant is rounded towards 1970.
        let start = from.as_second().saturating_sub(1);
        let mut open = Self {
            calendar,
            from,
            until,
            offset: 0,
            piece_start: start,
            piece_end: start,
            day: 0,
            next: 0,
            pending: None,
        };
        open.enter_piece(start);
        open
    }

    /// Enters the piece of time that begins at that second.
    fn enter_piece(&mut self, start: i64) {
        let zone = self.calendar.zone();
        let at = timestamp(start);
        self.offset = i64::from(zone.to_offset(at).seconds());
        self.piece_start = start;
        self.piece_end = zone.following(at).next().map_or(i64::MAX, |change| change.timestamp().as_second());
        self.day = start.saturating_add(self.offset).div_euclid(DAY);
        self.next = 0;
    }

    /// The next time of one day within one piece; `None` at the end.
    fn next_part(&mut self) -> Option<Interval> {
        loop {
            let midnight = self.day.checked_mul(DAY)?.checked_sub(self.offset)?;
            if midnight >= self.piece_end {
                self.enter_piece(self.piece_end);
                continue;
            }
            if midnight.max(self.piece_start) > self.until.as_second() {
                return None;
            }
            let span = self.calendar.week().of(weekday(self.day)).get(self.next).copied();
            let Some(span) = span.filter(|_| self.next > 0 || !self.calendar.is_closed(self.day)) else {
                (self.day, self.next) = (self.day + 1, 0);
                continue;
            };
            self.next += 1;
            let start = (midnight + i64::from(span.opens()) * 60).max(self.piece_start);
            let end = (midnight + i64::from(span.closes()) * 60).min(self.piece_end);
            let part = Interval { start: timestamp(start).max(self.from), end: timestamp(end).min(self.until) };
            if part.start < part.end {
                return Some(part);
            }
        }
    }
}

impl Iterator for Open<'_> {
    type Item = Interval;

    fn next(&mut self) -> Option<Interval> {
        loop {
            let Some(part) = self.next_part() else { return self.pending.take() };
            match &mut self.pending {
                Some(pending) if pending.end == part.start => pending.end = part.end,
                pending => {
                    if let Some(whole) = pending.replace(part) {
                        return Some(whole);
                    }
                }
            }
        }
    }
}

/// The instant of a second since 1970, or the nearest that there is.
fn timestamp(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or(if second < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

/// The weekday of a day since 1970, which began on a Thursday.
pub(crate) fn weekday(day: i64) -> Weekday {
    let place = i8::try_from((day + 3).rem_euclid(7)).unwrap_or_default();
    Weekday::from_monday_zero_offset(place).unwrap_or(Weekday::Monday)
}
