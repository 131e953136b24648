//! The items of an invoice.

use pavise_kernel::{Call, Error, Result};

use super::{create, ledger};
use crate::contract::v1::{
    AddInvoiceItemRequest, Invoice, InvoiceItemEvent, ItemAction, RegisterInvoiceItemTaxRequest, RemoveInvoiceItemRequest,
};

/// Adds an item.
pub(super) async fn add(call: &Call, request: AddInvoiceItemRequest) -> Result<Invoice> {
    let item = create::new_item(call, request.item.unwrap_or_default());
    call.change::<Invoice>(&request.invoice_id, |invoice| ledger::add_item(invoice, "item", item.clone())).await
}

/// Takes an item off; what is left sums up to no less than was paid.
pub(super) async fn remove(call: &Call, request: &RemoveInvoiceItemRequest) -> Result<Invoice> {
    call.change::<Invoice>(&request.invoice_id, |invoice| ledger::remove_item(invoice, &request.item_id)).await
}

/// Records that the tax of an item was registered with the authority; once.
pub(super) async fn register_tax(call: &Call, request: &RegisterInvoiceItemTaxRequest) -> Result<Invoice> {
    let registered = InvoiceItemEvent { action: ItemAction::TaxRegistered.into(), at: Some(call.timestamp()) };
    call.change::<Invoice>(&request.invoice_id, |invoice| {
        let item = invoice.items.iter_mut().find(|item| item.id == request.item_id);
        let item = item.ok_or_else(|| Error::not_found("invoice item", &request.item_id))?;
        if !item.tax_registered {
            item.tax_registered = true;
            item.history.push(registered);
        }
        Ok(())
    })
    .await
}
