//! What a subscription is for, and how its payments are tried.

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Call, Error, Result};

use super::create;
use crate::contract::v1::{Subscription, UpdateSubscriptionOfferRequest, UpdateSubscriptionRetryScheduleRequest};

/// Replaces what it is for.
pub(super) async fn offer(call: &Call, request: &UpdateSubscriptionOfferRequest) -> Result<Subscription> {
    create::priced(&request.items)?;
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        let (before, after) = (subscription.billing_period(), request.billing_period());
        if after != BillingPeriod::Unspecified && after != before {
            if [before, after].contains(&BillingPeriod::PayPeriod) {
                return Err(Error::field("billing_period", "a payroll's days are its own: end this one and make another"));
            }
            subscription.set_billing_period(after);
            // It counted periods that are gone.
            subscription.billing_frequency = 1;
        }
        subscription.offer_id.clone_from(&request.offer_id);
        subscription.items.clone_from(&request.items);
        Ok(())
    })
    .await
}

/// Says when a failed payment is tried again.
pub(super) async fn retry_schedule(call: &Call, request: &UpdateSubscriptionRetryScheduleRequest) -> Result<Subscription> {
    let schedule = create::retry_schedule(&request.retry_schedule)?;
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        subscription.retry_schedule.clone_from(&schedule);
        Ok(())
    })
    .await
}

/// Renews the key that makes the billing of the next period safe to repeat.
pub(super) async fn idempotent_key(call: &Call, id: &str) -> Result<Subscription> {
    let key = call.repeatable_id("idempotent key");
    call.change::<Subscription>(id, |subscription| {
        subscription.idempotent_key.clone_from(&key);
        Ok(())
    })
    .await
}
