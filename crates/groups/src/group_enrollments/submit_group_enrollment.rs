//! Submits an enrollment.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Error, Result};

use super::change_enrollment_offers::check_sold;
use super::support::employee::{check_eligible, find_employee};
use super::support::first_day::compute_first_day;
use super::support::incomplete::{incomplete_error, is_deducted, is_paid_by_employee};
use super::support::window::check_window;
use crate::contract::v1::{
    EnrollmentTerms, ErrorReason, Group, GroupEnrollment, GroupEnrollmentStatus, SubmitGroupEnrollmentRequest,
};
use crate::employees::support::check_pay_period;
use crate::shared::group::load_active_group;

/// The days from a submission to the first day of its plans, at most.
const FURTHEST: i64 = 366;

/// Checks all that the group asks for, and notes its terms. A repeat of the call changes nothing.
pub(crate) async fn submit_group_enrollment(
    call: &Call,
    request: SubmitGroupEnrollmentRequest,
) -> Result<GroupEnrollment> {
    let before: GroupEnrollment = call.get(&request.enrollment_id).await?;
    if before.status() == GroupEnrollmentStatus::Submitted {
        return call.answer_unchanged(before).await;
    }
    call.check_transition(&before)?;
    let group = load_active_group(call, &before.group_id).await?;
    let employee = find_employee(call, &group.id, &before.owner_id).await?;
    check_eligible(&group, employee.as_ref())?;
    let today = call.today();
    check_window(&group, employee.as_ref(), today)?;
    let mut after = before.clone();
    let found = employee.clone().unwrap_or_default();
    (after.employee_id, after.division_id) = (found.id, found.division_id);
    let terms = build_terms(&group, &after);
    if let Some(error) = incomplete_error(&after, &terms) {
        return Err(error);
    }
    check_sold(&group, &after.offers)?;
    check_pay_period(&group, &after.division_id, &after.pay_period_id)?;
    check_billing_period(&after, &terms)?;
    let first_day = compute_first_day(&group, employee.as_ref(), after.entry_source(), today);
    if group.cancelled_on.is_some_and(|last| to_days(last) < to_days(first_day)) {
        return Err(Error::new(ErrorReason::GroupNotActive, "the group ends before the plans would begin"));
    }
    if to_days(first_day) - to_days(today) > FURTHEST {
        return Err(Error::new(ErrorReason::EnrollmentClosed, "the plans would begin more than a year from now"));
    }
    after.set_status(GroupEnrollmentStatus::Submitted);
    after.submitted_at = Some(call.timestamp());
    after.effective_on = Some(first_day);
    after.terms = Some(terms);
    after.failure = None;
    let mut unit = call.unit();
    let after = unit.update(&before, after)?;
    unit.commit_answer(after).await
}

fn build_terms(group: &Group, enrollment: &GroupEnrollment) -> EnrollmentTerms {
    let chosen = group.pay_periods.iter().find(|period| period.id == enrollment.pay_period_id);
    // The only rhythm that there is need not be named.
    let only = || group.pay_periods.first().filter(|_| group.pay_periods.len() == 1);
    let period = chosen.or_else(only).filter(|_| is_deducted(group.pay_type()));
    EnrollmentTerms {
        pay_type: group.pay_type,
        brand: group.brand.clone(),
        deductions_per_year: period.map_or(0, |period| period.deductions_per_year),
        employer_shares: group.employer_shares.clone(),
    }
}

/// Plans that are not paid by the employee themselves are billed each month.
fn check_billing_period(enrollment: &GroupEnrollment, terms: &EnrollmentTerms) -> Result<()> {
    if is_paid_by_employee(terms.pay_type()) {
        return Ok(());
    }
    let is_other = |period: BillingPeriod| !matches!(period, BillingPeriod::Unspecified | BillingPeriod::Monthly);
    match enrollment.offers.iter().position(|offer| is_other(offer.billing_period())) {
        Some(at) => Err(Error::field(
            format!("offers[{at}].billing_period"),
            "plans that the employer or the payroll pays are billed each month",
        )),
        None => Ok(()),
    }
}
