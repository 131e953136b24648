//! Takes the scheduled end of a subscription back.

use pavise_kernel::{Edit, EditContext, Result};

use super::support::ending::check_end_is_theirs;
use crate::contract::v1::{CancelReason, RemoveScheduledSubscriptionCancellationRequest, Subscription};

impl Edit<RemoveScheduledSubscriptionCancellationRequest> for Subscription {
    fn edit(&mut self, _request: &RemoveScheduledSubscriptionCancellationRequest, context: &EditContext) -> Result<()> {
        check_end_is_theirs(self, context)?;
        self.scheduled_cancel_on = None;
        self.set_cancel_reason(CancelReason::Unspecified);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::roles;
    use crate::contract::v1::ErrorReason;
    use pavise_kernel::common::v1::Date;

    #[test]
    fn the_end_of_a_group_is_not_its_administrators_to_take_back() {
        let ending = |reason: CancelReason| Subscription {
            scheduled_cancel_on: Some(Date { year: 1970, month: 1, day: 9 }),
            cancel_reason: reason.into(),
            ..Subscription::default()
        };
        let remove = |mut subscription: Subscription, context: &EditContext| {
            let request = RemoveScheduledSubscriptionCancellationRequest::default();
            subscription.edit(&request, context).map(|()| subscription)
        };
        let (staff, administrator) = (EditContext::at(0), EditContext::at(0).with_role(roles::ADMINISTRATOR));
        let refusal = remove(ending(CancelReason::GroupCancelled), &administrator).unwrap_err();
        assert!(refusal.is(ErrorReason::SubscriptionEndNotYours), "{refusal}");
        for (reason, caller) in
            [(CancelReason::GroupCancelled, &staff), (CancelReason::NoLongerEmployed, &administrator)]
        {
            let kept = remove(ending(reason), caller).unwrap();
            assert_eq!((kept.scheduled_cancel_on, kept.cancel_reason()), (None, CancelReason::Unspecified));
        }
    }
}
