//! Changing what a member may change of a payment method.

use pavise_kernel::{Call, Result, postal};

use super::defaults;
use crate::contract::v1::{PaymentMethod, UpdatePaymentMethodRequest};
use crate::retry::contended;

/// Replaces address, friendly id and, when asked, the place as the default.
pub(super) async fn update(call: &Call, request: &UpdatePaymentMethodRequest) -> Result<PaymentMethod> {
    postal::check_address("billing_address", request.billing_address.as_ref())?;
    contended(call, || async {
        let before: PaymentMethod = call.get(&request.payment_method_id).await?;
        call.permit(&before)?;
        let after = PaymentMethod {
            billing_address: request.billing_address.clone(),
            is_default: before.is_default || request.is_default,
            friendly_id_type: request.friendly_id_type,
            friendly_id: request.friendly_id.clone(),
            ..before.clone()
        };
        if after == before {
            return Ok(before);
        }
        let mut unit = call.unit();
        if after.is_default && !before.is_default {
            defaults::clear(&mut unit, &defaults::active(call).await?)?;
        }
        let after = unit.update(&before, after)?;
        unit.answer(after).await
    })
    .await
}
