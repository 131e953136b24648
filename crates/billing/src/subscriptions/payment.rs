//! What a subscription is paid with.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{RemoveSubscriptionPaymentMethodRequest, Subscription, UpdateSubscriptionPaymentMethodRequest};
use crate::payment_methods::owner;

/// Says which active payment method of the member it is.
pub(super) async fn update(call: &Call, request: &UpdateSubscriptionPaymentMethodRequest) -> Result<Subscription> {
    let id = &request.payment_method_id;
    let method = owner::owned_and_active(call, id).await?;
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        owner::pays_for(&method, &subscription.group_id)?;
        subscription.payment_method_id.clone_from(id);
        Ok(())
    })
    .await
}

/// Takes it off: the one that the caller expects to be there, if he says which.
pub(super) async fn remove(call: &Call, request: &RemoveSubscriptionPaymentMethodRequest) -> Result<Subscription> {
    call.change::<Subscription>(&request.subscription_id, |subscription| {
        let (expected, there) = (&request.payment_method_id, &subscription.payment_method_id);
        if !expected.is_empty() && !there.is_empty() && expected != there {
            return Err(Error::field("payment_method_id", "is not what the subscription is paid with"));
        }
        subscription.payment_method_id.clear();
        Ok(())
    })
    .await
}
