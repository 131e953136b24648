//! Names another payment method for a subscription.

use std::future::ready;

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Subscription, UpdateSubscriptionPaymentMethodRequest};
use crate::shared::admission::{UsableWhen, admit_naming};

impl CheckRequest<UpdateSubscriptionPaymentMethodRequest> for Subscription {
    /// The payment method can be used now and belongs to the member. One of a group pays for plans of that group only.
    async fn check_request(
        call: &Call,
        subscription: Option<&Self>,
        request: &UpdateSubscriptionPaymentMethodRequest,
    ) -> Result<()> {
        let group = subscription.map(|one| one.group_id.clone()).unwrap_or_default();
        admit_naming(call, &request.payment_method_id, ready(Ok(group)), UsableWhen::Now).await
    }
}
