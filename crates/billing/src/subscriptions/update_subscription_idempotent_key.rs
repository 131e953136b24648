//! Renews the idempotent key of a subscription.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{Subscription, UpdateSubscriptionIdempotentKeyRequest};

impl Edit<UpdateSubscriptionIdempotentKeyRequest> for Subscription {
    /// Sets a new key, with which the billing of the next period is safe to repeat.
    fn edit(&mut self, _request: &UpdateSubscriptionIdempotentKeyRequest, context: &EditContext) -> Result<()> {
        self.idempotent_key = context.new_id();
        Ok(())
    }
}
