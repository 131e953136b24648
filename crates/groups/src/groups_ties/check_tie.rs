//! Tells whether an identity works for a group, and whether the group is ACTIVE.

use pavise_kernel::common::v1::{CheckTieRequest, CheckTieResponse};
use pavise_kernel::store::Filter;
use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Aggregate as _, Call, Error, Result};

use crate::contract::lookups::employee::GROUP_ID;
use crate::contract::v1::{Employee, EmployeeStatus, Group, GroupStatus};

/// The statuses of somebody who works for a group.
const EMPLOYED: [EmployeeStatus; 3] = [EmployeeStatus::Eligible, EmployeeStatus::Enrolled, EmployeeStatus::OnLeave];

/// Takes the same steps for every identity, so that its time does not tell who exists.
pub(crate) async fn check_tie(call: &Call, request: CheckTieRequest) -> Result<CheckTieResponse> {
    if request.kind != ScopeKind::Group.spelling() {
        return Ok(CheckTieResponse::default());
    }
    let group = call.find_unscoped::<Group>(&request.scope_id).await?;
    let open = group.is_some_and(|group| group.status() == GroupStatus::Active);
    let by_group =
        Employee::TABLE.lookup(GROUP_ID).ok_or_else(|| Error::internal("employees have no lookup of groups"))?;
    let filter = Filter {
        owner: Some(request.identity_id),
        statuses: EMPLOYED.map(|status| status.spelling().to_owned()).to_vec(),
        lookups: vec![(by_group, request.scope_id)],
        limit: 1,
        ..Filter::default()
    };
    let tied = !call.kernel().store().list(Employee::TABLE, &filter).await?.is_empty();
    Ok(CheckTieResponse { tied, open, ..CheckTieResponse::default() })
}
