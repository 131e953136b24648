//! `billing.finish_payments`: finishes payments and refunds of invoices that are in progress. The call that began one usually
//! finishes it. This worker does when the process was killed or the vendor was slow. A charge of the schedule is left to
//! `billing.collect_invoices`, while the invoice is due.

use pavise_kernel::common::v1::{Date, JournalEntry};
use pavise_kernel::time::{to_date, to_days};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};

use crate::contract::feeds;
use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{Invoice, SettleInvoiceRequest};
use crate::invoices::support::sums::{is_in_progress, is_pending};

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
        if !is_in_progress(&invoice) || is_left_to_schedule(&invoice, to_date(work.now())) {
            return Ok(());
        }
        let request = work.new_request(SettleInvoiceRequest { invoice_id: invoice.id }, "settle");
        InvoiceServiceClient::new(work.peer_channel("billing")).settle_invoice(request).await?;
        Ok(())
    }
}

/// Whether only charges of the schedule are in progress, on an invoice that it charges today.
fn is_left_to_schedule(invoice: &Invoice, today: Date) -> bool {
    let is_due = invoice.due_to_collect_on.is_some_and(|day| to_days(day) <= to_days(today));
    let mut begun = invoice.payments.iter().filter(|payment| is_pending(payment.status()));
    is_due
        && begun.all(|payment| payment.by_schedule)
        && !invoice.refunds.iter().any(|refund| is_pending(refund.status()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{InvoicePayment, InvoiceRefund, TransactionStatus};

    #[test]
    fn the_schedule_finishes_its_own_charges_of_an_invoice_that_is_due() {
        let day = |day: i32| Date { year: 2026, month: 3, day };
        let payment = |by_schedule: bool, status: TransactionStatus| InvoicePayment {
            status: status.into(),
            by_schedule,
            ..InvoicePayment::default()
        };
        let own = payment(true, TransactionStatus::Created);
        let due = Invoice {
            due_to_collect_on: Some(day(2)),
            payments: vec![payment(false, TransactionStatus::Declined), own.clone()],
            ..Invoice::default()
        };
        assert!(is_left_to_schedule(&due, day(2)) && is_left_to_schedule(&due, day(3)));
        assert!(!is_left_to_schedule(&due, day(1)), "staff had it tried before its day");
        let by_member = payment(false, TransactionStatus::Created);
        assert!(!is_left_to_schedule(&Invoice { payments: vec![own, by_member], ..due.clone() }, day(2)));
        let refund = InvoiceRefund { status: TransactionStatus::Created.into(), ..InvoiceRefund::default() };
        assert!(!is_left_to_schedule(&Invoice { refunds: vec![refund], ..due.clone() }, day(2)));
        assert!(!is_left_to_schedule(&Invoice { due_to_collect_on: None, ..due }, day(2)));
    }
}
