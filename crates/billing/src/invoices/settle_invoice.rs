//! Finishes the payments and refunds in progress on an invoice.

use pavise_kernel::{Call, Result};

use super::support::finish::finish_all;
use crate::contract::v1::{Invoice, SettleInvoiceRequest};

/// Finishes every payment and refund in progress, whichever call began it.
///
/// # Errors
/// `PAYMENT_PENDING` when a vendor has not answered.
pub(crate) async fn settle_invoice(call: &Call, request: SettleInvoiceRequest) -> Result<Invoice> {
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    finish_all(call, invoice).await
}
