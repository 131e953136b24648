//! The owner of a payment method, for calls of other services.

use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::v1::{ErrorReason, PaymentMethod, PaymentMethodStatus};

/// Loads a payment method of the member whom the call names.
pub(crate) async fn load_owned(call: &Call, id: &str) -> Result<PaymentMethod> {
    let method: Option<PaymentMethod> = call.find_unscoped(id).await?;
    method
        .filter(|method| method.owner_id == call.owner())
        .ok_or_else(|| Error::not_found(PaymentMethod::TABLE.noun, id))
}

/// Loads an active payment method of the member whom the call names.
pub(crate) async fn load_owned_active(call: &Call, id: &str) -> Result<PaymentMethod> {
    let method = load_owned(call, id).await?;
    if method.status() == PaymentMethodStatus::Active {
        return Ok(method);
    }
    Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"))
}

/// Refuses a payment method of one group for a plan outside that group: a group pays for its own plans only.
///
/// # Errors
/// `PAYMENT_METHOD_NOT_CHARGEABLE`.
pub(crate) fn check_pays_for(method: &PaymentMethod, group_id: &str) -> Result<()> {
    if method.group_id.is_empty() || method.group_id == group_id {
        return Ok(());
    }
    let why = "the payment method was added by a group and pays for plans of that group only";
    Err(Error::new(ErrorReason::PaymentMethodNotChargeable, why))
}
