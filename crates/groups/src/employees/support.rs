//! The places of an employee within their group.

use pavise_kernel::{Error, Result};

use crate::contract::v1::Group;

/// Checks that a division is one of the group's. An empty id is the whole group.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_division(group: &Group, division_id: &str) -> Result<()> {
    if division_id.is_empty() || group.divisions.iter().any(|division| division.id == division_id) {
        return Ok(());
    }
    Err(Error::field("division_id", "names no division of the group"))
}

/// Checks that a pay period is one of the group's, for the whole group or for the division. An empty id is none.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) fn check_pay_period(group: &Group, division_id: &str, pay_period_id: &str) -> Result<()> {
    let period = group.pay_periods.iter().find(|period| period.id == pay_period_id);
    match period {
        None if pay_period_id.is_empty() => Ok(()),
        Some(period) if period.division_id.is_empty() || period.division_id == division_id => Ok(()),
        Some(_) => Err(Error::field("pay_period_id", "names a pay period of another division")),
        None => Err(Error::field("pay_period_id", "names no pay period of the group")),
    }
}
