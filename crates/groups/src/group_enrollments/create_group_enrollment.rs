//! Begins an enrollment.

use pavise_kernel::common::v1::Locale;
use pavise_kernel::{Call, Result};

use super::support::employee::{check_eligible, find_employee};
use crate::contract::v1::{
    CreateGroupEnrollmentRequest, GroupEnrollment, GroupEnrollmentSource, RestrictedEffectiveDateSource,
};
use crate::shared::group::load_active_group;

pub(crate) async fn create_group_enrollment(
    call: &Call,
    request: CreateGroupEnrollmentRequest,
) -> Result<GroupEnrollment> {
    let group = load_active_group(call, &request.group_id).await?;
    let employee = find_employee(call, &group.id, call.owner()).await?;
    check_eligible(&group, employee.as_ref())?;
    let entry_source = match (request.entry_source(), request.source()) {
        (RestrictedEffectiveDateSource::Unspecified, GroupEnrollmentSource::LsWork) => {
            RestrictedEffectiveDateSource::LsAtWork
        }
        (RestrictedEffectiveDateSource::Unspecified, GroupEnrollmentSource::Unspecified) => {
            RestrictedEffectiveDateSource::Web
        }
        (named, _) => named,
    };
    let employee = employee.unwrap_or_default();
    call.create(GroupEnrollment {
        owner_id: call.owner().to_owned(),
        group_id: group.id,
        division_id: employee.division_id,
        employee_id: employee.id,
        source: request.source,
        entry_source: entry_source.into(),
        personal_info: request.personal_info,
        address: request.address,
        job_title: request.job_title,
        pay_period_id: employee.pay_period_id,
        locale: if request.locale == 0 { Locale::EnUs.into() } else { request.locale },
        ..GroupEnrollment::default()
    })
    .await
}
