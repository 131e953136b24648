//! Ending a subscription at once.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{CancelSubscriptionRequest, Subscription, SubscriptionStatus};

/// Ends it, with the reason that the contract requires. A day that was set for it is moot.
pub(super) async fn cancel(call: &Call, request: &CancelSubscriptionRequest) -> Result<Subscription> {
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.status = SubscriptionStatus::Cancelled.into();
        subscription.cancel_reason = request.reason;
        subscription.cancelled_on = Some(call.today());
        subscription.scheduled_cancel_on = None;
        Ok(())
    })
    .await
}
