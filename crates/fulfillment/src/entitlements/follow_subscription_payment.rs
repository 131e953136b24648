//! Suspends an entitlement whose subscription is not paid, and lets it be used again after the payment.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Entitlement, EntitlementStatus, EntitlementStatusReason, FollowSubscriptionPaymentRequest};

impl Edit<FollowSubscriptionPaymentRequest> for Entitlement {
    /// Suspends one that can be used, and brings back only what was suspended in this way.
    fn edit(&mut self, request: &FollowSubscriptionPaymentRequest, _context: &EditContext) -> Result<()> {
        let status = match (self.status(), request.unpaid) {
            (EntitlementStatus::Active, true) => EntitlementStatus::Suspended,
            (EntitlementStatus::Suspended, false) if self.unpaid => EntitlementStatus::Active,
            _ => return Ok(()),
        };
        self.set_status(status);
        self.set_status_reason(EntitlementStatusReason::Payment);
        self.unpaid = request.unpaid;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EntitlementStatus::{Active, Cancelled, Suspended};

    #[test]
    fn a_payment_brings_back_what_the_lack_of_it_suspended_and_nothing_else() {
        let follow = |mut plan: Entitlement, unpaid: bool| {
            let request = FollowSubscriptionPaymentRequest { unpaid, ..Default::default() };
            plan.edit(&request, &EditContext::at(0)).unwrap();
            plan
        };
        let stands = |status: EntitlementStatus| Entitlement { status: status.into(), ..Entitlement::default() };
        let held = follow(stands(Active), true);
        assert_eq!((held.status(), held.status_reason()), (Suspended, EntitlementStatusReason::Payment));
        assert_eq!(follow(held.clone(), true), held);
        let back = follow(held, false);
        assert_eq!(
            (back.status(), back.status_reason(), back.unpaid),
            (Active, EntitlementStatusReason::Payment, false)
        );
        for (status, unpaid) in [(Suspended, true), (Suspended, false), (Cancelled, true), (Active, false)] {
            assert_eq!(follow(stands(status), unpaid), stands(status), "{status:?} {unpaid}");
        }
    }
}
