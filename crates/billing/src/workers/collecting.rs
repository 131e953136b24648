//! What the workers share that collect at once.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::{DAY, to_micros};
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};
use tonic::Request;

use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{ErrorReason, Invoice, InvoiceStatus, ListInvoicesRequest, PayInvoiceRequest};

/// The days after which nothing follows an event any more. A worker that is new reads the journal from its beginning.
const DAYS: i64 = 7;

/// Whether the event is of the last days.
pub(super) fn is_recent(work: &Work, entry: &JournalEntry) -> bool {
    entry.at.as_ref().is_some_and(|at| work.now() < to_micros(at).saturating_add(DAY.saturating_mul(DAYS)))
}

/// The invoices of a member that were refused, the oldest first.
pub(super) async fn list_refused(work: &Work, owner_id: &str) -> Result<Vec<Invoice>> {
    let mut client = InvoiceServiceClient::new(work.peer_channel("billing"));
    let mut found = Vec::new();
    for status in [InvoiceStatus::Failed, InvoiceStatus::Delinquent] {
        let list = ListInvoicesRequest {
            identity_id: owner_id.to_owned(),
            status: status.into(),
            page_size: 500,
            ..ListInvoicesRequest::default()
        };
        found.extend(client.list_invoices(Request::new(list)).await?.into_inner().invoices);
    }
    found.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(found)
}

/// Charges what is open on an invoice to a method. A refusal is the vendor's answer, and the schedule goes on.
pub(super) async fn charge(work: &Work, invoice: &Invoice, method_id: &str) -> Result<()> {
    let pay = PayInvoiceRequest {
        identity_id: invoice.owner_id.clone(),
        invoice_id: invoice.id.clone(),
        payment_method_id: method_id.to_owned(),
        ..PayInvoiceRequest::default()
    };
    let mut client = InvoiceServiceClient::new(work.peer_channel("billing"));
    match client.pay_invoice(work.new_request(pay, &invoice.id)).await.map_err(Error::from) {
        // The payment goes on by itself.
        Err(error) if error.is(ErrorReason::PaymentPending) => Ok(()),
        paid => work.skip_refused(paid, "charge").map(|_| ()),
    }
}
