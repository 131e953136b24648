//! The invoices of a subscription: those that are not settled, and those on which something was paid.

use std::collections::BTreeSet;

use pavise_kernel::store::Filter;
use pavise_kernel::table::Lookup;
use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::INVOICE_TABLE;
use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::{Invoice, Subscription};
use crate::invoices::support::outstanding::OUTSTANDING;
use crate::shared::money;

/// The invoices of a subscription that are looked at: those of years, or of months where it is billed daily.
const NEWEST: u32 = 200;

/// Loads the invoices that are not settled, newest first.
pub(crate) async fn load_outstanding(call: &Call, subscription_id: &str) -> Result<Vec<Invoice>> {
    let mut filters = vec![(lookups::SUBSCRIPTION_ID, subscription_id.to_owned())];
    filters.extend(OUTSTANDING.map(|status| (lookups::STATUS, status.spelling().to_owned())));
    let (invoices, _) = call.list_page(Page { size: 500, token: "", filters }).await?;
    Ok(invoices)
}

/// Whether an amount is still to be paid on the invoice.
pub(crate) fn is_outstanding(invoice: &Invoice) -> bool {
    OUTSTANDING.contains(&invoice.status())
}

/// Loads the newest invoices of a subscription, settled ones too, whichever member owns them now.
pub(crate) async fn load_newest(call: &Call, subscription_id: &str) -> Result<Vec<Invoice>> {
    let lookup = INVOICE_TABLE
        .lookup(lookups::SUBSCRIPTION_ID)
        .ok_or_else(|| Error::internal("invoices have no subscription"))?;
    let filter = Filter { lookups: vec![(lookup, subscription_id.to_owned())], limit: NEWEST, ..Filter::default() };
    let rows = call.kernel().store().list(&INVOICE_TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}

/// Counts the invoices on which something was paid, whichever member owns them now. The invoices of the subscription's
/// order count, too: they paid the first period.
pub(crate) async fn count_paid_invoices(call: &Call, subscription: &Subscription) -> Result<i32> {
    let mut paid = BTreeSet::new();
    for (name, value) in [(lookups::SUBSCRIPTION_ID, &subscription.id), (lookups::ORDER_ID, &subscription.order_id)] {
        let lookup =
            INVOICE_TABLE.lookup(name).ok_or_else(|| Error::internal(format!("invoices have no lookup {name}")))?;
        if !value.is_empty() {
            add_paid(call, lookup, value, &mut paid).await?;
        }
    }
    Ok(i32::try_from(paid.len()).unwrap_or(i32::MAX))
}

/// Adds the ids of the paid invoices with that value of a lookup.
async fn add_paid(call: &Call, lookup: &'static Lookup, value: &str, paid: &mut BTreeSet<String>) -> Result<()> {
    let mut filter = Filter { lookups: vec![(lookup, value.to_owned())], limit: 500, ..Filter::default() };
    loop {
        let rows = call.kernel().store().list(&INVOICE_TABLE, &filter).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        filter.before = Some(last.id.clone());
        let invoices: Vec<Invoice> = call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await?;
        let invoices = invoices.into_iter().filter(|invoice| money::to_minor_units(invoice.paid_amount.as_ref()) > 0);
        paid.extend(invoices.map(|invoice| invoice.id));
    }
}
