//! Deletes a payment method.

use pavise_kernel::{Call, Error, Result};

use super::support::successor::give_successor;
use crate::contract::v1::{DeletePaymentMethodRequest, PaymentMethod, PaymentMethodStatus};

/// Makes the payment method INACTIVE. Subscriptions that are paid with it get its successor first.
pub(crate) async fn delete_payment_method(call: &Call, request: DeletePaymentMethodRequest) -> Result<PaymentMethod> {
    delete(call, &request.payment_method_id, &request.successor_id).await
}

/// Gives the successor to the subscriptions, and makes the method INACTIVE.
pub(super) async fn delete(call: &Call, id: &str, successor_id: &str) -> Result<PaymentMethod> {
    let method: PaymentMethod = call.get(id).await?;
    if method.status() == PaymentMethodStatus::Inactive {
        return call.answer_unchanged(method).await;
    }
    if successor_id == id {
        return Err(Error::field("successor_id", "is the payment method itself"));
    }
    if !successor_id.is_empty() && give_successor(call, &method, successor_id).await? && call.validate_only() {
        // The subscriptions still have the method, which would be refused.
        return Ok(make_inactive(method));
    }
    call.apply_edit(id, PaymentMethod::clone, |method: &mut PaymentMethod| {
        *method = make_inactive(std::mem::take(method));
        Ok(())
    })
    .await
}

fn make_inactive(method: PaymentMethod) -> PaymentMethod {
    PaymentMethod { status: PaymentMethodStatus::Inactive.into(), is_default: false, ..method }
}
