//! The service provision: a file for each call that is more than its declaration.

mod add;
mod create;
mod decide;
mod fields;
pub(crate) mod lifecycle;
pub(crate) mod plan_change;
mod process;
mod profile;
mod state;
mod status;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{self, Provision};

pub(crate) async fn create_provision(call: &Call, request: v1::CreateProvisionRequest) -> Result<Provision> {
    create::create(call, request).await
}

pub(crate) async fn process_provisions(
    call: &Call,
    request: v1::ProcessProvisionsRequest,
) -> Result<v1::ProcessProvisionsResponse> {
    process::process(call, request).await
}

pub(crate) async fn add_identity_id(call: &Call, request: v1::AddIdentityIdRequest) -> Result<Provision> {
    add::identity(call, request).await
}

pub(crate) async fn add_classic_map(call: &Call, request: v1::AddClassicMapRequest) -> Result<Provision> {
    add::classic_map(call, request).await
}

pub(crate) async fn add_subscription(call: &Call, request: v1::AddSubscriptionRequest) -> Result<Provision> {
    add::subscription(call, request).await
}

pub(crate) async fn add_entitlement(call: &Call, request: v1::AddEntitlementRequest) -> Result<Provision> {
    add::entitlement(call, request).await
}

pub(crate) async fn add_business(call: &Call, request: v1::AddBusinessRequest) -> Result<Provision> {
    add::business(call, request).await
}

pub(crate) async fn update_status(call: &Call, request: v1::UpdateStatusRequest) -> Result<Provision> {
    status::update(call, request).await
}

pub(crate) async fn update_provision_fields(call: &Call, request: v1::UpdateProvisionFieldsRequest) -> Result<Provision> {
    fields::update(call, request).await
}

pub(crate) async fn reinstate(call: &Call, request: v1::ReinstateRequest) -> Result<Provision> {
    decide::reinstate(call, request).await
}

pub(crate) async fn suspend(call: &Call, request: v1::SuspendRequest) -> Result<Provision> {
    decide::suspend(call, request).await
}

pub(crate) async fn submit_as_new(call: &Call, request: v1::SubmitAsNewRequest) -> Result<Provision> {
    decide::submit_as_new(call, request).await
}

pub(crate) async fn update_reinstatement_status(call: &Call, request: v1::UpdateReinstatementStatusRequest) -> Result<Provision> {
    decide::update_reinstatement_status(call, request).await
}

pub(crate) async fn profile_checked(call: &Call, request: v1::ProfileCheckedRequest) -> Result<Provision> {
    profile::checked(call, request).await
}

pub(crate) async fn profile_merged(call: &Call, request: v1::ProfileMergedRequest) -> Result<Provision> {
    profile::merged(call, request).await
}

pub(crate) async fn submit_plan_changes(call: &Call, request: v1::SubmitPlanChangesRequest) -> Result<Provision> {
    plan_change::submit(call, request).await
}

pub(crate) async fn process_plan_changes(
    call: &Call,
    request: v1::ProcessPlanChangesRequest,
) -> Result<v1::ProcessPlanChangesResponse> {
    plan_change::process(call, request).await
}
