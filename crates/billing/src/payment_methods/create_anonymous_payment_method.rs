//! Adds a payment method before its owner has signed in.

use pavise_kernel::{Call, Error, Result};

use super::support::kind::is_chargeable;
use super::support::new_payment_method::build_payment_method;
use crate::contract::v1::{CreateAnonymousPaymentMethodRequest, PaymentMethod};

/// Adds a payment method without an owner. AssignPaymentMethodOwner gives it one.
pub(crate) async fn create_anonymous_payment_method(
    call: &Call,
    request: CreateAnonymousPaymentMethodRequest,
) -> Result<PaymentMethod> {
    let new = request.payment_method.unwrap_or_default();
    if !is_chargeable(new.r#type()) {
        return Err(Error::field(
            "payment_method.type",
            "must be CREDIT_CARD or BANK_DRAFT before somebody has signed in",
        ));
    }
    let entity = build_payment_method(call, new).await?;
    call.create(PaymentMethod { is_default: false, ..entity }).await
}
