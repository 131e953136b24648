//! The credits that an invoice takes, and gives back when it is voided.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::Date;
use pavise_kernel::store::Filter;
use pavise_kernel::{Call, Result, Unit};

use super::ledger::{give_back, is_over, left_of, take_amount};
use crate::contract::CREDIT_TABLE;
use crate::contract::actions::credit as actions;
use crate::contract::v1::{Credit, CreditStatus, Invoice, InvoiceItem, ItemType, Recurrence};
use crate::invoices::support::items::{add_item, build_item};
use crate::invoices::support::sums::{Sums, amount_on};

/// The credits of a member that are looked at.
const MOST_CREDITS: u32 = 200;

/// A credit before and after an invoice took from it.
#[derive(Debug, Clone)]
pub(crate) struct TakenCredit {
    before: Credit,
    after: Credit,
}

/// Lowers a new invoice by the credits of its owner, the oldest first: by those of the group that pays it, or by the
/// member's own where `group_id` is empty. The invoice has an id, and nothing is paid on it. The commit of the invoice
/// writes what was taken with [`write_taken`].
///
/// # Errors
/// When the database does not answer; when the invoice has too many items.
pub(crate) async fn take_credits(call: &Call, invoice: &mut Invoice, group_id: &str) -> Result<Vec<TakenCredit>> {
    let mut taken = Vec::new();
    if Sums::of(invoice).total < 1 {
        return Ok(taken);
    }
    let open = load_open(call, &invoice.owner_id).await?;
    for before in open.into_iter().filter(|credit| credit.group_id == group_id) {
        let amount = usable_amount(&before, invoice, call.today());
        if amount < 1 {
            continue;
        }
        let item = InvoiceItem {
            r#type: ItemType::Discount.into(),
            amount: Some(amount_on(invoice, amount.saturating_neg())),
            description: "Credit".to_owned(),
            recurrence: Recurrence::OneTime.into(),
            ..InvoiceItem::default()
        };
        let item = InvoiceItem { credit_id: before.id.clone(), ..build_item(item, call.new_id(), call.timestamp()) };
        add_item(invoice, "items", item)?;
        let mut after = before.clone();
        take_amount(&mut after, amount, &invoice.id, call.timestamp());
        taken.push(TakenCredit { before, after });
    }
    Ok(taken)
}

/// Adds what was taken to the commit of the invoice.
///
/// # Errors
/// The error of a credit's own check.
pub(crate) fn write_taken(unit: &mut Unit<'_>, taken: Vec<TakenCredit>) -> Result<()> {
    for TakenCredit { before, after } in taken {
        unit.update_as(&before, after, actions::CREDIT_TAKEN)?;
    }
    Ok(())
}

/// Gives what an invoice took back to its credits, in the commit that voids the invoice.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn return_taken(call: &Call, unit: &mut Unit<'_>, invoice: &Invoice) -> Result<()> {
    let ids: BTreeSet<&str> =
        invoice.items.iter().map(|item| item.credit_id.as_str()).filter(|id| !id.is_empty()).collect();
    for id in ids {
        let Some(before) = call.find_unscoped::<Credit>(id).await? else { continue };
        let mut after = before.clone();
        give_back(&mut after, &invoice.id);
        if after != before {
            unit.update_as(&before, after, actions::CREDIT_RETURNED)?;
        }
    }
    Ok(())
}

/// The amount that an invoice can take: no more than is open on it, in its currency, until the credit's last day.
fn usable_amount(credit: &Credit, invoice: &Invoice, today: Date) -> i64 {
    if is_usable(credit, invoice.currency, today) { left_of(credit).min(Sums::of(invoice).total) } else { 0 }
}

/// Whether a credit lowers an invoice in that currency that is raised on that day.
pub(crate) fn is_usable(credit: &Credit, currency: i32, on: Date) -> bool {
    !is_over(credit, on) && credit.amount.is_some_and(|amount| amount.currency == currency)
}

/// The credits of a member with something left, the oldest first.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn load_open(call: &Call, owner: &str) -> Result<Vec<Credit>> {
    load_with(call, owner, vec![CreditStatus::Open.spelling().to_owned()]).await
}

/// The credits of a member, and those of which nothing is left, too; the oldest first.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn load_given(call: &Call, owner: &str) -> Result<Vec<Credit>> {
    load_with(call, owner, Vec::new()).await
}

/// Loads credits in these statuses, or in all.
async fn load_with(call: &Call, owner: &str, statuses: Vec<String>) -> Result<Vec<Credit>> {
    let filter = Filter { owner: Some(owner.to_owned()), statuses, limit: MOST_CREDITS, ..Filter::default() };
    let rows = call.kernel().store().list(&CREDIT_TABLE, &filter).await?;
    // The list runs newest first.
    call.find_many(&rows.into_iter().rev().map(|row| row.id).collect::<Vec<_>>()).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Money;

    #[test]
    fn an_invoice_takes_no_more_than_it_is_over() {
        let today = Date { year: 2026, month: 3, day: 1 };
        let usd = |amount| Some(Money { currency: 1, amount });
        let item = InvoiceItem { amount: usd(300), ..InvoiceItem::default() };
        let invoice = Invoice { currency: 1, items: vec![item], ..Invoice::default() };
        let credit = |left: i64| Credit { amount: usd(1000), left: usd(left), ..Credit::default() };
        assert_eq!(usable_amount(&credit(1000), &invoice, today), 300);
        assert_eq!(usable_amount(&credit(20), &invoice, today), 20);
        let last = |day: i32| Credit { last_day: Some(Date { month: 2, day, ..today }), ..credit(20) };
        assert_eq!(usable_amount(&last(28), &invoice, today), 0);
        assert_eq!(usable_amount(&Credit { last_day: Some(today), ..credit(20) }, &invoice, today), 20);
        let canadian = Credit { amount: Some(Money { currency: 2, amount: 1000 }), ..credit(20) };
        assert_eq!(usable_amount(&canadian, &invoice, today), 0);
    }
}
