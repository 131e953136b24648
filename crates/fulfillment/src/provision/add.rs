//! What a step brought is recorded. Recording never moves the status.

use pavise_kernel::common::v1::ClassicId;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{self, ClassicMap, ErrorReason, Provision};

/// Records the identity of an authorized user.
pub(super) async fn identity(call: &Call, request: v1::AddIdentityIdRequest) -> Result<Provision> {
    call.change::<Provision>(&request.provision_id, |provision| {
        let taken = provision.includes(&request.identity_id);
        let user = provision.authorized_user(&request.authorized_user_id)?;
        if taken && user.identity_id != request.identity_id {
            return Err(Error::field("identity_id", "is the buyer or another authorized user"));
        }
        record(&mut user.identity_id, &request.identity_id, "the authorized user has another identity already")
    })
    .await
}

/// Records a number of the classic system.
pub(super) async fn classic_map(call: &Call, request: v1::AddClassicMapRequest) -> Result<Provision> {
    let map = ClassicMap {
        identity_id: request.identity_id.clone(),
        classic_id: Some(ClassicId { r#type: request.r#type, value: request.value.clone() }),
    };
    call.change::<Provision>(&request.provision_id, |provision| {
        if !provision.includes(&request.identity_id) {
            return Err(Error::new(
                ErrorReason::IdentityNotInProvision,
                "the identity is neither the buyer nor an authorized user",
            ));
        }
        if !provision.classic_maps.contains(&map) {
            provision.classic_maps.push(map.clone());
        }
        Ok(())
    })
    .await
}

/// Records the subscription.
pub(super) async fn subscription(call: &Call, request: v1::AddSubscriptionRequest) -> Result<Provision> {
    call.change::<Provision>(&request.provision_id, |provision| {
        record(&mut provision.subscription_id, &request.subscription_id, "the provision has another subscription already")
    })
    .await
}

/// Records the entitlement of a line.
pub(super) async fn entitlement(call: &Call, request: v1::AddEntitlementRequest) -> Result<Provision> {
    call.change::<Provision>(&request.provision_id, |provision| {
        let line = provision.line(&request.line_id)?;
        record(&mut line.entitlement_id, &request.entitlement_id, "the line has another entitlement already")?;
        let recorded = provision.lines.iter().map(|line| &line.entitlement_id).filter(|id| !id.is_empty());
        provision.entitlement_ids = recorded.cloned().collect();
        Ok(())
    })
    .await
}

/// Records the business: the one that the request names, or a new id.
pub(super) async fn business(call: &Call, request: v1::AddBusinessRequest) -> Result<Provision> {
    let id = if request.business_id.is_empty() { call.repeatable_id("business") } else { request.business_id.clone() };
    call.change::<Provision>(&request.provision_id, |provision| {
        if request.business_id.is_empty() && !provision.business_id.is_empty() {
            return Ok(());
        }
        record(&mut provision.business_id, &id, "the provision has another business already")
    })
    .await
}

/// Sets `place` once; the same value again is fine.
fn record(place: &mut String, value: &str, otherwise: &str) -> Result<()> {
    if place.is_empty() {
        value.clone_into(place);
        return Ok(());
    }
    if place == value { Ok(()) } else { Err(Error::new(ErrorReason::AlreadyRecorded, otherwise)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_filled_once() {
        let mut place = String::new();
        record(&mut place, "a", "no").unwrap();
        record(&mut place, "a", "no").unwrap();
        assert_eq!(record(&mut place, "b", "no").unwrap_err().reason(), "ALREADY_RECORDED");
        assert_eq!(place, "a");
    }
}
