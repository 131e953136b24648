//! An invoice is raised.

use pavise_kernel::time::is_real;
use pavise_kernel::{Call, Error, Result};

use super::items::{add_item, build_item, is_deduction};
use crate::contract::v1::{CreateInvoiceRequest, Invoice};
use crate::payment_methods::ownership::load_owned;

/// Raises an invoice with its items.
pub(crate) async fn create_invoice(call: &Call, request: CreateInvoiceRequest) -> Result<Invoice> {
    if request.due_on.is_some_and(|day| !is_real(day)) {
        return Err(Error::field("due_on", "is no day of the calendar"));
    }
    if !request.payment_method_id.is_empty() {
        load_owned(call, &request.payment_method_id).await?;
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
    // Deductions come last: in any order of the request, the total is never negative in between.
    let (deductions, others): (Vec<_>, Vec<_>) =
        request.items.into_iter().enumerate().partition(|(_, item)| is_deduction(item));
    for (at, item) in others.into_iter().chain(deductions) {
        add_item(&mut invoice, &format!("items[{at}]"), build_item(item, call.new_id(), call.timestamp()))?;
    }
    call.create(invoice).await
}
