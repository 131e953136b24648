//! Ranges of days that requests name.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time;
use pavise_kernel::{Error, Result};

/// The most days of an export.
pub(crate) const MOST_DAYS: i64 = 366;

/// The first and the last due day of an export.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_days(from: Option<Date>, until: Option<Date>) -> Result<(Date, Date)> {
    check_range(("due_from", from), ("due_until", until), MOST_DAYS)
}

/// The first and the last day of a range, each with the name of its field.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_range(
    (from_field, from): (&'static str, Option<Date>),
    (until_field, until): (&'static str, Option<Date>),
    most_days: i64,
) -> Result<(Date, Date)> {
    let real = |field: &'static str, day: Option<Date>| {
        day.filter(|day| time::is_real(*day)).ok_or_else(|| Error::field(field, "must be a day of the calendar"))
    };
    let (from, until) = (real(from_field, from)?, real(until_field, until)?);
    let days = time::to_days(until) - time::to_days(from) + 1;
    if days < 1 {
        return Err(Error::field(until_field, format!("must not be before {from_field}")));
    }
    if days > most_days {
        return Err(Error::field(until_field, format!("must be within {most_days} days")));
    }
    Ok((from, until))
}
