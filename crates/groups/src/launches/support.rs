//! The business and the plan of a launch.

use pavise_kernel::{Call, Common, Error, Result};
use tonic::Request;

use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::fulfillment::{Entitlement, GetEntitlementRequest};
use crate::contract::members::GetBusinessRequest;
use crate::contract::members::business_service_client::BusinessServiceClient;

/// Checks that a business is the member's. An empty id names none.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) async fn check_business(call: &Call, owner_id: &str, business_id: &str) -> Result<()> {
    if business_id.is_empty() {
        return Ok(());
    }
    let mut businesses = BusinessServiceClient::new(call.peer_channel("members"));
    let ask = GetBusinessRequest { business_id: business_id.to_owned() };
    match businesses.get_business(Request::new(ask)).await.map_err(Error::from) {
        Ok(business) if business.get_ref().owner_id == owner_id => Ok(()),
        Err(error) if !error.is(Common::NotFound) => Err(error),
        _ => Err(Error::field("business_id", "names no business of the member")),
    }
}

/// Checks that a plan is the member's. An empty id names none.
///
/// # Errors
/// `INVALID_FIELD`.
pub(crate) async fn check_entitlement(call: &Call, owner_id: &str, entitlement_id: &str) -> Result<()> {
    if entitlement_id.is_empty() || find_entitlement(call, owner_id, entitlement_id).await?.is_some() {
        return Ok(());
    }
    Err(Error::field("entitlement_id", "names no plan of the member"))
}

/// The plan of a member, if it is there.
pub(crate) async fn find_entitlement(call: &Call, owner_id: &str, id: &str) -> Result<Option<Entitlement>> {
    let mut entitlements = EntitlementServiceClient::new(call.peer_channel("fulfillment"));
    let ask = GetEntitlementRequest { identity_id: owner_id.to_owned(), entitlement_id: id.to_owned() };
    match entitlements.get_entitlement(Request::new(ask)).await.map_err(Error::from) {
        Ok(entitlement) => Ok(Some(entitlement.into_inner())),
        Err(error) if error.is(Common::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}
