//! The group that pays for a subscription, where the member does not.

use std::collections::BTreeSet;

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Invoice, InvoicePayment, PaymentMethod, Subscription};
use crate::invoices::support::sums::is_approved;

/// The group whose payment method the subscription is charged to; empty where the member pays.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_paying_group(call: &Call, subscription: &Subscription) -> Result<String> {
    let id = &subscription.payment_method_id;
    let method = if id.is_empty() { None } else { call.find_unscoped::<PaymentMethod>(id).await? };
    let group = method.map(|method| method.group_id).unwrap_or_default();
    Ok(if group == subscription.group_id { group } else { String::new() })
}

/// The group that paid these invoices of a subscription, or a part of them; empty where the member did. Where nobody paid,
/// it is the group that pays the next one. So a member who names an own method later does not get the group's money.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_group_that_paid(
    call: &Call,
    subscription: &Subscription,
    invoices: &[Invoice],
) -> Result<String> {
    if list_methods(invoices).is_empty() {
        return find_paying_group(call, subscription).await;
    }
    find_group_of(call, invoices).await
}

/// The group that paid these invoices, or a part of them; empty where the member or nobody did.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_group_of(call: &Call, invoices: &[Invoice]) -> Result<String> {
    for id in list_methods(invoices) {
        let method: Option<PaymentMethod> = call.find_unscoped(id).await?;
        if let Some(method) = method.filter(|method| !method.group_id.is_empty()) {
            return Ok(method.group_id);
        }
    }
    Ok(String::new())
}

/// The methods that invoices were paid with.
fn list_methods(invoices: &[Invoice]) -> BTreeSet<&str> {
    let is_payment = |payment: &&InvoicePayment| is_approved(payment.status()) && !payment.payment_method_id.is_empty();
    let payments = invoices.iter().flat_map(|invoice| &invoice.payments).filter(is_payment);
    payments.map(|payment| payment.payment_method_id.as_str()).collect()
}
