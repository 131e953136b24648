//! `billing.activate_after_settlement`: activates a subscription that is catching up when its last outstanding invoice is settled.
//! `billing.catching_up` does the same when the subscription begins to catch up. Both are needed: at the time of either
//! event, the other may not have happened yet.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::{Code, Request};

use crate::contract::feeds;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{
    ActivateSubscriptionRequest, GetSubscriptionRequest, Invoice, InvoiceStatus, ListOutstandingInvoicesRequest,
    SubscriptionStatus,
};

/// The worker that reads settled invoices.
#[derive(Debug)]
pub(crate) struct ActivateAfterSettlement;

#[async_trait]
impl Worker for ActivateAfterSettlement {
    fn name(&self) -> &'static str {
        "billing.activate_after_settlement"
    }

    fn key_name(&self) -> &'static str {
        "billing.caught_up"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVOICES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(invoice) = worker::decode_entity::<Invoice>(entry)? else { return Ok(()) };
        if invoice.subscription_id.is_empty() || !is_settled(&invoice) {
            return Ok(());
        }
        activate_if_caught_up(work, invoice.owner_id, invoice.subscription_id).await
    }
}

/// Whether nothing more is to be paid on an invoice.
fn is_settled(invoice: &Invoice) -> bool {
    match invoice.status() {
        InvoiceStatus::Paid | InvoiceStatus::Forgiven | InvoiceStatus::Voided | InvoiceStatus::Refunded => true,
        InvoiceStatus::Active
        | InvoiceStatus::Delinquent
        | InvoiceStatus::Failed
        | InvoiceStatus::PartiallyFunded
        | InvoiceStatus::Unspecified => false,
    }
}

/// Makes a subscription ACTIVE if it is catching up and has no outstanding invoice.
pub(super) async fn activate_if_caught_up(work: &Work, identity_id: String, subscription_id: String) -> Result<()> {
    let mut client = SubscriptionServiceClient::new(work.peer_channel("billing"));
    let get = GetSubscriptionRequest { identity_id: identity_id.clone(), subscription_id: subscription_id.clone() };
    let status = match client.get_subscription(Request::new(get)).await {
        Ok(subscription) => subscription.into_inner().status(),
        Err(status) if status.code() == Code::NotFound => return Ok(()),
        Err(status) => return Err(status.into()),
    };
    if status != SubscriptionStatus::CatchingUp {
        return Ok(());
    }
    let list =
        ListOutstandingInvoicesRequest { identity_id: identity_id.clone(), subscription_id: subscription_id.clone() };
    if !client.list_outstanding_invoices(Request::new(list)).await?.into_inner().invoices.is_empty() {
        return Ok(());
    }
    let activate = ActivateSubscriptionRequest { identity_id, subscription_id };
    client.activate_subscription(work.new_request(activate, "activate")).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invoice_is_settled_once_nothing_is_to_be_paid() {
        let settled = |status: InvoiceStatus| is_settled(&Invoice { status: status.into(), ..Invoice::default() });
        for over in [InvoiceStatus::Paid, InvoiceStatus::Forgiven, InvoiceStatus::Voided, InvoiceStatus::Refunded] {
            assert!(settled(over), "{over:?}");
        }
        for open in
            [InvoiceStatus::Active, InvoiceStatus::Delinquent, InvoiceStatus::Failed, InvoiceStatus::PartiallyFunded]
        {
            assert!(!settled(open), "{open:?}");
        }
    }
}
