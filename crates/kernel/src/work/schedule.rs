//! Calendar rules: when a timer with a rule and a time zone is due.

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::error::{Error, Result};
use crate::time::Micros;
use crate::work::worker::{JournalFeed, Worker};

/// A second, in microseconds.
const SECOND: Micros = 1_000_000;

/// A calendar rule in a time zone.
#[derive(Debug, Clone)]
pub struct Schedule {
    rule: Cron,
    zone: TimeZone,
}

impl Schedule {
    /// Reads a rule with five fields, and the name of a time zone.
    ///
    /// # Errors
    /// `INTERNAL` for a rule that cannot be read or is never due, and for an unknown zone: an error of the program.
    pub fn parse(rule: &str, zone: &str) -> Result<Self> {
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let parsed =
            parser.parse(rule).map_err(|error| Error::internal(format!("the calendar rule {rule:?}: {error}")))?;
        let found = TimeZone::get(zone).map_err(|error| Error::internal(format!("the time zone {zone:?}: {error}")))?;
        let schedule = Self { rule: parsed, zone: found };
        match schedule.next_after(0) {
            Some(_) => Ok(schedule),
            None => Err(Error::internal(format!("the calendar rule {rule:?} is never due"))),
        }
    }

    /// The first due time after an instant; `None` if there is none.
    #[must_use]
    pub fn next_after(&self, after: Micros) -> Option<Micros> {
        let whole = Timestamp::from_microsecond(after.div_euclid(SECOND) * SECOND).ok()?;
        let next = self.rule.find_next_occurrence(&whole.to_zoned(self.zone.clone()), false).ok()?;
        Some(next.timestamp().as_microsecond())
    }

    /// The rule in plain English: "At 02:30."
    #[must_use]
    pub fn describe(&self) -> String {
        self.rule.describe()
    }
}

/// Checks the calendar rules of workers.
///
/// # Errors
/// `INTERNAL` with the worker's name when its rule cannot be read: an error of the program.
pub(crate) fn check_schedules<'a>(workers: impl IntoIterator<Item = &'a dyn Worker>) -> Result<()> {
    for worker in workers {
        if let JournalFeed::Calendar { rule, zone } = worker.feed() {
            Schedule::parse(rule, zone).map_err(|error| {
                Error::internal(format!("{}: {}", worker.name(), error.cause().unwrap_or(error.message())))
            })?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The due times of a rule after an instant, as they stand on the zone's clock.
    fn due(rule: &str, zone: &str, after: &str, count: usize) -> Vec<String> {
        let schedule = Schedule::parse(rule, zone).unwrap();
        let mut at = after.parse::<Timestamp>().unwrap().as_microsecond();
        let mut due = Vec::new();
        for _ in 0..count {
            at = schedule.next_after(at).unwrap();
            due.push(Timestamp::from_microsecond(at).unwrap().to_string());
        }
        due
    }

    #[test]
    fn a_time_that_the_clock_leaves_out_is_due_once() {
        // In Chicago, 2:00 is followed by 3:00 on 8 March 2026.
        let days = due("30 2 * * *", "America/Chicago", "2026-03-07T12:00:00Z", 3);
        assert_eq!(days, ["2026-03-08T08:00:00Z", "2026-03-09T07:30:00Z", "2026-03-10T07:30:00Z"]);
    }

    #[test]
    fn a_time_that_the_clock_repeats_is_due_once() {
        // In Chicago, 1:59 is followed by 1:00 on 1 November 2026.
        let days = due("30 1 * * *", "America/Chicago", "2026-10-31T12:00:00Z", 3);
        assert_eq!(days, ["2026-11-01T06:30:00Z", "2026-11-02T07:30:00Z", "2026-11-03T07:30:00Z"]);
    }

    #[test]
    fn the_next_time_is_after_a_part_of_a_second() {
        let schedule = Schedule::parse("0 0 1 * *", "UTC").unwrap();
        let due = schedule.next_after(0).unwrap();
        assert_eq!(schedule.next_after(due - 1), Some(due));
        assert!(schedule.next_after(due).unwrap() > due + 1 && schedule.next_after(due + 1).unwrap() > due + 1);
    }

    #[test]
    fn bad_rules_and_zones_are_named() {
        let cases = [
            ("61 * * * *", "UTC", "61 * * * *"),
            ("* * * *", "UTC", "* * * *"),
            ("0 0 2 30 * *", "UTC", "0 0 2 30 * *"),
            ("0 0 30 2 *", "UTC", "never due"),
            ("", "UTC", "calendar rule"),
            ("0 0 * * *", "America/Nowhere", "America/Nowhere"),
        ];
        for (rule, zone, said) in cases {
            let error = Schedule::parse(rule, zone).unwrap_err();
            assert!(error.cause().unwrap_or_default().contains(said), "{rule} in {zone}: {error}");
        }
    }
}
