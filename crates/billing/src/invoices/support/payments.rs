//! The ledger of an invoice: its payments and refunds. The functions are pure: they leave the sums right, or refuse.
//!
//! These rules hold on every write. The total is the sum of the items. Payments less refunds, with payments in progress,
//! never exceed the total. Refunds, with those in progress, never exceed the payments. The total of a PAID invoice was
//! paid. No amount is negative. There is one currency.

use pavise_kernel::time::{to_date, to_micros};
use pavise_kernel::{Common, Error, Result};
use prost_types::Timestamp;

use super::collecting::record_refused_try;
use super::sums::{Sums, amount_on, check_at_rest, is_approved, is_in_progress, is_pending, refundable_of, write_sums};
use crate::contract::v1::{
    DeclineReason, ErrorReason, Invoice, InvoicePayment, InvoiceRefund, InvoiceStatus, TransactionStatus,
};
use crate::shared::money;

/// The outcome of a payment or a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) status: TransactionStatus,
    pub(crate) transaction_id: String,
    pub(crate) reason: DeclineReason,
}

impl Outcome {
    /// Accepted, with the transaction.
    pub(crate) fn from_approval(transaction_id: &str) -> Self {
        Self {
            status: TransactionStatus::Approved,
            transaction_id: transaction_id.to_owned(),
            reason: DeclineReason::Unspecified,
        }
    }

    /// Refused before there was a transaction.
    pub(crate) fn not_submitted() -> Self {
        Self { status: TransactionStatus::Declined, transaction_id: String::new(), reason: DeclineReason::NotSubmitted }
    }
}

/// Adds a payment in progress, which reserves its amount. A payment that is approved already counts at once.
pub(crate) fn add_payment(invoice: &mut Invoice, payment: InvoicePayment) -> Result<()> {
    let sums = Sums::of(invoice);
    let wanted = money::to_minor_units(payment.amount.as_ref());
    if sums.refunding > 0 {
        return check_at_rest(invoice);
    }
    if wanted < 1 || wanted > sums.payable_amount() {
        let most = amount_on(invoice, sums.payable_amount().max(0));
        let message = format!("at most {} is open", money::format_amount(&most));
        return Err(Error::new(ErrorReason::PaymentExceedsOpenAmount, message).with("open", most.amount.to_string()));
    }
    let outcome = is_approved(payment.status()).then(|| Outcome::from_approval(&payment.transaction_id));
    let id = payment.id.clone();
    invoice.payments.push(InvoicePayment { status: TransactionStatus::Created.into(), ..payment });
    write_sums(invoice)?;
    match outcome {
        Some(outcome) => record_payment(invoice, &id, &outcome),
        None => Ok(()),
    }
}

/// Adds a refund in progress, which reserves its amount on its payment. A refund that is approved already counts at once.
pub(crate) fn add_refund(invoice: &mut Invoice, refund: InvoiceRefund) -> Result<()> {
    if Sums::of(invoice).paying > 0 {
        return check_at_rest(invoice);
    }
    let wanted = money::to_minor_units(refund.amount.as_ref());
    let most = refundable_of(invoice, &refund.payment_id);
    if wanted < 1 || wanted > most {
        let most = amount_on(invoice, most);
        let message = format!("at most {} can be refunded", money::format_amount(&most));
        return Err(Error::new(ErrorReason::RefundExceedsPayment, message).with("left", most.amount.to_string()));
    }
    let outcome = is_approved(refund.status()).then(|| Outcome::from_approval(&refund.transaction_id));
    let id = refund.id.clone();
    invoice.refunds.push(InvoiceRefund { status: TransactionStatus::Created.into(), ..refund });
    write_sums(invoice)?;
    match outcome {
        Some(outcome) => record_refund(invoice, &id, &outcome),
        None => Ok(()),
    }
}

/// Records the outcome of a payment. A recorded outcome never changes. A refusal of one by the schedule sets its next day.
pub(crate) fn record_payment(invoice: &mut Invoice, id: &str, outcome: &Outcome) -> Result<()> {
    let Some(payment) = invoice.payments.iter_mut().find(|payment| payment.id == id && is_pending(payment.status()))
    else {
        return Ok(());
    };
    payment.status = outcome.status.into();
    payment.transaction_id.clone_from(&outcome.transaction_id);
    payment.decline_reason = outcome.reason.into();
    let scheduled = payment.at.as_ref().filter(|_| payment.by_schedule).map(|at| to_date(to_micros(at)));
    if is_approved(outcome.status) {
        invoice.transaction_ids.push(outcome.transaction_id.clone());
        let covered = Sums::of(invoice).is_covered();
        invoice.status = if covered { InvoiceStatus::Paid } else { InvoiceStatus::PartiallyFunded }.into();
    } else if let Some(day) = scheduled {
        record_refused_try(invoice, day);
    }
    write_sums(invoice)
}

/// Takes an approved payment back whose money went back: the bank returned it, or the member won a dispute. What it paid is
/// open again, but for the part that was refunded before.
pub(crate) fn reverse_payment(
    invoice: &mut Invoice,
    transaction_id: &str,
    reason: DeclineReason,
    at: Timestamp,
) -> Result<()> {
    check_at_rest(invoice)?;
    let paid = |payment: &InvoicePayment| payment.transaction_id == transaction_id && is_approved(payment.status());
    let Some(payment) = invoice.payments.iter().find(|payment| paid(payment)).cloned() else { return Ok(()) };
    let (whole, left) = (money::to_minor_units(payment.amount.as_ref()), refundable_of(invoice, &payment.id));
    if left < 1 {
        return Ok(());
    }
    let reversed = InvoicePayment {
        id: if left == whole { payment.id.clone() } else { format!("{}-reversed", payment.id) },
        amount: Some(amount_on(invoice, left)),
        status: TransactionStatus::Declined.into(),
        decline_reason: reason.into(),
        reversed_at: Some(at),
        ..payment.clone()
    };
    let kept = amount_on(invoice, whole.saturating_sub(left));
    if left == whole {
        invoice.transaction_ids.retain(|id| id != transaction_id);
        invoice.payments.iter_mut().filter(|one| one.id == payment.id).for_each(|one| one.clone_from(&reversed));
    } else {
        invoice.payments.iter_mut().filter(|one| one.id == payment.id).for_each(|one| one.amount = Some(kept));
        invoice.payments.push(reversed);
    }
    if matches!(invoice.status(), InvoiceStatus::Paid | InvoiceStatus::PartiallyFunded) {
        invoice.status = InvoiceStatus::Failed.into();
    }
    write_sums(invoice)
}

/// Records the outcome of a refund. A recorded outcome never changes.
pub(crate) fn record_refund(invoice: &mut Invoice, id: &str, outcome: &Outcome) -> Result<()> {
    let Some(refund) = invoice.refunds.iter_mut().find(|refund| refund.id == id && is_pending(refund.status())) else {
        return Ok(());
    };
    refund.status = outcome.status.into();
    refund.transaction_id.clone_from(&outcome.transaction_id);
    refund.decline_reason = outcome.reason.into();
    if is_approved(outcome.status) {
        invoice.transaction_ids.push(outcome.transaction_id.clone());
        let sums = Sums::of(invoice);
        if sums.returned_amount() == sums.paid {
            invoice.status = InvoiceStatus::Refunded.into();
        }
    }
    write_sums(invoice)
}

/// Takes an approved refund back that the member's bank did not take. The member got a credit in its place: the status stays,
/// and the amount is not refunded once more.
pub(crate) fn fail_refund(invoice: &mut Invoice, transaction_id: &str, credit_id: &str) -> Result<()> {
    let is_meant = |refund: &InvoiceRefund| refund.transaction_id == transaction_id && is_approved(refund.status());
    let Some(refund) = invoice.refunds.iter_mut().find(|refund| is_meant(refund)) else { return Ok(()) };
    refund.set_status(TransactionStatus::Declined);
    refund.set_decline_reason(DeclineReason::RefundFailed);
    credit_id.clone_into(&mut refund.credit_id);
    invoice.transaction_ids.retain(|id| id != transaction_id);
    write_sums(invoice)
}

/// Marks an invoice as PAID on which nothing is open: its total is zero, or an item was removed after the payments.
/// Refuses an invoice that another call has changed meanwhile.
pub(crate) fn mark_paid(invoice: &mut Invoice) -> Result<()> {
    if Sums::of(invoice).payable_amount() != 0 || is_in_progress(invoice) {
        return Err(Error::new(
            Common::Contention,
            "the invoice was changed by others and has something open; try again",
        ));
    }
    invoice.status = InvoiceStatus::Paid.into();
    write_sums(invoice)
}
