//! Subscriptions: one file per call with behaviour, and the billing dates in [`cycle`].

mod activate;
mod cancel;
mod create;
mod cycle;

use pavise_kernel::{Call, Result};

use crate::contract::SubscriptionHandler;
use crate::contract::v1::{ActivateSubscriptionRequest, CancelSubscriptionRequest, CreateSubscriptionRequest, Subscription};

/// The service.
#[derive(Debug)]
pub(crate) struct Subscriptions;

impl SubscriptionHandler for Subscriptions {
    async fn create_subscription(&self, call: &Call, request: CreateSubscriptionRequest) -> Result<Subscription> {
        create::create(call, request).await
    }

    async fn cancel_subscription(&self, call: &Call, request: CancelSubscriptionRequest) -> Result<Subscription> {
        cancel::cancel(call, &request).await
    }

    async fn activate_subscription(&self, call: &Call, request: ActivateSubscriptionRequest) -> Result<Subscription> {
        activate::activate(call, &request.subscription_id).await
    }
}
