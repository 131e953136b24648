//! An entitlement is brought back, or ends.

use pavise_kernel::caller::Realm;
use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{
    ActivateEntitlementRequest, CancelEntitlementRequest, Entitlement, EntitlementStatus as Status, EntitlementStatusReason,
    ErrorReason, FulfillmentStatus,
};

/// Lets it be used again. One that was cancelled begins anew today.
pub(super) async fn activate(call: &Call, request: ActivateEntitlementRequest) -> Result<Entitlement> {
    let reinstates = call.caller().realm == Realm::Machine && request.reason() == EntitlementStatusReason::Reinstate;
    let today = call.today();
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        match entitlement.status() {
            Status::Active => return Ok(()),
            Status::Cancelled if !reinstates => {
                return Err(Error::new(
                    ErrorReason::ReinstatementOnly,
                    "a cancelled entitlement is activated by a reinstatement only",
                ));
            }
            Status::Cancelled => {
                entitlement.effective_on = Some(today);
                entitlement.ends_on = None;
                if entitlement.fulfillment_status() == FulfillmentStatus::Fulfilled {
                    entitlement.set_fulfillment_status(FulfillmentStatus::PendingChange);
                }
            }
            Status::Suspended | Status::Unspecified => {}
        }
        entitlement.status_reason = request.reason;
        entitlement.set_status(Status::Active);
        Ok(())
    })
    .await
}

/// Ends it, today unless the request says when.
pub(super) async fn cancel(call: &Call, request: CancelEntitlementRequest) -> Result<Entitlement> {
    let last_day = request.ends_on.unwrap_or_else(|| call.today());
    call.change::<Entitlement>(&request.entitlement_id, |entitlement| {
        // One that was to begin later ends on the day it would have begun.
        let begins = entitlement
            .effective_on
            .filter(|begin| request.ends_on.is_none() && pavise_kernel::time::days(*begin) > pavise_kernel::time::days(last_day));
        entitlement.ends_on = Some(begins.unwrap_or(last_day));
        entitlement.status_reason = request.reason;
        entitlement.set_status(Status::Cancelled);
        Ok(())
    })
    .await
}
