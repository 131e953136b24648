//! The common steps of the workers that collect at once.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::{DAY, to_date, to_days, to_micros};
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};
use tonic::Request;

use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{
    DisputeStatus, ErrorReason, Invoice, InvoicePayment, InvoiceStatus, ListInvoicesRequest, PayInvoiceRequest,
};
use crate::invoices::support::holds::is_held;

/// The days after which nothing follows an event any more. A worker that is new reads the journal from its beginning.
const DAYS: i64 = 7;

/// Whether the event is of the last days.
pub(super) fn is_recent(work: &Work, entry: &JournalEntry) -> bool {
    entry.at.as_ref().is_some_and(|at| work.now() < to_micros(at).saturating_add(DAY.saturating_mul(DAYS)))
}

/// Whether an invoice was refused before an event, and the method was not charged for it since. So an entry that is read
/// again, or late, is no cause for another charge.
pub(super) fn is_cause_for(entry: &JournalEntry, invoice: &Invoice, method_id: &str) -> bool {
    let Some(event) = entry.at.as_ref().map(to_micros) else { return false };
    let begun = |payment: &InvoicePayment| payment.at.as_ref().map_or(0, to_micros);
    let mut tries = invoice.payments.iter().filter(|payment| payment.by_schedule).peekable();
    let was_refused = if tries.peek().is_some() {
        tries.any(|payment| begun(payment) < event)
    } else {
        // Nothing could be charged, or staff marked it.
        invoice.first_refused_on.is_none_or(|day| to_days(day) <= to_days(to_date(event)))
    };
    let mut own = invoice.payments.iter().filter(|payment| payment.payment_method_id == method_id);
    was_refused && own.all(|payment| begun(payment) < event)
}

/// The invoices of a member that were refused, that no dispute is open about and that are not held, the oldest first.
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
    let today = to_date(work.now());
    found.retain(|invoice| invoice.dispute_status() != DisputeStatus::Open && !is_held(invoice, today));
    found.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(found)
}

/// Charges what is open on an invoice to a method. A refusal is the vendor's answer, and the schedule goes on.
pub(super) async fn charge_invoice(work: &Work, invoice: &Invoice, method_id: &str) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Date;
    use pavise_kernel::time::{start_of, to_timestamp};

    #[test]
    fn an_event_is_a_cause_only_for_what_was_refused_before_it_and_not_asked_since() {
        let march = |day: i32| Date { year: 2026, month: 3, day };
        let entry = |day: i32| JournalEntry { at: Some(to_timestamp(start_of(march(day)))), ..JournalEntry::default() };
        let payment = |method: &str, day: i32, by_schedule: bool| InvoicePayment {
            payment_method_id: method.to_owned(),
            at: entry(day).at,
            by_schedule,
            ..InvoicePayment::default()
        };
        let with = |payments: Vec<InvoicePayment>| Invoice { payments, ..Invoice::default() };
        let refused = with(vec![payment("old", 1, true)]);
        assert!(is_cause_for(&entry(5), &refused, "new"));
        assert!(!is_cause_for(&entry(1), &refused, "new"), "it was added before the refusal");
        let asked = with(vec![payment("old", 1, true), payment("new", 5, false)]);
        assert!(!is_cause_for(&entry(5), &asked, "new"), "the entry is read again");
        assert!(is_cause_for(&entry(6), &asked, "new"), "its details were changed");
        let nothing = Invoice { first_refused_on: Some(march(4)), ..Invoice::default() };
        assert!(is_cause_for(&entry(5), &nothing, "new") && !is_cause_for(&entry(3), &nothing, "new"));
    }
}
