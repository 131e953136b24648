//! Moves the fulfillment of an entitlement on.

use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::fulfillment::may_follow;
use crate::contract::v1::{Entitlement, ErrorReason, FulfillEntitlementRequest, FulfillmentStatus as Status};

impl Edit<FulfillEntitlementRequest> for Entitlement {
    /// Moves the fulfillment to the status that the request names, or to Fulfilled.
    fn edit(&mut self, request: &FulfillEntitlementRequest, _context: &EditContext) -> Result<()> {
        let target = match request.fulfillment_status() {
            Status::Unspecified => Status::Fulfilled,
            named => named,
        };
        let current = self.fulfillment_status();
        if current != target && !may_follow(current, target) {
            let message = format!("fulfillment does not go from {} to {}", current.spelling(), target.spelling());
            return Err(
                Error::new(ErrorReason::FulfillmentNotAllowed, message).with("fulfillmentStatus", current.spelling())
            );
        }
        self.set_fulfillment_status(target);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_without_a_status_means_fulfilled() {
        let fulfill = |from: Status, to: Status| {
            let mut entitlement = Entitlement { fulfillment_status: from.into(), ..Default::default() };
            let request = FulfillEntitlementRequest { fulfillment_status: to.into(), ..Default::default() };
            entitlement.edit(&request, &EditContext::at(0)).map(|()| entitlement.fulfillment_status())
        };
        assert_eq!(fulfill(Status::PendingCreate, Status::Unspecified).unwrap(), Status::Fulfilled);
        assert_eq!(
            fulfill(Status::Fulfilled, Status::Fulfilled).unwrap(),
            Status::Fulfilled,
            "a repeat changes nothing"
        );
        let refused = fulfill(Status::NotFulfilled, Status::Unspecified).unwrap_err();
        assert!(refused.is(ErrorReason::FulfillmentNotAllowed));
    }
}
