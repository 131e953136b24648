//! Lets a subscription catch up with its invoices.

use pavise_kernel::{Call, Result};

use super::support::arrears::load_outstanding;
use crate::contract::v1::{CatchUpSubscriptionRequest, Subscription, SubscriptionStatus};

/// Marks it as catching up while an invoice is outstanding, else as ACTIVE.
pub(crate) async fn catch_up_subscription(call: &Call, request: CatchUpSubscriptionRequest) -> Result<Subscription> {
    let is_behind = !load_outstanding(call, &request.subscription_id).await?.is_empty();
    let status = if is_behind { SubscriptionStatus::CatchingUp } else { SubscriptionStatus::Active };
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.set_status(status);
        Ok(())
    })
    .await
}
