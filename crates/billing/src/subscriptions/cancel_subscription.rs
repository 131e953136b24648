//! A subscription is cancelled at once.

use pavise_kernel::{Edit, EditContext, Result};

use crate::contract::v1::{CancelSubscriptionRequest, Subscription};

impl Edit<CancelSubscriptionRequest> for Subscription {
    /// Ends it today.
    fn edit(&mut self, _request: &CancelSubscriptionRequest, context: &EditContext) -> Result<()> {
        self.cancelled_on = Some(context.today());
        Ok(())
    }
}
