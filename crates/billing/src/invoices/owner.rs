//! Whose an invoice is, and what it is to be paid with.

use pavise_kernel::{Call, Result};

use super::ledger;
use crate::contract::v1::{ChangeInvoiceOwnerRequest, Invoice, UpdateInvoicePaymentMethodRequest};
use crate::payment_methods::owner;

/// Says which active payment method of the member it is to be paid with.
pub(super) async fn payment_method(call: &Call, request: &UpdateInvoicePaymentMethodRequest) -> Result<Invoice> {
    owner::owned_and_active(call, &request.payment_method_id).await?;
    call.change::<Invoice>(&request.invoice_id, |invoice| {
        invoice.payment_method_id.clone_from(&request.payment_method_id);
        Ok(())
    })
    .await
}

/// Gives the invoice to another member. What it was to be paid with stays the former member's.
pub(super) async fn change(call: &Call, request: &ChangeInvoiceOwnerRequest) -> Result<Invoice> {
    call.change::<Invoice>(&request.invoice_id, |invoice| {
        ledger::at_rest(invoice)?;
        if invoice.owner_id != request.new_owner_id {
            invoice.owner_id.clone_from(&request.new_owner_id);
            invoice.payment_method_id.clear();
        }
        Ok(())
    })
    .await
}
