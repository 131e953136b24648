//! `billing.tell_of_invoices`: tells members of the invoices that the platform collects: of one that they are to pay, of
//! payments and refusals. Of refunds it tells whichever invoice they are of.

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::time::{to_date, to_micros};
use pavise_kernel::worker::{self, JournalFeed, Work, Worker};
use pavise_kernel::{Result, async_trait};
use tonic::Request;

use super::collecting::is_recent;
use crate::contract::actions::invoice as actions;
use crate::contract::feeds;
use crate::contract::v1::invoice_service_client::InvoiceServiceClient;
use crate::contract::v1::{Collection, GetInvoiceRequest, Invoice, InvoicePayment, InvoiceStatus};
use crate::invoices::support::sums::is_approved;
use crate::shared::letters::{Letter, write_day, write_money};
use crate::shared::money;

/// The reason where nothing could be charged: there is no method, or none that can be used.
const NO_METHOD: &str = "NO_METHOD";

/// The worker.
#[derive(Debug)]
pub(crate) struct TellOfInvoices;

#[async_trait]
impl Worker for TellOfInvoices {
    fn name(&self) -> &'static str {
        "billing.tell_of_invoices"
    }

    fn feed(&self) -> JournalFeed {
        feeds::INVOICES
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(invoice) = worker::decode_entity::<Invoice>(entry)? else { return Ok(()) };
        let tells = [actions::CREATED, actions::STATUS_CHANGED, actions::PAYMENT_UPDATED];
        if entry.removed || !tells.contains(&entry.action.as_str()) || !is_recent(work, entry) {
            return Ok(());
        }
        let letters = list_letters(&invoice, &entry.action);
        if letters.is_empty() {
            return Ok(());
        }
        // A later change may have taken the cause away.
        let ask = GetInvoiceRequest { identity_id: invoice.owner_id.clone(), invoice_id: invoice.id.clone() };
        let now = InvoiceServiceClient::new(work.peer_channel("billing")).get_invoice(Request::new(ask)).await;
        let Some(now) = work.skip_refused(now, "invoice")? else { return Ok(()) };
        let now = [actions::CREATED, actions::STATUS_CHANGED].map(|action| list_letters(now.get_ref(), action));
        for letter in letters.iter().filter(|letter| now.iter().flatten().any(|one| one.cause == letter.cause)) {
            letter.send(work).await?;
        }
        Ok(())
    }
}

/// The letters about what an invoice has become by a change.
fn list_letters<'a>(invoice: &'a Invoice, action: &str) -> Vec<Letter<'a>> {
    let letter = |template_key: &'static str, cause: String, values: Vec<(&'static str, String)>| Letter {
        template_key,
        reader_id: &invoice.owner_id,
        cause,
        values,
        source: ("Invoice", &invoice.id),
    };
    let mut letters = Vec::new();
    for refund in invoice.refunds.iter().filter(|refund| is_approved(refund.status())) {
        let values = vec![("amount", write_money(refund.amount)), ("number", invoice.number.clone())];
        letters.push(letter("billing.refunded", format!("refund/{}", refund.id), values));
    }
    if invoice.billing_key.is_empty() {
        return letters;
    }
    let is_to_be_paid = invoice.collection() == Collection::ByInvoice && invoice.status() == InvoiceStatus::Active;
    if action == actions::CREATED
        && is_to_be_paid
        && let Some(due) = invoice.due_on
    {
        let values = vec![
            ("amount", write_money(invoice.open_amount)),
            ("number", invoice.number.clone()),
            ("day", write_day(due)),
        ];
        letters.push(letter("billing.invoice", format!("invoice/{}", invoice.id), values));
    }
    let is_paid = invoice.status() == InvoiceStatus::Paid && money::to_minor_units(invoice.paid_amount.as_ref()) > 0;
    if is_paid && action == actions::STATUS_CHANGED {
        let values = vec![("amount", write_money(invoice.paid_amount)), ("number", invoice.number.clone())];
        letters.push(letter("billing.receipt", format!("receipt/{}", invoice.id), values));
    }
    if invoice.status() == InvoiceStatus::Failed
        && let (Some(refused), Some(next)) = (invoice.last_refused_on, invoice.due_to_collect_on)
    {
        let values = vec![
            ("amount", write_money(invoice.open_amount)),
            ("reason", find_reason(invoice).to_owned()),
            ("next", write_day(next)),
        ];
        letters.push(letter("billing.refused", format!("refused/{}/{}", invoice.id, write_day(refused)), values));
    }
    letters
}

/// Why the last try was refused.
fn find_reason(invoice: &Invoice) -> &'static str {
    let of_day = |payment: &&InvoicePayment| {
        payment.by_schedule && payment.at.as_ref().map(|at| to_date(to_micros(at))) == invoice.last_refused_on
    };
    let last = invoice.payments.iter().rfind(of_day);
    last.map(|payment| payment.decline_reason().spelling()).filter(|reason| !reason.is_empty()).unwrap_or(NO_METHOD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{DeclineReason, InvoiceRefund, TransactionStatus};
    use pavise_kernel::common::v1::{Date, Money};
    use pavise_kernel::time::{start_of, to_timestamp};

    const FIRST: Date = Date { year: 2026, month: 3, day: 1 };

    fn told(invoice: &Invoice, action: &str) -> Vec<(String, String)> {
        let letters = list_letters(invoice, action);
        let values = |letter: &Letter<'_>| letter.values.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
        letters.iter().map(|letter| (letter.cause.clone(), values(letter).join(", "))).collect()
    }

    fn pair(cause: &str, values: &str) -> (String, String) {
        (cause.to_owned(), values.to_owned())
    }

    #[test]
    fn each_event_has_its_letter() {
        let usd = |amount| Some(Money { currency: 1, amount });
        let invoice =
            Invoice { id: "i".into(), number: "INV-1".into(), billing_key: "key".into(), ..Invoice::default() };
        let paid = Invoice { status: InvoiceStatus::Paid.into(), paid_amount: usd(2995), ..invoice.clone() };
        assert_eq!(told(&paid, actions::STATUS_CHANGED), [pair("receipt/i", "29.95 USD, INV-1")]);
        assert!(told(&paid, actions::PAYMENT_UPDATED).is_empty());
        let nothing = Invoice { paid_amount: usd(0), ..paid.clone() };
        assert!(told(&nothing, actions::STATUS_CHANGED).is_empty(), "nothing was paid");
        let refund = InvoiceRefund {
            id: "r".into(),
            amount: usd(500),
            status: TransactionStatus::Approved.into(),
            ..Default::default()
        };
        let refunded = Invoice { refunds: vec![refund], ..paid };
        assert_eq!(told(&refunded, actions::PAYMENT_UPDATED), [pair("refund/r", "5.00 USD, INV-1")]);
        let of_order = Invoice { billing_key: String::new(), ..refunded };
        assert_eq!(told(&of_order, actions::STATUS_CHANGED), [pair("refund/r", "5.00 USD, INV-1")]);
        let sent = Invoice {
            status: InvoiceStatus::Active.into(),
            collection: Collection::ByInvoice.into(),
            open_amount: usd(2995),
            due_on: Some(Date { day: 15, ..FIRST }),
            ..invoice.clone()
        };
        assert_eq!(told(&sent, actions::CREATED), [pair("invoice/i", "29.95 USD, INV-1, 2026-03-15")]);
        assert!(told(&sent, actions::STATUS_CHANGED).is_empty(), "it was sent when it was raised");
        let charged = Invoice { collection: Collection::Charge.into(), ..sent.clone() };
        let settled = Invoice { status: InvoiceStatus::Forgiven.into(), ..sent };
        assert!(told(&charged, actions::CREATED).is_empty() && told(&settled, actions::CREATED).is_empty());
        let failed = Invoice {
            status: InvoiceStatus::Failed.into(),
            open_amount: usd(2995),
            last_refused_on: Some(FIRST),
            due_to_collect_on: Some(Date { day: 4, ..FIRST }),
            ..invoice
        };
        let refused = pair("refused/i/2026-03-01", "29.95 USD, NO_METHOD, 2026-03-04");
        assert_eq!(told(&failed, actions::STATUS_CHANGED), [refused]);
        let payment = InvoicePayment {
            at: Some(to_timestamp(start_of(FIRST))),
            decline_reason: DeclineReason::InsufficientFunds.into(),
            by_schedule: true,
            ..InvoicePayment::default()
        };
        let declined = Invoice { payments: vec![payment], ..failed.clone() };
        let refused = pair("refused/i/2026-03-01", "29.95 USD, INSUFFICIENT_FUNDS, 2026-03-04");
        assert_eq!(told(&declined, actions::PAYMENT_UPDATED), [refused]);
        let by_staff = Invoice { last_refused_on: None, due_to_collect_on: None, ..failed };
        assert!(told(&by_staff, actions::STATUS_CHANGED).is_empty(), "staff marked it");
    }
}
