//! Adds a payment method for a member, as the administrator of their group.

use pavise_kernel::{Call, Result};

use super::support::new_payment_method::build_payment_method;
use crate::contract::v1::{CreateGroupPaymentMethodRequest, PaymentMethod};

/// Adds a payment method of the group for the member. It never becomes the default, which is the member's choice.
pub(crate) async fn create_group_payment_method(
    call: &Call,
    request: CreateGroupPaymentMethodRequest,
) -> Result<PaymentMethod> {
    let entity = build_payment_method(call, request.payment_method.unwrap_or_default()).await?;
    let (owner_id, group_id) = (call.owner().to_owned(), request.group_id);
    call.create(PaymentMethod { owner_id, group_id, is_default: false, ..entity }).await
}
