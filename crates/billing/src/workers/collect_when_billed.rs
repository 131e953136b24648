//! `billing.collect_when_billed`: charges an invoice as soon as it is raised, if that is on its day. Those of other days, and
//! whatever is refused here, are left to `billing.collect_invoices`: a member who missed months has several invoices, which
//! are charged one after the other, so that a method that is refused for good is not asked again.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::to_date;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use super::collecting::is_recent;
use crate::contract::actions::invoice as actions;
use crate::contract::feeds;
use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{CollectInvoiceRequest, Invoice};

/// The worker.
#[derive(Debug)]
pub(crate) struct CollectWhenBilled;

#[async_trait]
impl Worker for CollectWhenBilled {
    fn name(&self) -> &'static str {
        "billing.collect_when_billed"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVOICES
    }

    /// A method that is refused for good must not be asked by the member's next invoice.
    fn keeps_owners_in_order(&self) -> bool {
        true
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        if entry.action != actions::CREATED || entry.removed || !is_recent(work, entry) {
            return Ok(());
        }
        let Some(invoice) = worker::decode_entity::<Invoice>(entry)? else { return Ok(()) };
        if invoice.due_to_collect_on != Some(to_date(work.now())) {
            return Ok(());
        }
        let mut client = InvoiceServiceClient::new(work.peer_channel("billing"));
        let request = work.new_request(CollectInvoiceRequest { invoice_id: invoice.id.clone() }, &invoice.id);
        work.skip_refused(client.collect_invoice(request).await, "collect").map(|_| ())
    }
}
