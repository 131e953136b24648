//! What a subscription is paid with.

use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::v1::{
    ErrorReason, PaymentMethod, PaymentMethodStatus, RemoveSubscriptionPaymentMethodRequest, Subscription,
    UpdateSubscriptionPaymentMethodRequest,
};

/// Says which active payment method of the member it is.
pub(super) async fn update(call: &Call, request: &UpdateSubscriptionPaymentMethodRequest) -> Result<Subscription> {
    let id = &request.payment_method_id;
    if owned(call, id).await?.status() != PaymentMethodStatus::Active {
        return Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"));
    }
    call.change::<Subscription>(&request.subscription_id, |subscription| {
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

/// A payment method of the member whom the call names.
pub(super) async fn owned(call: &Call, id: &str) -> Result<PaymentMethod> {
    let method: Option<PaymentMethod> = call.find(id).await?;
    method.filter(|method| method.owner_id == call.owner()).ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, id))
}
