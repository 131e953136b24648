//! Names another payment method for a subscription.

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Subscription, UpdateSubscriptionPaymentMethodRequest};
use crate::payment_methods::ownership::{check_pays_for, load_owned_active};

impl CheckRequest<UpdateSubscriptionPaymentMethodRequest> for Subscription {
    /// The payment method is active and belongs to the member. A method of a group pays for plans of that group only.
    async fn check_request(
        call: &Call,
        subscription: Option<&Self>,
        request: &UpdateSubscriptionPaymentMethodRequest,
    ) -> Result<()> {
        let method = load_owned_active(call, &request.payment_method_id).await?;
        check_pays_for(&method, subscription.map(|one| one.group_id.as_str()).unwrap_or_default())
    }
}
