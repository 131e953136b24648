//! The entitlements that an entity of a member names.

use futures::future::join_all;
use pavise_kernel::{Call, Error, Result};
use tonic::{Code, Request};

use crate::contract::fulfillment::GetEntitlementRequest;
use crate::contract::fulfillment::entitlement_service_client::EntitlementServiceClient;
use crate::contract::v1::ErrorReason;

/// Refuses an entitlement that the member does not hold.
///
/// # Errors
/// `INVALID_FIELD` with the field.
pub(crate) async fn check_entitlement(call: &Call, owner: &str, id: &str, field: &str) -> Result<()> {
    if holds(call, owner, id).await? { Ok(()) } else { Err(foreign_entitlement_error(field)) }
}

/// Refuses a list with an entitlement that the member does not hold.
///
/// # Errors
/// `INVALID_FIELD` with the place in the list.
pub(crate) async fn check_entitlements(call: &Call, owner: &str, ids: &[String], field: &str) -> Result<()> {
    let found = join_all(ids.iter().map(|id| holds(call, owner, id))).await;
    for (place, held) in found.into_iter().enumerate() {
        if !held? {
            return Err(foreign_entitlement_error(&format!("{field}[{place}]")));
        }
    }
    Ok(())
}

/// Refuses a new owner while the owner before holds one of the entitlements. One that neither holds has ended or is
/// somebody else's by now, and holds nothing up.
///
/// # Errors
/// `ENTITLEMENT_OF_ANOTHER`.
pub(crate) async fn check_moved(call: &Call, before: &str, new_owner: &str, ids: &[String]) -> Result<()> {
    if before == new_owner {
        return Ok(());
    }
    let staying = join_all(ids.iter().map(async |id| {
        let left_behind = !holds(call, new_owner, id).await? && holds(call, before, id).await?;
        Ok::<_, Error>(left_behind.then(|| id.clone()))
    }));
    for one in staying.await {
        if let Some(id) = one? {
            let message = "an entitlement belongs to the owner before: change its owner first";
            return Err(Error::new(ErrorReason::EntitlementOfAnother, message).with("entitlement_id", id));
        }
    }
    Ok(())
}

/// Whether the member holds the entitlement.
async fn holds(call: &Call, owner: &str, id: &str) -> Result<bool> {
    let request = GetEntitlementRequest { identity_id: owner.to_owned(), entitlement_id: id.to_owned() };
    let mut fulfillment = EntitlementServiceClient::new(call.peer_channel("fulfillment"));
    match fulfillment.get_entitlement(Request::new(request)).await {
        Ok(_) => Ok(true),
        Err(status) if status.code() == Code::NotFound => Ok(false),
        Err(status) => Err(status.into()),
    }
}

fn foreign_entitlement_error(field: &str) -> Error {
    Error::field(field, "is no entitlement of the member")
}
