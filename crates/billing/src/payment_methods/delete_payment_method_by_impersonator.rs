//! A payment method is deleted by a caller who acts for the member.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{DeletePaymentMethodByImpersonatorRequest, ErrorReason, PaymentMethod, PaymentMethodStatus};

/// Makes the payment method INACTIVE, as DeletePaymentMethod does. Callers who act for themselves are refused.
pub(crate) async fn delete_payment_method_by_impersonator(
    call: &Call,
    request: DeletePaymentMethodByImpersonatorRequest,
) -> Result<PaymentMethod> {
    if call.caller().actor.is_none() {
        let message = "this call is for those who act in a member's name; delete your own with DELETE …/paymentMethods/{paymentMethodId}";
        return Err(Error::new(ErrorReason::NotImpersonating, message));
    }
    call.apply_edit(&request.payment_method_id, PaymentMethod::clone, |method: &mut PaymentMethod| {
        method.set_status(PaymentMethodStatus::Inactive);
        method.is_default = false;
        Ok(())
    })
    .await
}
