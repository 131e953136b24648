//! Another payment method pays for a subscription.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Subscription, UpdateSubscriptionPaymentMethodRequest};
use crate::payment_methods::ownership::{check_pays_for, load_owned_active};

/// Names an active payment method of the member. One of a group pays for plans of that group only.
pub(crate) async fn update_subscription_payment_method(
    call: &Call,
    request: UpdateSubscriptionPaymentMethodRequest,
) -> Result<Subscription> {
    let method = load_owned_active(call, &request.payment_method_id).await?;
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        check_pays_for(&method, &subscription.group_id)?;
        subscription.payment_method_id.clone_from(&request.payment_method_id);
        Ok(())
    })
    .await
}
