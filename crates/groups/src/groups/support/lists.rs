//! Rules of the lists of a group.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Error, Result, time};

/// Checks that no two items have the same key. Items without one are passed over.
///
/// # Errors
/// `INVALID_FIELD` at the second of them.
pub(crate) fn check_distinct<K: PartialEq>(
    list: &str,
    field: &str,
    keys: impl Iterator<Item = Option<K>>,
) -> Result<()> {
    let mut seen: Vec<K> = Vec::new();
    for (at, key) in keys.enumerate() {
        let Some(key) = key else { continue };
        if seen.contains(&key) {
            return Err(Error::field(format!("{list}[{at}].{field}"), "is there twice"));
        }
        seen.push(key);
    }
    Ok(())
}

/// Checks that a span of days is real, and does not end before it begins.
///
/// # Errors
/// `INVALID_FIELD` at the wrong day.
pub(crate) fn check_span(place: &str, first: (&str, Option<Date>), last: (&str, Option<Date>)) -> Result<()> {
    for (field, day) in [first, last] {
        check_day(&join(place, field), day)?;
    }
    match (first.1, last.1) {
        (Some(begins), Some(ends)) if time::to_days(ends) < time::to_days(begins) => {
            Err(Error::field(join(place, last.0), "lies before the first day"))
        }
        _ => Ok(()),
    }
}

/// Checks that a day is one of the calendar.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_day(field: &str, day: Option<Date>) -> Result<()> {
    match day {
        Some(day) if !time::is_real(day) => Err(Error::field(field, "is no day of the calendar")),
        _ => Ok(()),
    }
}

fn join(place: &str, field: &str) -> String {
    if place.is_empty() { field.to_owned() } else { format!("{place}.{field}") }
}
