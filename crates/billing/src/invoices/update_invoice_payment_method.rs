//! Names another payment method on an invoice.

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Invoice, UpdateInvoicePaymentMethodRequest};
use crate::payment_methods::ownership::load_owned_active;

impl CheckRequest<UpdateInvoicePaymentMethodRequest> for Invoice {
    /// The payment method is active and belongs to the member.
    async fn check_request(
        call: &Call,
        _invoice: Option<&Self>,
        request: &UpdateInvoicePaymentMethodRequest,
    ) -> Result<()> {
        load_owned_active(call, &request.payment_method_id).await.map(drop)
    }
}
