//! The end of a payment or a refund that was begun on an invoice: its transaction is requested, the outcome recorded.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::charge::{request_charge, request_refund};
use super::payments::{record_payment, record_refund};
use super::sums::is_pending;
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

/// Requests the transaction of a refund in progress and records the outcome.
pub(crate) async fn finish_refund(call: &Call, invoice: &Invoice, id: &str) -> Result<FinishedPayment> {
    let refund = invoice.refunds.iter().find(|refund| refund.id == id && is_pending(refund.status()));
    let Some(refund) = refund else { return Ok(FinishedPayment { invoice: invoice.clone(), refusal: None }) };
    let answer = request_refund(call, invoice, refund).await?;
    let record = |invoice: &mut Invoice| record_refund(invoice, id, &answer.outcome);
    let invoice = commit_outcome(call, &invoice.id, Commit::Interim, record).await?;
    Ok(FinishedPayment { invoice, refusal: answer.refusal })
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
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, action)?;
        match commit {
            Commit::Answer => unit.commit_answer(after).await,
            Commit::Interim => unit.commit().await.map(|_| after),
        }
    })
    .await
}
