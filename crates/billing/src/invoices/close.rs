//! Letting an invoice go: forgiven, or taken back.

use pavise_kernel::{Call, Result};

use super::ledger;
use crate::contract::v1::{ForgiveInvoiceRequest, Invoice};

/// Lets go what is open.
pub(super) async fn forgive(call: &Call, request: &ForgiveInvoiceRequest) -> Result<Invoice> {
    call.change::<Invoice>(&request.invoice_id, |invoice| ledger::let_go(invoice, &request.reason)).await
}

/// Takes back an invoice on which nothing was paid.
pub(super) async fn void(call: &Call, id: &str) -> Result<Invoice> {
    call.change::<Invoice>(id, ledger::take_back).await
}
