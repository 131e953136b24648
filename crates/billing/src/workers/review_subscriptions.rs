//! `billing.review_subscriptions`: brings a subscription in line with an invoice that was settled or became DELINQUENT, and
//! with one whose hold is over.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};

use crate::contract::actions::invoice as actions;
use crate::contract::feeds;
use crate::contract::v1::subscription_service_client::SubscriptionServiceClient;
use crate::contract::v1::{Invoice, InvoiceStatus, ReviewSubscriptionRequest};

/// The worker.
#[derive(Debug)]
pub(crate) struct ReviewSubscriptions;

#[async_trait]
impl Worker for ReviewSubscriptions {
    fn name(&self) -> &'static str {
        "billing.review_subscriptions"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVOICES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(invoice) = worker::decode_entity::<Invoice>(entry)? else { return Ok(()) };
        let stands =
            [actions::CREATED, actions::STATUS_CHANGED, actions::HOLD_UPDATED].contains(&entry.action.as_str());
        if invoice.subscription_id.is_empty() || !stands || !is_followed(&invoice) {
            return Ok(());
        }
        let request = ReviewSubscriptionRequest { subscription_id: invoice.subscription_id };
        let mut client = SubscriptionServiceClient::new(work.peer_channel("billing"));
        match client.review_subscription(work.new_request(request, "review")).await.map_err(Error::from) {
            Ok(_) => Ok(()),
            // It was deleted, or an invoice by hand named none that there is.
            Err(error) if error.is(Common::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Whether a subscription follows the status.
fn is_followed(invoice: &Invoice) -> bool {
    match invoice.status() {
        InvoiceStatus::Delinquent
        | InvoiceStatus::Paid
        | InvoiceStatus::Forgiven
        | InvoiceStatus::Voided
        | InvoiceStatus::Refunded => true,
        InvoiceStatus::Active | InvoiceStatus::Failed | InvoiceStatus::PartiallyFunded | InvoiceStatus::Unspecified => {
            false
        }
    }
}
