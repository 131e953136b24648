//! The end of a payment or a refund that was begun on an invoice: its transaction is requested, the outcome recorded.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::charge::{declined_error, pending_error, request_charge, request_refund};
use super::give_back::{credit_refused, find_groups_to_credit};
use super::paid_period::use_up_credits;
use super::payments::{record_payment, record_refund};
use super::sums::{Sums, is_pending};
use crate::contract::actions::credit as credit_actions;
use crate::contract::actions::invoice as actions;
use crate::contract::v1::{Invoice, TransactionStatus};
use crate::shared::retry::retry_contention;

/// How the outcome is committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commit {
    /// As a step of the call: more follows.
    Interim,
    /// As the answer of the call if it was approved. A repeat of the call is answered the same.
    Answer,
}

/// A finished payment or refund.
#[derive(Debug)]
pub(crate) struct FinishedPayment {
    pub(crate) invoice: Invoice,
    /// The error, if the request was refused before there was a transaction.
    pub(crate) refusal: Option<Error>,
}

/// Requests the charge of a payment in progress and records the outcome.
pub(crate) async fn finish_payment(
    call: &Call,
    invoice: &Invoice,
    id: &str,
    commit: Commit,
) -> Result<FinishedPayment> {
    let payment = invoice.payments.iter().find(|payment| payment.id == id && is_pending(payment.status()));
    let Some(payment) = payment else { return Ok(FinishedPayment { invoice: invoice.clone(), refusal: None }) };
    let answer = request_charge(call, invoice, payment).await?;
    let commit = if answer.outcome.status == TransactionStatus::Approved { commit } else { Commit::Interim };
    let record = |invoice: &mut Invoice| record_payment(invoice, id, &answer.outcome);
    let invoice = commit_outcome(call, &invoice.id, commit, record).await?;
    Ok(FinishedPayment { invoice, refusal: answer.refusal })
}

/// Charges a payment that was begun. Its outcome is the answer of the call: the invoice, or the refusal.
pub(crate) async fn answer_charge(call: &Call, invoice: &Invoice, id: &str) -> Result<Invoice> {
    let finished = finish_payment(call, invoice, id, Commit::Answer).await?;
    if let Some(refusal) = finished.refusal {
        return Err(refusal);
    }
    let after = finished.invoice;
    match after.payments.iter().find(|payment| payment.id == id) {
        Some(payment) if payment.status() == TransactionStatus::Approved => Ok(after),
        Some(payment) => Err(declined_error(payment.decline_reason().spelling(), &payment.transaction_id)),
        None => Err(Error::internal("a payment that was begun is not on its invoice")),
    }
}

/// Requests the transaction of a refund in progress and records the outcome. A refused one that was to give a credit instead
/// gives it in the same commit.
pub(crate) async fn finish_refund(call: &Call, invoice: &Invoice, id: &str) -> Result<FinishedPayment> {
    let refund = invoice.refunds.iter().find(|refund| refund.id == id && is_pending(refund.status()));
    let Some(refund) = refund else { return Ok(FinishedPayment { invoice: invoice.clone(), refusal: None }) };
    let answer = request_refund(call, invoice, refund).await?;
    let record = |invoice: &mut Invoice| record_refund(invoice, id, &answer.outcome);
    let invoice = commit_outcome(call, &invoice.id, Commit::Interim, record).await?;
    Ok(FinishedPayment { invoice, refusal: answer.refusal })
}

/// Finishes every payment and refund in progress, whichever call began it.
///
/// # Errors
/// `PAYMENT_PENDING` when a vendor has not answered.
pub(crate) async fn finish_all(call: &Call, mut invoice: Invoice) -> Result<Invoice> {
    let payments: Vec<String> =
        invoice.payments.iter().filter(|one| is_pending(one.status())).map(|one| one.id.clone()).collect();
    let refunds: Vec<String> =
        invoice.refunds.iter().filter(|one| is_pending(one.status())).map(|one| one.id.clone()).collect();
    let mut pending = false;
    for payment in payments {
        match finish_payment(call, &invoice, &payment, Commit::Interim).await {
            Ok(finished) => invoice = finished.invoice,
            Err(error) if error.is_transient() => pending = true,
            Err(error) => return Err(error),
        }
    }
    for refund in refunds {
        match finish_refund(call, &invoice, &refund).await {
            Ok(finished) => invoice = finished.invoice,
            Err(error) if error.is_transient() => pending = true,
            Err(error) => return Err(error),
        }
    }
    if pending { Err(pending_error()) } else { Ok(invoice) }
}

/// Commits an outcome, as a change of status if it is one.
async fn commit_outcome(
    call: &Call,
    id: &str,
    commit: Commit,
    record: impl Fn(&mut Invoice) -> Result<()> + Sync,
) -> Result<Invoice> {
    retry_contention(call, || async {
        // Loaded without status and version checks: they held when the payment was begun.
        let found: Option<Invoice> = call.find_unscoped(id).await?;
        let before = found.ok_or_else(|| Error::not_found(Invoice::TABLE.noun, id))?;
        let mut after = before.clone();
        record(&mut after)?;
        if after == before {
            return Ok(before);
        }
        let action = if after.status == before.status { actions::PAYMENT_UPDATED } else { actions::STATUS_CHANGED };
        let groups = find_groups_to_credit(call, &after).await?;
        let mut unit = call.unit();
        for credit in credit_refused(&mut after, &groups, || call.new_id()) {
            unit.create_as(credit, credit_actions::CREATED)?;
        }
        if Sums::of(&after).refunded > Sums::of(&before).refunded {
            use_up_credits(call, &mut unit, &after).await?;
        }
        let after = unit.update_as(&before, after, action)?;
        match commit {
            Commit::Answer => unit.commit_answer(after).await,
            Commit::Interim => unit.commit().await.map(|_| after),
        }
    })
    .await
}
