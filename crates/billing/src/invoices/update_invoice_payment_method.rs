//! Another payment method is named on an invoice.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Invoice, UpdateInvoicePaymentMethodRequest};
use crate::payment_methods::ownership::load_owned_active;

/// Names an active payment method of the member, with which the invoice is to be paid.
pub(crate) async fn update_invoice_payment_method(
    call: &Call,
    request: UpdateInvoicePaymentMethodRequest,
) -> Result<Invoice> {
    load_owned_active(call, &request.payment_method_id).await?;
    call.change::<Invoice>(&request.invoice_id, |invoice| {
        invoice.payment_method_id.clone_from(&request.payment_method_id);
        Ok(())
    })
    .await
}
