//! Days of a subscription.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::{is_real, to_days};
use pavise_kernel::{Error, Result};

use crate::contract::v1::Subscription;

/// Formats a day as text that sorts by day.
pub(crate) fn format_day(Date { year, month, day }: Date) -> String {
    format!("{year:04}-{month:02}-{day:02}")
}

/// Refuses a day that the calendar does not have.
pub(crate) fn check_day(field: &str, day: Option<Date>) -> Result<Option<Date>> {
    match day {
        Some(day) if !is_real(day) => Err(Error::field(field, "is no day of the calendar")),
        day => Ok(day),
    }
}

/// Requires a day of the calendar.
pub(crate) fn require_day(field: &str, day: Option<Date>) -> Result<Date> {
    check_day(field, day)?.ok_or_else(|| Error::missing_field(field))
}

/// Refuses a next billing day before the first day.
pub(crate) fn check_order(subscription: &Subscription, field: &str) -> Result<()> {
    match (subscription.started_on, subscription.next_bill_on) {
        (Some(first), Some(next)) if to_days(next) < to_days(first) => {
            Err(Error::field(field, "the next billing day would lie before the first day"))
        }
        _ => Ok(()),
    }
}
