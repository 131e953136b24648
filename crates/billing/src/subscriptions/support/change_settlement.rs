//! A change that is made: its invoice is raised and paid, and the subscription is another one then. A process can be killed
//! between any two steps: a repeat, or the worker `billing.settle_changes`, goes on.

use pavise_kernel::{Aggregate, Call, Error, Result};

use super::change_plan::{ChangePlan, apply_change_within};
use super::dunning::find_paid_until;
use crate::contract::actions::{credit as credit_actions, invoice as invoice_actions, subscription as actions};
use crate::contract::v1::{
    Invoice, InvoicePayment, InvoiceStatus, Subscription, SubscriptionChange, TransactionStatus,
};
use crate::credits::support::taking::{return_taken, write_taken};
use crate::invoices::support::charge::pending_error;
use crate::invoices::support::choice::choose_method;
use crate::invoices::support::finish::{Commit, finish_payment};
use crate::invoices::support::parties::fill_parties;
use crate::invoices::support::payments::add_payment;
use crate::invoices::support::sums::{Sums, amount_on, is_in_progress, write_sums};
use crate::shared::retry::retry_contention;

/// Commits a plan. Where nothing is charged the subscription is another one at once. Else its invoice is raised, and the
/// change waits on the subscription for the payment.
///
/// # Errors
/// `CONTENTION` when the subscription or a credit was changed meanwhile.
pub(crate) async fn begin_change(
    call: &Call,
    before: &Subscription,
    change: &SubscriptionChange,
    plan: ChangePlan,
) -> Result<Subscription> {
    let ChangePlan { mut invoice, taken, credits, after } = plan;
    fill_parties(call, &mut invoice, Some(before)).await?;
    let (after, action) = if invoice.status() == InvoiceStatus::Paid {
        (after, actions::OFFER_UPDATED)
    } else {
        let effective_on = invoice.period_from;
        let change = SubscriptionChange { effective_on, invoice_id: invoice.id.clone(), ..change.clone() };
        (Subscription { change: Some(change), ..before.clone() }, actions::CHANGE_REQUESTED)
    };
    let mut unit = call.unit();
    unit.create_as(invoice, invoice_actions::CREATED)?;
    write_taken(&mut unit, taken)?;
    for credit in credits {
        unit.create_as(credit, credit_actions::CREATED)?;
    }
    let after = unit.update_as(before, after, action)?;
    unit.commit().await?;
    Ok(after)
}

/// Pays the change that is taken up, and answers the subscription with its outcome. Nothing is charged twice, and a
/// declined change leaves the subscription as it was.
///
/// # Errors
/// `PAYMENT_PENDING` while the vendor has not answered; `VENDOR_NOT_CONFIGURED`.
pub(crate) async fn settle_change(call: &Call, id: &str) -> Result<Subscription> {
    let subscription: Subscription = load(call, id).await?;
    let change = subscription.change.as_ref().filter(|change| !change.invoice_id.is_empty());
    let Some(invoice_id) = change.map(|change| change.invoice_id.clone()) else { return Ok(subscription) };
    pay_once(call, &invoice_id).await?;
    retry_contention(call, || record_outcome(call, id, &invoice_id)).await
}

/// Charges the whole invoice to the member's method. There is one try.
async fn pay_once(call: &Call, invoice_id: &str) -> Result<()> {
    let invoice: Invoice = load(call, invoice_id).await?;
    let id = format!("{invoice_id}-0");
    let is_begun = |invoice: &Invoice| invoice.payments.iter().any(|payment| payment.id == id);
    if invoice.status() != InvoiceStatus::Active {
        return Ok(());
    }
    let invoice = if is_begun(&invoice) {
        invoice
    } else {
        let Some(method) = choose_method(call, &invoice).await? else { return Ok(()) };
        retry_contention(call, || async {
            let before: Invoice = load(call, invoice_id).await?;
            if is_begun(&before) || before.status() != InvoiceStatus::Active || Sums::of(&before).payable_amount() < 1 {
                return Ok(before);
            }
            let payment = InvoicePayment {
                id: id.clone(),
                amount: Some(amount_on(&before, Sums::of(&before).payable_amount())),
                status: TransactionStatus::Created.into(),
                payment_method_id: method.clone(),
                at: Some(call.timestamp()),
                ..InvoicePayment::default()
            };
            let mut after = before.clone();
            add_payment(&mut after, payment)?;
            let mut unit = call.unit();
            let after = unit.update_as(&before, after, invoice_actions::PAYMENT_UPDATED)?;
            unit.commit().await?;
            Ok(after)
        })
        .await?
    };
    finish_payment(call, &invoice, &id, Commit::Interim).await.map(|_| ())
}

/// Makes the change that was paid. One that was not is dropped: its invoice is voided, and gives its credits back.
async fn record_outcome(call: &Call, id: &str, invoice_id: &str) -> Result<Subscription> {
    let before: Subscription = load(call, id).await?;
    let change = before.change.clone().filter(|change| change.invoice_id == invoice_id);
    let Some(change) = change else { return Ok(before) };
    let invoice: Invoice = load(call, invoice_id).await?;
    if is_in_progress(&invoice) {
        return Err(pending_error());
    }
    let mut after = before.clone();
    let mut unit = call.unit();
    let action = match invoice.status() {
        InvoiceStatus::Paid | InvoiceStatus::Forgiven => {
            let on = change.effective_on.unwrap_or_else(|| call.today());
            apply_change_within(&mut after, &change, on)?;
            after.paid_to_date = find_paid_until(std::slice::from_ref(&invoice), before.paid_to_date);
            unit.expect_unchanged(&invoice);
            actions::OFFER_UPDATED
        }
        InvoiceStatus::Active | InvoiceStatus::Failed | InvoiceStatus::Delinquent => {
            return_taken(call, &mut unit, &invoice).await?;
            let mut voided = invoice.clone();
            voided.set_status(InvoiceStatus::Voided);
            voided.closed_at = Some(call.timestamp());
            write_sums(&mut voided)?;
            unit.update_as(&invoice, voided, invoice_actions::STATUS_CHANGED)?;
            after.change = None;
            actions::CHANGE_DECLINED
        }
        InvoiceStatus::Voided | InvoiceStatus::Refunded => {
            after.change = None;
            actions::CHANGE_DECLINED
        }
        // Staff recorded a part: the rest is theirs, too.
        InvoiceStatus::PartiallyFunded | InvoiceStatus::Unspecified => return Err(pending_error()),
    };
    let after = unit.update_as(&before, after, action)?;
    unit.commit().await?;
    Ok(after)
}

/// Loads an entity that the call has found before, as it is by now.
async fn load<A: Aggregate>(call: &Call, id: &str) -> Result<A> {
    call.find_unscoped::<A>(id).await?.ok_or_else(|| Error::not_found(A::TABLE.noun, id))
}
