//! Finishing what is in progress on an invoice. Whoever began it may be gone: the worker `billing.settle` comes here too.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::{charge, ledger};
use crate::contract::v1::{Invoice, TransactionStatus};
use crate::retry::contended;

/// Finishes every payment and refund in progress.
///
/// # Errors
/// `PAYMENT_PENDING` when a vendor has not answered.
pub(super) async fn settle(call: &Call, id: &str) -> Result<Invoice> {
    let mut invoice: Invoice = call.get(id).await?;
    let payments: Vec<String> =
        invoice.payments.iter().filter(|one| ledger::pending(one.status())).map(|one| one.id.clone()).collect();
    let refunds: Vec<String> =
        invoice.refunds.iter().filter(|one| ledger::pending(one.status())).map(|one| one.id.clone()).collect();
    let mut undecided = false;
    for payment in payments {
        match payment_of(call, &invoice, &payment, Step::Interim).await {
            Ok((after, _)) => invoice = after,
            Err(error) if error.is_transient() => undecided = true,
            Err(error) => return Err(error),
        }
    }
    for refund in refunds {
        match refund_of(call, &invoice, &refund).await {
            Ok((after, _)) => invoice = after,
            Err(error) if error.is_transient() => undecided = true,
            Err(error) => return Err(error),
        }
    }
    if undecided { Err(charge::undecided()) } else { Ok(invoice) }
}

/// Whether a commit is what the call is answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// More follows.
    Interim,
    /// An approved outcome is the answer, and a repeat of the call is answered the same.
    Answer,
}

/// Asks for the charge of a payment and records the outcome on the invoice. With the refusal, if it was refused before
/// there was a transaction.
pub(super) async fn payment_of(call: &Call, invoice: &Invoice, id: &str, step: Step) -> Result<(Invoice, Option<Error>)> {
    let payment = invoice.payments.iter().find(|payment| payment.id == id && ledger::pending(payment.status()));
    let Some(payment) = payment else { return Ok((invoice.clone(), None)) };
    let Some((outcome, refusal)) = charge::charge(call, invoice, payment).await? else { return Err(charge::undecided()) };
    let step = if outcome.status == TransactionStatus::Approved { step } else { Step::Interim };
    let after = record(call, &invoice.id, step, |invoice| ledger::end_payment(invoice, id, &outcome)).await?;
    Ok((after, refusal))
}

/// The same for a refund.
pub(super) async fn refund_of(call: &Call, invoice: &Invoice, id: &str) -> Result<(Invoice, Option<Error>)> {
    let refund = invoice.refunds.iter().find(|refund| refund.id == id && ledger::pending(refund.status()));
    let Some(refund) = refund else { return Ok((invoice.clone(), None)) };
    let Some((outcome, refusal)) = charge::give_back(call, invoice, refund).await? else { return Err(charge::undecided()) };
    let after = record(call, &invoice.id, Step::Interim, |invoice| ledger::end_refund(invoice, id, &outcome)).await?;
    Ok((after, refusal))
}

/// Commits an edit of the invoice as one step of the call: as a change of status when it is one.
async fn record(call: &Call, id: &str, step: Step, edit: impl Fn(&mut Invoice) -> Result<()> + Sync) -> Result<Invoice> {
    contended(call, || async {
        // The step follows from what was begun already: the call's own conditions were met then.
        let found: Option<Invoice> = call.find(id).await?;
        let before = found.ok_or_else(|| Error::not_found(Invoice::TABLE.noun, id))?;
        let mut after = before.clone();
        edit(&mut after)?;
        if after == before {
            return Ok(before);
        }
        let action = if after.status == before.status { "PAYMENT_UPDATED" } else { "STATUS_CHANGED" };
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, action)?;
        match step {
            Step::Answer => unit.answer(after).await,
            Step::Interim => unit.commit().await.map(|_| after),
        }
    })
    .await
}
