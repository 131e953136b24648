//! Answers what a group offers to its employees.

use pavise_kernel::{Call, Result};

use super::support::employee::{check_eligible, find_employee};
use super::support::first_day::compute_first_day;
use super::support::window::check_window;
use crate::contract::v1::{EnrollmentOptions, GetEnrollmentOptionsRequest, Group, RestrictedEffectiveDateSource};
use crate::shared::group::load_active_group;

/// The answer for somebody who enrolls on the web today.
pub(crate) async fn get_enrollment_options(
    call: &Call,
    request: GetEnrollmentOptionsRequest,
) -> Result<EnrollmentOptions> {
    let group = load_active_group(call, &request.group_id).await?;
    let employee = find_employee(call, &group.id, call.owner()).await?;
    let today = call.today();
    let first_day = compute_first_day(&group, employee.as_ref(), RestrictedEffectiveDateSource::Web, today);
    if check_eligible(&group, employee.as_ref()).is_err() {
        return Ok(show_stranger(group));
    }
    let is_open = check_window(&group, employee.as_ref(), today).is_ok();
    let division = employee.map(|employee| employee.division_id).unwrap_or_default();
    let mut pay_periods = group.pay_periods;
    pay_periods.retain(|period| period.division_id.is_empty() || period.division_id == division);
    Ok(EnrollmentOptions {
        group_id: group.id,
        name: group.name,
        brand: group.brand,
        country_identifier: group.country_identifier,
        offer_ids: group.offer_ids,
        pay_type: group.pay_type,
        employer_shares: group.employer_shares,
        pay_periods,
        effective_on: Some(first_day),
        open_enrollment_info: group.open_enrollment_info,
        is_open,
    })
}

/// The part that somebody sees who may not enroll: neither the employer's part of the prices nor the offers.
fn show_stranger(group: Group) -> EnrollmentOptions {
    EnrollmentOptions {
        group_id: group.id,
        name: group.name,
        brand: group.brand,
        country_identifier: group.country_identifier,
        ..EnrollmentOptions::default()
    }
}
