//! Marks a subscription to end on the day it is paid to.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::roles;
use crate::contract::v1::{CancelReason, PendingCancelSubscriptionRequest, Subscription};

impl Edit<PendingCancelSubscriptionRequest> for Subscription {
    /// Records the reason. An end that the member asks for is recorded as their own, so that they can take it back.
    fn edit(&mut self, request: &PendingCancelSubscriptionRequest, context: &EditContext) -> Result<()> {
        let by_member = context.has_role(roles::MEMBER);
        let reason = if by_member { CancelReason::MemberRequestedCancel } else { request.reason() };
        if reason != CancelReason::Unspecified {
            self.set_cancel_reason(reason);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_members_own_end_is_recorded_as_theirs() {
        let end = |reason: CancelReason, context: EditContext| {
            let mut subscription =
                Subscription { cancel_reason: CancelReason::Deceased.into(), ..Subscription::default() };
            let request = PendingCancelSubscriptionRequest { reason: reason.into(), ..Default::default() };
            subscription.edit(&request, &context).unwrap();
            subscription.cancel_reason()
        };
        let (staff, member) = (EditContext::at(0), EditContext::at(0).with_role(roles::MEMBER));
        assert_eq!(
            end(CancelReason::Unspecified, staff.clone()),
            CancelReason::Deceased,
            "no reason keeps the one before"
        );
        assert_eq!(end(CancelReason::LeaveOfAbsence, staff), CancelReason::LeaveOfAbsence);
        assert_eq!(end(CancelReason::LeaveOfAbsence, member), CancelReason::MemberRequestedCancel);
    }
}
