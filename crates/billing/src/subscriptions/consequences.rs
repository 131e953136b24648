//! Consequences of a change of a subscription.

use pavise_kernel::{Call, Consequences, Error, Result, Step};

use super::arrears::count_paid_invoices;
use crate::contract::v1::{ErrorReason, Subscription};

impl Consequences for Subscription {
    /// A subscription on which something was paid is not removed.
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let Step { before: Some(before), after: None, .. } = step else { return Ok(()) };
        if count_paid_invoices(call, before).await? > 0 {
            let message = "invoices of the subscription, or of the order that it came from, were paid: cancel it";
            return Err(Error::new(ErrorReason::SubscriptionHasPayments, message));
        }
        Ok(())
    }
}
