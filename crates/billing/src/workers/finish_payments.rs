//! `billing.finish_payments`: finishes payments and refunds of invoices that are in progress. The call that began one usually
//! finishes it. This worker does when the process was killed or the vendor was slow.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{Invoice, SettleInvoiceRequest};
use crate::invoices::support::sums::is_in_progress;

/// The worker.
#[derive(Debug)]
pub(crate) struct FinishPayments;

#[async_trait]
impl Worker for FinishPayments {
    fn name(&self) -> &'static str {
        "billing.finish_payments"
    }

    fn key_name(&self) -> &'static str {
        "billing.settle"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVOICES
    }

    /// Money may have moved. Staff say what became of it, where no vendor does.
    fn gives_up(&self) -> bool {
        false
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(invoice) = worker::decode_entity::<Invoice>(entry)? else { return Ok(()) };
        if !is_in_progress(&invoice) {
            return Ok(());
        }
        let request = work.new_request(SettleInvoiceRequest { invoice_id: invoice.id }, "settle");
        InvoiceServiceClient::new(work.peer_channel("billing")).settle_invoice(request).await?;
        Ok(())
    }
}
