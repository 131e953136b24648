//! The days between which something holds.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Error, Result, time};

/// The day of a request, or else today.
///
/// # Errors
/// `INVALID_FIELD` for a day of no calendar.
pub(crate) fn check_day(call: &Call, field: &str, day: Option<Date>) -> Result<Date> {
    match day {
        None => Ok(call.today()),
        Some(day) if time::is_real(day) => Ok(day),
        Some(_) => Err(Error::field(field, "is no day of the calendar")),
    }
}

/// Refuses days of no calendar, no first day, and a last day before the first.
///
/// # Errors
/// `INVALID_FIELD` at `starts_on` or `ends_on`.
pub(crate) fn check_days(starts_on: Option<Date>, ends_on: Option<Date>) -> Result<()> {
    for (field, day) in [("starts_on", starts_on), ("ends_on", ends_on)] {
        if day.is_some_and(|day| !time::is_real(day)) {
            return Err(Error::field(field, "is no day of the calendar"));
        }
    }
    match (starts_on, ends_on) {
        (None, _) => Err(Error::missing_field("starts_on")),
        (Some(first), Some(last)) if time::to_days(last) < time::to_days(first) => {
            Err(Error::field("ends_on", "must not be before starts_on"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_day_is_the_first_or_a_later_one() {
        let day = |month, day| Some(Date { year: 2026, month, day });
        check_days(day(3, 1), None).unwrap();
        check_days(day(3, 1), day(3, 1)).unwrap();
        let field = |first, last| check_days(first, last).unwrap_err().violations()[0].field.clone();
        assert_eq!(field(None, day(3, 1)), "starts_on");
        assert_eq!(field(day(2, 30), None), "starts_on");
        assert_eq!(field(day(1, 1), day(6, 31)), "ends_on");
        assert_eq!(field(day(3, 2), day(3, 1)), "ends_on");
    }
}
