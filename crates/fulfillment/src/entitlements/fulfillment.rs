//! How far the setting up of an entitlement is.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{
    Entitlement, ErrorReason, FulfillEntitlementRequest, FulfillmentStatus as Status, SetUpEntitlementRequest, SetupStatus,
};

/// Moves the fulfilment, to Fulfilled unless the request says otherwise.
pub(super) async fn fulfill(call: &Call, request: FulfillEntitlementRequest) -> Result<Entitlement> {
    let target = match request.fulfillment_status() {
        Status::Unspecified => Status::Fulfilled,
        named => named,
    };
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        let current = entitlement.fulfillment_status();
        if current == target {
            return Ok(());
        }
        if !follows(current, target) {
            let message = format!("fulfilment does not go from {} to {}", current.spelling(), target.spelling());
            return Err(Error::new(ErrorReason::FulfillmentNotAllowed, message).with("fulfillmentStatus", current.spelling()));
        }
        entitlement.set_fulfillment_status(target);
        Ok(())
    })
    .await
}

/// Records that the member has set it up.
pub(super) async fn set_up(call: &Call, request: SetUpEntitlementRequest) -> Result<Entitlement> {
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        entitlement.set_setup_status(SetupStatus::Setup);
        Ok(())
    })
    .await
}

/// NotFulfilled, PendingCreate, Fulfilled, and from there to PendingChange and back.
pub(super) fn follows(current: Status, target: Status) -> bool {
    match current {
        Status::NotFulfilled => target == Status::PendingCreate,
        Status::PendingCreate | Status::PendingChange => target == Status::Fulfilled,
        Status::Fulfilled => target == Status::PendingChange,
        Status::Unspecified => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fulfilment_goes_as_the_lifecycle_says() {
        let all = [Status::Unspecified, Status::Fulfilled, Status::NotFulfilled, Status::PendingChange, Status::PendingCreate];
        let pairs = all.iter().flat_map(|from| all.iter().map(move |to| (*from, *to)));
        let allowed: Vec<_> =
            pairs.filter(|(from, to)| follows(*from, *to)).map(|(from, to)| (from.spelling(), to.spelling())).collect();
        let declared = [
            ("Fulfilled", "PendingChange"),
            ("NotFulfilled", "PendingCreate"),
            ("PendingChange", "Fulfilled"),
            ("PendingCreate", "Fulfilled"),
        ];
        assert_eq!(allowed, declared);
    }
}
