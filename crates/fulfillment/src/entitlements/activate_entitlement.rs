//! Makes an entitlement usable again.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{
    ActivateEntitlementRequest, Entitlement, EntitlementStatus as Status, EntitlementStatusReason, ErrorReason,
    FulfillmentStatus,
};

impl Edit<ActivateEntitlementRequest> for Entitlement {
    /// Makes it ACTIVE. Only the platform brings back a cancelled one, as a reinstatement that begins today.
    fn edit(&mut self, request: &ActivateEntitlementRequest, context: &EditContext) -> Result<()> {
        match self.status() {
            Status::Cancelled => {
                if !context.has_role(roles::PLATFORM) || request.reason() != EntitlementStatusReason::Reinstate {
                    let message = "a cancelled entitlement is activated by a reinstatement only";
                    return Err(Error::new(ErrorReason::ReinstatementOnly, message));
                }
                self.effective_on = Some(context.today());
                self.ends_on = None;
                if self.fulfillment_status() == FulfillmentStatus::Fulfilled {
                    self.set_fulfillment_status(FulfillmentStatus::PendingChange);
                }
            }
            Status::Active | Status::Suspended | Status::Unspecified => {}
        }
        self.status_reason = request.reason;
        self.set_status(Status::Active);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;

    fn activate(status: Status, reason: EntitlementStatusReason, context: EditContext) -> Result<Entitlement> {
        let mut entitlement = Entitlement {
            status: status.into(),
            ends_on: Some(Date { year: 1969, month: 12, day: 1 }),
            fulfillment_status: FulfillmentStatus::Fulfilled.into(),
            ..Default::default()
        };
        let request = ActivateEntitlementRequest { reason: reason.into(), ..Default::default() };
        entitlement.edit(&request, &context).map(|()| entitlement)
    }

    #[test]
    fn only_the_platform_reinstates_a_cancelled_entitlement() {
        let (platform, staff) = (|| EditContext::at(0).with_role(roles::PLATFORM), || EditContext::at(0));
        let back = activate(Status::Cancelled, EntitlementStatusReason::Reinstate, platform()).unwrap();
        assert_eq!((back.status(), back.fulfillment_status()), (Status::Active, FulfillmentStatus::PendingChange));
        assert_eq!((back.effective_on, back.ends_on), (Some(Date { year: 1970, month: 1, day: 1 }), None));
        for refused in [
            activate(Status::Cancelled, EntitlementStatusReason::Reinstate, staff()),
            activate(Status::Cancelled, EntitlementStatusReason::Internal, platform()),
        ] {
            assert!(refused.unwrap_err().is(ErrorReason::ReinstatementOnly));
        }
    }

    #[test]
    fn a_suspended_entitlement_keeps_its_days() {
        let back = activate(Status::Suspended, EntitlementStatusReason::Internal, EditContext::at(0)).unwrap();
        assert_eq!((back.status(), back.status_reason()), (Status::Active, EntitlementStatusReason::Internal));
        assert_eq!((back.effective_on, back.fulfillment_status()), (None, FulfillmentStatus::Fulfilled));
        assert!(back.ends_on.is_some());
    }
}
