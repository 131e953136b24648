//! Gives back all that was paid on an invoice.

use std::collections::BTreeSet;

use pavise_kernel::{Call, Result, Unit};

use super::support::charge::pending_error;
use super::support::finish::finish_all;
use super::support::give_back::{begin_refunds, build_credit};
use super::support::paid_period::{find_period_given_back, is_from_plan, list_of_order};
use super::support::sums::{Sums, amount_on, write_sums};
use crate::contract::actions::credit as credit_actions;
use crate::contract::actions::invoice as actions;
use crate::contract::v1::{Credit, DisputeStatus, GiveBackInvoiceRequest, Invoice, InvoiceStatus};
use crate::credits::support::ledger::{left_of, take_amount};
use crate::credits::support::taking::{load_open, return_taken};
use crate::shared::money;
use crate::shared::retry::retry_contention;

/// The note on a debt that ended with a cancelled order.
const FORGIVEN_FOR: &str = "its order was cancelled";

/// Ends what is under way, begins the refunds in one commit with everything else that goes back, and ends these. So a run that
/// was killed is gone on with, and nothing goes back twice.
///
/// # Errors
/// `PAYMENT_PENDING` when a vendor has not answered, and while a payment is disputed.
pub(crate) async fn give_back_invoice(call: &Call, request: GiveBackInvoiceRequest) -> Result<Invoice> {
    let invoice: Invoice = call.get(&request.invoice_id).await?;
    let invoice = finish_all(call, invoice).await?;
    let begun = begin(call, &invoice.id).await?;
    let finished = finish_all(call, begun).await?;
    let invoice = forgive_rest(call, &finished.id).await?;
    call.answer_unchanged(invoice).await
}

/// Voids an invoice on which nothing was paid; otherwise begins the refunds, and gives the credits back.
async fn begin(call: &Call, id: &str) -> Result<Invoice> {
    retry_contention(call, || async {
        let before: Invoice = call.get(id).await?;
        if is_closed(&before) {
            return Ok(before);
        }
        if before.dispute_status() == DisputeStatus::Open {
            // The bank decides first: what it gives back is not given back a second time.
            return Err(pending_error());
        }
        let mut after = before.clone();
        let mut unit = call.unit();
        let mut took_back = false;
        if is_open(&before) && Sums::of(&before).paid == 0 {
            after.set_status(InvoiceStatus::Voided);
            after.closed_at = Some(call.timestamp());
            write_sums(&mut after)?;
            return_taken(call, &mut unit, &before).await?;
        } else {
            let given_back = list_of_order(call, &before).await?;
            let period = find_period_given_back(call, &before, &given_back).await?;
            // An amount that was spent elsewhere as a credit, or paid out, does not go back a second time.
            begin_refunds(call, &mut after, period.map_or(i64::MAX, |period| period.refundable_amount()))?;
            took_back = take_back(call, &mut unit, &before).await?;
            give_credits_back(call, &mut unit, &mut after, &given_back).await?;
        }
        if after != before {
            let action = if after.status == before.status { actions::PAYMENT_UPDATED } else { actions::STATUS_CHANGED };
            after = unit.update_as(&before, after, action)?;
        } else if !took_back {
            return Ok(before);
        }
        unit.commit().await?;
        Ok(after)
    })
    .await
}

/// Uses up what is left of a credit that a change of the plan gave with this invoice: its money goes back with the payments.
/// Answers whether there was one.
async fn take_back(call: &Call, unit: &mut Unit<'_>, invoice: &Invoice) -> Result<bool> {
    let mut took_back = false;
    for before in load_open(call, &invoice.owner_id).await? {
        if before.invoice_id != invoice.id || !is_from_plan(before.reason()) {
            continue;
        }
        let mut after = before.clone();
        take_amount(&mut after, left_of(&before), &invoice.id, call.timestamp());
        unit.update_as(&before, after, credit_actions::CREDIT_TAKEN)?;
        took_back = true;
    }
    Ok(took_back)
}

/// Gives a new credit for what the invoice took from each credit: to the same payer, until the same last day. Credits of a
/// change of the plan of the same order are left out: their money goes back with the payments of `given_back`.
async fn give_credits_back(
    call: &Call,
    unit: &mut Unit<'_>,
    invoice: &mut Invoice,
    given_back: &BTreeSet<String>,
) -> Result<()> {
    if invoice.returned_credit.is_some() {
        return Ok(());
    }
    let ids: BTreeSet<&str> =
        invoice.items.iter().map(|item| item.credit_id.as_str()).filter(|id| !id.is_empty()).collect();
    let mut returned = 0_i64;
    for id in ids {
        let Some(credit) = call.find_unscoped::<Credit>(id).await? else { continue };
        let goes_back = is_from_plan(credit.reason()) && given_back.contains(&credit.invoice_id);
        let items = invoice.items.iter().filter(|item| item.credit_id == credit.id && !goes_back);
        let taken = items.fold(0_i64, |sum, item| sum.saturating_sub(money::to_minor_units(item.amount.as_ref())));
        if taken < 1 {
            continue;
        }
        let given = build_credit(call.new_id(), &invoice.owner_id, &invoice.id, amount_on(invoice, taken));
        let given = Credit { group_id: credit.group_id, last_day: credit.last_day, ..given };
        unit.create_as(given, credit_actions::CREATED)?;
        returned = returned.saturating_add(taken);
    }
    if returned > 0 {
        invoice.returned_credit = Some(amount_on(invoice, returned));
    }
    Ok(())
}

/// Closes an invoice that was paid in part, so that nobody is charged for the rest.
async fn forgive_rest(call: &Call, id: &str) -> Result<Invoice> {
    retry_contention(call, || async {
        let before: Invoice = call.get(id).await?;
        if !is_open(&before) {
            return Ok(before);
        }
        let mut after = before.clone();
        after.set_status(InvoiceStatus::Forgiven);
        FORGIVEN_FOR.clone_into(&mut after.forgiven_reason);
        after.closed_at = Some(call.timestamp());
        write_sums(&mut after)?;
        let mut unit = call.unit();
        let after = unit.update_as(&before, after, actions::STATUS_CHANGED)?;
        unit.commit().await?;
        Ok(after)
    })
    .await
}

fn is_open(invoice: &Invoice) -> bool {
    matches!(
        invoice.status(),
        InvoiceStatus::Active | InvoiceStatus::Failed | InvoiceStatus::Delinquent | InvoiceStatus::PartiallyFunded
    )
}

fn is_closed(invoice: &Invoice) -> bool {
    matches!(invoice.status(), InvoiceStatus::Voided | InvoiceStatus::Forgiven | InvoiceStatus::Refunded)
}
