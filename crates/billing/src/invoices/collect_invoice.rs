//! Collects an invoice whose day has come.

use pavise_kernel::time::{MINUTE, Micros, to_date, to_days, to_micros};
use pavise_kernel::{Call, Result};

use super::support::choice::choose_method;
use super::support::collecting::record_refused_try;
use super::support::finish::{Commit, finish_payment};
use super::support::holds::{day_after_hold, end_hold_if_over};
use super::support::scheduled::{begin_charge, commit_unsettled};
use super::support::sums::{is_in_progress, is_pending};
use crate::contract::v1::{
    CollectInvoiceRequest, Collection, DisputeStatus, ErrorReason, Invoice, InvoicePayment, InvoiceStatus,
    TransactionStatus,
};

/// The methods that are asked on one day, when each is refused for good.
const MOST_METHODS: usize = 3;
/// The time for which a charge of the schedule is left to the run that began it, in microseconds.
const LEFT_TO_ITS_RUN: Micros = MINUTE / 2;

/// Charges the invoice, or records that it was not paid. A charge that an earlier run began is finished first, and counts
/// for its day. So nothing is charged twice, wherever a run was killed. One that was begun just now is left to its run: two
/// workers come upon an invoice that is raised on its day.
///
/// # Errors
/// `VENDOR_NOT_CONFIGURED`: that is the platform's fault, and not the member's. `PAYMENT_IN_PROGRESS` while a refund is.
pub(crate) async fn collect_invoice(call: &Call, request: CollectInvoiceRequest) -> Result<Invoice> {
    let mut invoice: Invoice = call.get(&request.invoice_id).await?;
    if invoice.payments.iter().any(|payment| is_left_to_its_run(call, payment)) {
        return call.answer_unchanged(invoice).await;
    }
    let begun: Vec<String> =
        invoice.payments.iter().filter(|one| is_pending(one.status())).map(|one| one.id.clone()).collect();
    for id in begun {
        let Some(after) = finish(call, &invoice, &id).await? else { return call.answer_unchanged(invoice).await };
        invoice = after;
    }
    if !is_due(call, &invoice) {
        return call.answer_unchanged(invoice).await;
    }
    if invoice.collection() == Collection::ByInvoice {
        let invoice = commit_unsettled(call, &invoice.id, |invoice| {
            invoice.set_status(InvoiceStatus::Delinquent);
            end_hold_if_over(invoice, call.today());
            Ok(())
        })
        .await?;
        return call.answer_unchanged(invoice).await;
    }
    if may_be_asked(&invoice) {
        invoice = ask(call, invoice).await?;
    }
    if invoice.held_until.is_some() {
        let end = |invoice: &mut Invoice| {
            end_hold_if_over(invoice, call.today());
            Ok(())
        };
        invoice = commit_unsettled(call, &invoice.id, end).await?;
    }
    call.answer_unchanged(invoice).await
}

/// Whether another run is about to charge it.
fn is_left_to_its_run(call: &Call, payment: &InvoicePayment) -> bool {
    let begun = payment.at.as_ref().map_or(0, to_micros);
    payment.by_schedule && is_pending(payment.status()) && call.now() < begun.saturating_add(LEFT_TO_ITS_RUN)
}

/// Whether the day is one of a try. A DELINQUENT invoice is asked for once after its hold, wherever a run was killed.
fn may_be_asked(invoice: &Invoice) -> bool {
    if invoice.status() != InvoiceStatus::Delinquent {
        return true;
    }
    let Some(first) = day_after_hold(invoice).map(to_days) else { return false };
    let is_after = |payment: &InvoicePayment| {
        payment.at.as_ref().is_some_and(|at| payment.by_schedule && to_days(to_date(to_micros(at))) >= first)
    };
    invoice.collection() == Collection::Charge && !invoice.payments.iter().any(is_after)
}

/// Asks the payment methods, one after the other while each is refused for good.
async fn ask(call: &Call, mut invoice: Invoice) -> Result<Invoice> {
    for tried in 0..MOST_METHODS {
        let Some(method) = choose_method(call, &invoice).await? else {
            if tried == 0 {
                let refuse = |invoice: &mut Invoice| {
                    record_refused_try(invoice, call.today());
                    Ok(())
                };
                invoice = commit_unsettled(call, &invoice.id, refuse).await?;
            }
            break;
        };
        let id = call.new_id();
        invoice = begin_charge(call, &invoice, &method, &id).await?;
        let Some(after) = finish(call, &invoice, &id).await? else { break };
        invoice = after;
        let refused_for_good = invoice
            .payments
            .iter()
            .any(|payment| payment.id == id && payment.status() == TransactionStatus::HardDeclined);
        if !refused_for_good {
            break;
        }
    }
    Ok(invoice)
}

/// Whether its day has come, nothing is under way, and no dispute about it waits for a decision.
fn is_due(call: &Call, invoice: &Invoice) -> bool {
    let today = to_days(call.today());
    let has_come = invoice.due_to_collect_on.is_some_and(|day| to_days(day) <= today);
    has_come && !is_in_progress(invoice) && invoice.dispute_status() != DisputeStatus::Open
}

/// The invoice with the outcome of a charge; none while there is no outcome.
async fn finish(call: &Call, invoice: &Invoice, id: &str) -> Result<Option<Invoice>> {
    match finish_payment(call, invoice, id, Commit::Interim).await {
        Ok(finished) => Ok(Some(finished.invoice)),
        Err(error) if error.is(ErrorReason::PaymentPending) => Ok(None),
        Err(error) => Err(error),
    }
}
