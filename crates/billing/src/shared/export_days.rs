//! The range of days of an export.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time;
use pavise_kernel::{Error, Result};

/// The most days of a range.
const MOST_DAYS: i64 = 366;

/// The first and the last day.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_days(from: Option<Date>, until: Option<Date>) -> Result<(Date, Date)> {
    check_named_days(("due_from", "due_until"), from, until)
}

/// The first and the last day, of the request fields with these names.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_named_days(
    (first, last): (&'static str, &'static str),
    from: Option<Date>,
    until: Option<Date>,
) -> Result<(Date, Date)> {
    let real = |field: &'static str, day: Option<Date>| {
        day.filter(|day| time::is_real(*day)).ok_or_else(|| Error::field(field, "must be a day of the calendar"))
    };
    let (from, until) = (real(first, from)?, real(last, until)?);
    let days = time::to_days(until) - time::to_days(from) + 1;
    if days < 1 {
        return Err(Error::field(last, format!("must not be before {first}")));
    }
    if days > MOST_DAYS {
        return Err(Error::field(last, format!("must be within {MOST_DAYS} days")));
    }
    Ok((from, until))
}
