//! The service entitlements: a file for each kind of call that is more than its declaration.

mod contracts;
mod coverage;
mod create;
mod fulfillment;
mod migrate;
mod newcomers;
mod people;
mod product;
mod state;
mod status;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{self, Entitlement};

pub(crate) async fn create_entitlement(call: &Call, request: v1::CreateEntitlementRequest) -> Result<Entitlement> {
    create::create(call, request).await
}

pub(crate) async fn list_coverages(call: &Call, request: v1::ListCoveragesRequest) -> Result<v1::ListCoveragesResponse> {
    coverage::list(call, &request).await
}

pub(crate) async fn change_product(call: &Call, request: v1::ChangeProductRequest) -> Result<Entitlement> {
    product::change(call, request).await
}

pub(crate) async fn activate_entitlement(call: &Call, request: v1::ActivateEntitlementRequest) -> Result<Entitlement> {
    status::activate(call, request).await
}

pub(crate) async fn cancel_entitlement(call: &Call, request: v1::CancelEntitlementRequest) -> Result<Entitlement> {
    status::cancel(call, request).await
}

pub(crate) async fn add_delegates(call: &Call, request: v1::AddDelegatesRequest) -> Result<Entitlement> {
    people::add_delegates(call, &request).await
}

pub(crate) async fn add_authorized_users(call: &Call, request: v1::AddAuthorizedUsersRequest) -> Result<Entitlement> {
    newcomers::add(call, &request).await
}

pub(crate) async fn change_person(call: &Call, request: v1::ChangePersonRequest) -> Result<Entitlement> {
    people::change_id(call, &request).await
}

pub(crate) async fn remove_delegates(call: &Call, request: v1::RemoveDelegatesRequest) -> Result<Entitlement> {
    people::remove(call, &request.entitlement_id, people::delegates, &request.person_ids).await
}

pub(crate) async fn remove_authorized_users(call: &Call, request: v1::RemoveAuthorizedUsersRequest) -> Result<Entitlement> {
    people::remove(call, &request.entitlement_id, people::authorized_users, &request.person_ids).await
}

pub(crate) async fn replace_delegate(call: &Call, request: v1::ReplaceDelegateRequest) -> Result<Entitlement> {
    people::replace(call, &request.entitlement_id, people::delegates, &request.person_id, request.replacement.as_ref()).await
}

pub(crate) async fn replace_authorized_user(call: &Call, request: v1::ReplaceAuthorizedUserRequest) -> Result<Entitlement> {
    people::replace(call, &request.entitlement_id, people::authorized_users, &request.person_id, request.replacement.as_ref())
        .await
}

pub(crate) async fn fulfill_entitlement(call: &Call, request: v1::FulfillEntitlementRequest) -> Result<Entitlement> {
    fulfillment::fulfill(call, request).await
}

pub(crate) async fn add_contracts(call: &Call, request: v1::AddContractsRequest) -> Result<Entitlement> {
    contracts::add(call, request).await
}

pub(crate) async fn set_up_entitlement(call: &Call, request: v1::SetUpEntitlementRequest) -> Result<Entitlement> {
    fulfillment::set_up(call, request).await
}

pub(crate) async fn reassign_owner(call: &Call, request: v1::ReassignOwnerRequest) -> Result<Entitlement> {
    people::reassign(call, request).await
}

pub(crate) async fn migrate_entitlement(call: &Call, request: v1::MigrateEntitlementRequest) -> Result<Entitlement> {
    migrate::migrate(call, request).await
}

pub(crate) async fn import_entitlement(call: &Call, request: v1::ImportEntitlementRequest) -> Result<Entitlement> {
    migrate::import(call, request).await
}
