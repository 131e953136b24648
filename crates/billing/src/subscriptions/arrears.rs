//! A subscription's invoices: what is not settled, and whether anything was ever paid.

use std::collections::BTreeSet;

use pavise_kernel::store::Filter;
use pavise_kernel::table::Lookup;
use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::INVOICE_TABLE;
use crate::contract::v1::{
    CanSubscriptionBeDeletedResponse, ErrorReason, Invoice, InvoiceStatus, ListOutstandingInvoicesResponse, Subscription,
    SubscriptionStatus,
};
use crate::money;

/// The statuses of an invoice on which something is still to be paid.
const OUTSTANDING: [InvoiceStatus; 4] =
    [InvoiceStatus::Active, InvoiceStatus::Failed, InvoiceStatus::Delinquent, InvoiceStatus::PartiallyFunded];

/// The invoices that are not settled.
pub(super) async fn outstanding(call: &Call, id: &str) -> Result<ListOutstandingInvoicesResponse> {
    call.get::<Subscription>(id).await?;
    Ok(ListOutstandingInvoicesResponse { invoices: unsettled(call, id).await? })
}

/// Whether nothing was ever paid.
pub(super) async fn can_be_deleted(call: &Call, id: &str) -> Result<CanSubscriptionBeDeletedResponse> {
    let subscription: Subscription = call.get(id).await?;
    let paid_invoices = paid(call, &subscription).await?;
    Ok(CanSubscriptionBeDeletedResponse { can_be_deleted: paid_invoices == 0, paid_invoices })
}

/// Removes a subscription on which nothing was ever paid.
pub(super) async fn delete(call: &Call, id: &str) -> Result<Subscription> {
    let subscription: Subscription = call.get(id).await?;
    if paid(call, &subscription).await? > 0 {
        let message = "invoices of the subscription, or of the order that it came from, were paid: cancel it";
        return Err(Error::new(ErrorReason::SubscriptionHasPayments, message));
    }
    call.delete(id).await
}

/// Marks it as catching up while something is unsettled.
pub(super) async fn catch_up(call: &Call, id: &str) -> Result<Subscription> {
    let behind = !unsettled(call, id).await?.is_empty();
    let status = if behind { SubscriptionStatus::CatchingUp } else { SubscriptionStatus::Active };
    call.change::<Subscription>(id, |subscription| {
        subscription.status = status.into();
        Ok(())
    })
    .await
}

async fn unsettled(call: &Call, id: &str) -> Result<Vec<Invoice>> {
    let mut filters = vec![("subscription_id", id.to_owned())];
    filters.extend(OUTSTANDING.map(|status| ("status", status.spelling().to_owned())));
    let (invoices, _) = call.page(Page { size: 500, token: "", filters }).await?;
    Ok(invoices)
}

/// On how many invoices something was paid: its own, and those of the order that it came from, on which the first period was
/// paid. Whose they are now does not matter.
async fn paid(call: &Call, subscription: &Subscription) -> Result<i32> {
    let mut paid = BTreeSet::new();
    for (name, value) in [("subscription_id", &subscription.id), ("order_id", &subscription.order_id)] {
        let lookup = INVOICE_TABLE.lookup(name).ok_or_else(|| Error::internal(format!("invoices have no lookup {name}")))?;
        if !value.is_empty() {
            add_paid(call, lookup, value, &mut paid).await?;
        }
    }
    Ok(i32::try_from(paid.len()).unwrap_or(i32::MAX))
}

/// Adds the ids of the invoices with that value of a lookup on which something was paid, whoever calls.
async fn add_paid(call: &Call, lookup: &'static Lookup, value: &str, paid: &mut BTreeSet<String>) -> Result<()> {
    let mut filter = Filter { lookups: vec![(lookup, value.to_owned())], limit: 500, ..Filter::default() };
    loop {
        let rows = call.kernel().store().list(&INVOICE_TABLE, &filter).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        filter.before = Some(last.id.clone());
        let invoices: Vec<Invoice> = call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await?;
        let invoices = invoices.into_iter().filter(|invoice| money::minor(invoice.paid_amount.as_ref()) > 0);
        paid.extend(invoices.map(|invoice| invoice.id));
    }
}
