//! Letting an invoice go: forgiven, or taken back.

use pavise_kernel::{Call, Error, Result};

use super::ledger::{self, Sums};
use crate::contract::v1::{ErrorReason, ForgiveInvoiceRequest, Invoice, InvoiceStatus};
use crate::money;

/// Lets go what is open. What was paid stays paid.
pub(super) async fn forgive(call: &Call, request: &ForgiveInvoiceRequest) -> Result<Invoice> {
    call.change::<Invoice>(&request.invoice_id, |invoice| {
        ledger::at_rest(invoice)?;
        invoice.status = InvoiceStatus::Forgiven.into();
        invoice.forgiven_reason.clone_from(&request.reason);
        ledger::sum_up(invoice)
    })
    .await
}

/// Takes back an invoice on which nothing was paid.
pub(super) async fn void(call: &Call, id: &str) -> Result<Invoice> {
    call.change::<Invoice>(id, |invoice| {
        ledger::at_rest(invoice)?;
        let paid = Sums::of(invoice).paid;
        if paid > 0 {
            let paid = money::text(&ledger::amount(invoice, paid));
            return Err(Error::new(ErrorReason::InvoiceHasPayments, format!("{paid} was paid on the invoice: refund it")));
        }
        invoice.status = InvoiceStatus::Voided.into();
        ledger::sum_up(invoice)
    })
    .await
}
