//! Whose an invoice is, and what it is to be paid with.

use pavise_kernel::{Call, Error, Result};

use super::create;
use crate::contract::v1::{
    ChangeInvoiceOwnerRequest, ErrorReason, Invoice, PaymentMethod, PaymentMethodStatus, UpdateInvoicePaymentMethodRequest,
};

/// Says which active payment method of the member it is to be paid with.
pub(super) async fn payment_method(call: &Call, request: &UpdateInvoicePaymentMethodRequest) -> Result<Invoice> {
    create::owned(call, &request.payment_method_id).await?;
    let method: Option<PaymentMethod> = call.find(&request.payment_method_id).await?;
    if method.is_none_or(|method| method.status() != PaymentMethodStatus::Active) {
        return Err(Error::new(ErrorReason::PaymentMethodInactive, "the payment method is INACTIVE; use another"));
    }
    call.change::<Invoice>(&request.invoice_id, |invoice| {
        invoice.payment_method_id.clone_from(&request.payment_method_id);
        Ok(())
    })
    .await
}

/// Gives the invoice to another member. What it was to be paid with stays the former member's.
pub(super) async fn change(call: &Call, request: &ChangeInvoiceOwnerRequest) -> Result<Invoice> {
    call.change::<Invoice>(&request.invoice_id, |invoice| {
        super::ledger::at_rest(invoice)?;
        if invoice.owner_id != request.new_owner_id {
            invoice.owner_id.clone_from(&request.new_owner_id);
            invoice.payment_method_id.clear();
        }
        Ok(())
    })
    .await
}
