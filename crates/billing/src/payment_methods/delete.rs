//! Deleting a payment method: it stays, INACTIVE, for the sake of its transactions.

use pavise_kernel::{Call, Error, Result};

use super::defaults;
use crate::contract::v1::{ErrorReason, PaymentMethod, PaymentMethodStatus};
use crate::retry::contended;

/// Makes a payment method INACTIVE; when it was the default, the member's newest other one is.
pub(super) async fn delete(call: &Call, id: &str) -> Result<PaymentMethod> {
    contended(call, || async {
        let before: PaymentMethod = call.get(id).await?;
        match before.status() {
            PaymentMethodStatus::Inactive => return Ok(before),
            PaymentMethodStatus::Active | PaymentMethodStatus::Unspecified => call.permit(&before)?,
        }
        let mut unit = call.unit();
        if before.is_default {
            defaults::pass_on(&mut unit, &before, &defaults::active(call).await?)?;
        }
        let after = PaymentMethod { status: PaymentMethodStatus::Inactive.into(), is_default: false, ..before.clone() };
        let after = unit.update(&before, after)?;
        unit.answer(after).await
    })
    .await
}

/// The same for somebody who acts in the member's name.
pub(super) async fn by_impersonator(call: &Call, id: &str) -> Result<PaymentMethod> {
    if call.caller().actor.is_none() {
        let message =
            "this call is for those who act in a member's name; delete your own with DELETE …/paymentMethods/{paymentMethodId}";
        return Err(Error::new(ErrorReason::NotImpersonating, message));
    }
    delete(call, id).await
}
