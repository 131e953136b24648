//! `billing.collect_invoices`: charges the invoices of subscriptions on their day, and tries refused ones again. One that is
//! raised on its day is charged by `billing.collect_when_billed` already.

use std::time::Duration;

use pavise_kernel::worker::{JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{CollectInvoiceRequest, Invoice};

/// The time between two runs.
const PERIOD: Duration = Duration::from_secs(60);

/// The worker.
#[derive(Debug)]
pub(crate) struct CollectInvoices;

#[async_trait]
impl Worker for CollectInvoices {
    fn name(&self) -> &'static str {
        "billing.collect_invoices"
    }

    fn feed(&self) -> JournalFeed {
        JournalFeed::Every(PERIOD)
    }

    async fn tick(&self, work: &Work) -> Result<()> {
        let client = InvoiceServiceClient::new(work.peer_channel("billing"));
        work.call_for_due::<Invoice, _, _, _>(lookups::DUE_TO_COLLECT_ON, |id| {
            let mut client = client.clone();
            let request = work.new_request(CollectInvoiceRequest { invoice_id: id.clone() }, &id);
            async move { client.collect_invoice(request).await }
        })
        .await
    }
}
