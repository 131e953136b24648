//! The day that a request asks for.

use pavise_kernel::common::v1::Date;
use pavise_kernel::{Call, Error, Result, time};

/// The day of a request; today when it names none.
///
/// # Errors
/// `INVALID_FIELD` for a day that does not exist.
pub(crate) fn choose_day(call: &Call, said: Option<Date>) -> Result<Date> {
    match said {
        Some(date) if time::is_real(date) => Ok(date),
        Some(_) => Err(Error::field("on", "is no day of the calendar")),
        None => Ok(call.today()),
    }
}
