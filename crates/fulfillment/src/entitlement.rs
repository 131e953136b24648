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

use crate::contract::EntitlementHandler;
use crate::contract::v1::{self, Entitlement};

/// The calls of the service.
#[derive(Debug)]
pub(crate) struct Entitlements;

impl EntitlementHandler for Entitlements {
    async fn create_entitlement(&self, call: &Call, request: v1::CreateEntitlementRequest) -> Result<Entitlement> {
        create::create(call, request).await
    }

    async fn list_coverages(&self, call: &Call, request: v1::ListCoveragesRequest) -> Result<v1::ListCoveragesResponse> {
        coverage::list(call, &request).await
    }

    async fn change_product(&self, call: &Call, request: v1::ChangeProductRequest) -> Result<Entitlement> {
        product::change(call, request).await
    }

    async fn activate_entitlement(&self, call: &Call, request: v1::ActivateEntitlementRequest) -> Result<Entitlement> {
        status::activate(call, request).await
    }

    async fn cancel_entitlement(&self, call: &Call, request: v1::CancelEntitlementRequest) -> Result<Entitlement> {
        status::cancel(call, request).await
    }

    async fn add_delegates(&self, call: &Call, request: v1::AddDelegatesRequest) -> Result<Entitlement> {
        people::add_delegates(call, &request).await
    }

    async fn add_authorized_users(&self, call: &Call, request: v1::AddAuthorizedUsersRequest) -> Result<Entitlement> {
        newcomers::add(call, &request).await
    }

    async fn change_person(&self, call: &Call, request: v1::ChangePersonRequest) -> Result<Entitlement> {
        people::change_id(call, &request).await
    }

    async fn remove_delegates(&self, call: &Call, request: v1::RemoveDelegatesRequest) -> Result<Entitlement> {
        people::remove(call, &request.entitlement_id, people::delegates, &request.person_ids).await
    }

    async fn remove_authorized_users(&self, call: &Call, request: v1::RemoveAuthorizedUsersRequest) -> Result<Entitlement> {
        people::remove(call, &request.entitlement_id, people::authorized_users, &request.person_ids).await
    }

    async fn replace_delegate(&self, call: &Call, request: v1::ReplaceDelegateRequest) -> Result<Entitlement> {
        people::replace(call, &request.entitlement_id, people::delegates, &request.person_id, request.replacement.as_ref()).await
    }

    async fn replace_authorized_user(&self, call: &Call, request: v1::ReplaceAuthorizedUserRequest) -> Result<Entitlement> {
        people::replace(call, &request.entitlement_id, people::authorized_users, &request.person_id, request.replacement.as_ref())
            .await
    }

    async fn fulfill_entitlement(&self, call: &Call, request: v1::FulfillEntitlementRequest) -> Result<Entitlement> {
        fulfillment::fulfill(call, request).await
    }

    async fn add_contracts(&self, call: &Call, request: v1::AddContractsRequest) -> Result<Entitlement> {
        contracts::add(call, request).await
    }

    async fn set_up_entitlement(&self, call: &Call, request: v1::SetUpEntitlementRequest) -> Result<Entitlement> {
        fulfillment::set_up(call, request).await
    }

    async fn reassign_owner(&self, call: &Call, request: v1::ReassignOwnerRequest) -> Result<Entitlement> {
        people::reassign(call, request).await
    }

    async fn migrate_entitlement(&self, call: &Call, request: v1::MigrateEntitlementRequest) -> Result<Entitlement> {
        migrate::migrate(call, request).await
    }

    async fn import_entitlement(&self, call: &Call, request: v1::ImportEntitlementRequest) -> Result<Entitlement> {
        migrate::import(call, request).await
    }
}
