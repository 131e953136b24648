//! `billing.post_payments`: records the outcome of a transaction on its invoice, when the vendor took longer than the call.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Common, Error, Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{SettleInvoiceRequest, Transaction};

/// The worker.
#[derive(Debug)]
pub(crate) struct PostPayments;

#[async_trait]
impl Worker for PostPayments {
    fn name(&self) -> &'static str {
        "billing.post_payments"
    }

    fn key_name(&self) -> &'static str {
        "billing.post"
    }

    fn feed(&self) -> JournalFeed {
        feeds::PAYMENT_METHODS
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(transaction) = worker::decode_entity::<Transaction>(entry)? else { return Ok(()) };
        if transaction.invoice_id.is_empty() || transaction.recorded || !transaction.is_final() {
            return Ok(());
        }
        let request = work.new_request(SettleInvoiceRequest { invoice_id: transaction.invoice_id }, "settle");
        match InvoiceServiceClient::new(work.peer_channel("billing")).settle_invoice(request).await.map_err(Error::from)
        {
            Ok(_) => Ok(()),
            // The caller named an unknown invoice: nothing waits for the outcome.
            Err(error) if error.is(Common::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
