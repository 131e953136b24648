//! The days for which a new employee waits.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::add_days;

use crate::contract::v1::{Employee, Group};

/// The day on which the waiting days of a new employee are over.
pub(crate) fn last_waiting_day(group: &Group, employee: &Employee) -> Option<Date> {
    let days = group.enrollment_config.as_ref().map_or(0, |config| config.waiting_days);
    employee.hired_on.map(|hired| add_days(hired, i64::from(days)))
}
