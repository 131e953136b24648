//! A subscription's invoices: what is not settled, and whether anything was ever paid.

use pavise_kernel::{Call, Error, Page, Result};

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
    call.get::<Subscription>(id).await?;
    let paid_invoices = paid(call, id).await?;
    Ok(CanSubscriptionBeDeletedResponse { can_be_deleted: paid_invoices == 0, paid_invoices })
}

/// Removes a subscription on which nothing was ever paid.
pub(super) async fn delete(call: &Call, id: &str) -> Result<Subscription> {
    call.get::<Subscription>(id).await?;
    if paid(call, id).await? > 0 {
        return Err(Error::new(ErrorReason::SubscriptionHasPayments, "invoices of the subscription were paid: cancel it"));
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

/// On how many invoices something was paid.
async fn paid(call: &Call, id: &str) -> Result<i32> {
    let (mut count, mut token) = (0, String::new());
    loop {
        let filters = vec![("subscription_id", id.to_owned())];
        let (invoices, next) = call.page::<Invoice>(Page { size: 500, token: &token, filters }).await?;
        let paid = invoices.iter().filter(|invoice| money::minor(invoice.paid_amount.as_ref()) > 0).count();
        count += i32::try_from(paid).unwrap_or(i32::MAX);
        if next.is_empty() {
            return Ok(count);
        }
        token = next;
    }
}
