//! Raising an invoice.

use pavise_kernel::time::is_real;
use pavise_kernel::{Call, Error, Result};

use super::ledger;
use crate::contract::v1::{CreateInvoiceRequest, Invoice, InvoiceItem, InvoiceItemEvent, ItemAction};
use crate::payment_methods::owner;

/// Raises an invoice with its items.
pub(super) async fn create(call: &Call, request: CreateInvoiceRequest) -> Result<Invoice> {
    if request.due_on.is_some_and(|day| !is_real(day)) {
        return Err(Error::field("due_on", "is no day of the calendar"));
    }
    if !request.payment_method_id.is_empty() {
        owner::owned(call, &request.payment_method_id).await?;
    }
    let mut invoice = Invoice {
        owner_id: call.owner().to_owned(),
        currency: request.currency,
        payment_method_id: request.payment_method_id,
        order_id: request.order_id,
        subscription_id: request.subscription_id,
        due_on: request.due_on.or_else(|| Some(call.today())),
        ..Invoice::default()
    };
    // Discounts come last, so that their place in the request does not matter.
    let (discounts, others): (Vec<_>, Vec<_>) = request.items.into_iter().enumerate().partition(|(_, item)| ledger::lowers(item));
    for (at, item) in others.into_iter().chain(discounts) {
        ledger::add_item(&mut invoice, &format!("items[{at}]"), new_item(call, item))?;
    }
    call.create(invoice).await
}

/// An item as it is kept: with an id and the beginning of its history.
pub(super) fn new_item(call: &Call, item: InvoiceItem) -> InvoiceItem {
    let added = InvoiceItemEvent { action: ItemAction::Added.into(), at: Some(call.timestamp()) };
    InvoiceItem { id: call.new_id(), tax_registered: false, history: vec![added], ..item }
}
