//! Deletes a payment method for a caller who acts for the member.

use pavise_kernel::{Call, Error, Result};

use super::delete_payment_method::delete;
use crate::contract::v1::{DeletePaymentMethodByImpersonatorRequest, ErrorReason, PaymentMethod};

/// Makes the payment method INACTIVE, as DeletePaymentMethod does. Callers who act for themselves are refused.
pub(crate) async fn delete_payment_method_by_impersonator(
    call: &Call,
    request: DeletePaymentMethodByImpersonatorRequest,
) -> Result<PaymentMethod> {
    if call.caller().actor.is_none() {
        let message = "this call is for those who act in a member's name; delete your own with DELETE …/paymentMethods/{paymentMethodId}";
        return Err(Error::new(ErrorReason::NotImpersonating, message));
    }
    delete(call, &request.payment_method_id, &request.successor_id).await
}
