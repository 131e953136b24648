//! Finishes the payments and refunds in progress on an invoice.

use pavise_kernel::{Call, Result};

use super::support::charge::pending_error;
use super::support::finish::{Commit, finish_payment, finish_refund};
use super::support::sums::is_pending;
use crate::contract::v1::{Invoice, SettleInvoiceRequest};

/// Finishes every payment and refund in progress, whichever call began it.
///
/// # Errors
/// `PAYMENT_PENDING` when a vendor has not answered.
pub(crate) async fn settle_invoice(call: &Call, request: SettleInvoiceRequest) -> Result<Invoice> {
    let mut invoice: Invoice = call.get(&request.invoice_id).await?;
    let payments: Vec<String> =
        invoice.payments.iter().filter(|one| is_pending(one.status())).map(|one| one.id.clone()).collect();
    let refunds: Vec<String> =
        invoice.refunds.iter().filter(|one| is_pending(one.status())).map(|one| one.id.clone()).collect();
    let mut pending = false;
    for payment in payments {
        match finish_payment(call, &invoice, &payment, Commit::Interim).await {
            Ok(finished) => invoice = finished.invoice,
            Err(error) if error.is_transient() => pending = true,
            Err(error) => return Err(error),
        }
    }
    for refund in refunds {
        match finish_refund(call, &invoice, &refund).await {
            Ok(finished) => invoice = finished.invoice,
            Err(error) if error.is_transient() => pending = true,
            Err(error) => return Err(error),
        }
    }
    if pending { Err(pending_error()) } else { Ok(invoice) }
}
