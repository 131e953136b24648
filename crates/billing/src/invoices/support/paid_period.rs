//! A paid period whose plan was changed or ended: unused days of it gave credits. Their money does not go back a second time
//! with the payments.

use std::collections::BTreeSet;

use pavise_kernel::store::Filter;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Error, Result, Unit};
use prost_types::Timestamp;

use super::sums::Sums;
use crate::contract::SUBSCRIPTION_TABLE;
use crate::contract::actions::credit as credit_actions;
use crate::contract::lookups::subscription as lookups;
use crate::contract::v1::{Credit, CreditReason, CreditStatus, Invoice, InvoiceStatus, Subscription};
use crate::credits::support::ledger::{left_of, take_amount};
use crate::credits::support::taking::load_given;
use crate::shared::money;
use crate::subscriptions::support::arrears::load_newest;
use crate::subscriptions::support::change_plan::{is_of_change, load_order_invoice};
use crate::subscriptions::support::unused_days::amount_by_credits;

/// The subscriptions of an order that are looked at.
const MOST_SUBSCRIPTIONS: u32 = 50;

/// A period, with what was paid for it and what was given back.
#[derive(Debug)]
pub(crate) struct PaidPeriod {
    /// The payments, and what credits paid.
    worth: i64,
    /// The refunds and the credits in their place.
    returned: i64,
    /// The refunds without an outcome.
    refunding: i64,
    /// The amount of its credits that other invoices took, or that was paid out.
    spent: i64,
    /// Its credits with something left, the oldest first.
    open: Vec<Credit>,
}

impl PaidPeriod {
    /// Sums up the invoices of a period and the credits for unused days of it. An amount that one of `given_back` took counts
    /// as not spent.
    fn of(invoices: &[Invoice], credits: Vec<Credit>, given_back: &BTreeSet<String>) -> Self {
        let mut period = Self { worth: 0, returned: 0, refunding: 0, spent: 0, open: Vec::new() };
        for invoice in invoices {
            let sums = Sums::of(invoice);
            period.worth = period.worth.saturating_add(sums.paid).saturating_add(amount_by_credits(invoice));
            let given = money::to_minor_units(invoice.returned_credit.as_ref());
            period.returned = period.returned.saturating_add(sums.returned_amount()).saturating_add(given);
            period.refunding = period.refunding.saturating_add(sums.refunding);
        }
        for credit in credits {
            period.spent = period.spent.saturating_add(spent_of(&credit, invoices, given_back));
            if credit.status() == CreditStatus::Open {
                period.open.push(credit);
            }
        }
        period
    }

    /// The most that can be refunded still: what neither went back nor was spent as a credit.
    pub(crate) fn refundable_amount(&self) -> i64 {
        let gone = self.returned.saturating_add(self.refunding).saturating_add(self.spent);
        self.worth.saturating_sub(gone).max(0)
    }

    /// The credits before and after what went back twice is taken from them. Their uses name the refunded invoice.
    fn use_up(self, invoice_id: &str, at: Timestamp) -> Vec<(Credit, Credit)> {
        let left = self.open.iter().fold(0_i64, |sum, credit| sum.saturating_add(left_of(credit)));
        let given = self.returned.saturating_add(self.spent).saturating_add(left);
        let mut twice = given.saturating_sub(self.worth);
        let mut taken = Vec::new();
        for before in self.open {
            let amount = left_of(&before).min(twice);
            if amount < 1 {
                continue;
            }
            let mut after = before.clone();
            take_amount(&mut after, amount, invoice_id, at);
            twice = twice.saturating_sub(amount);
            taken.push((before, after));
        }
        taken
    }
}

/// The amount that was taken from a credit for something else than a refund of these invoices. An invoice that took a credit
/// has an item for it.
fn spent_of(credit: &Credit, invoices: &[Invoice], given_back: &BTreeSet<String>) -> i64 {
    let is_taken_back = |id: &str| {
        let invoice = invoices.iter().find(|invoice| invoice.id == id);
        invoice.is_some_and(|invoice| !invoice.items.iter().any(|item| item.credit_id == credit.id))
    };
    let is_spent = |id: &str| !is_taken_back(id) && !given_back.contains(id);
    let spent = credit.uses.iter().filter(|one| is_spent(&one.invoice_id));
    spent.fold(0_i64, |sum, one| sum.saturating_add(money::to_minor_units(one.amount.as_ref())))
}

/// Whether a credit was given for unused days.
pub(crate) fn is_from_plan(reason: CreditReason) -> bool {
    matches!(reason, CreditReason::PlanChange | CreditReason::PlanEnd)
}

/// Takes what a refund gave back a second time from the credits of the period. `invoice` has the outcome of the refund.
///
/// # Errors
/// When the database does not answer; the error of a credit's own check.
pub(crate) async fn use_up_credits(call: &Call, unit: &mut Unit<'_>, invoice: &Invoice) -> Result<()> {
    let Some(period) = find_paid_period(call, invoice).await? else { return Ok(()) };
    for (before, after) in period.use_up(&invoice.id, call.timestamp()) {
        unit.update_as(&before, after, credit_actions::CREDIT_TAKEN)?;
    }
    Ok(())
}

/// Finds the period that an invoice paid for; `None` where no unused day of it gave a credit.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_paid_period(call: &Call, invoice: &Invoice) -> Result<Option<PaidPeriod>> {
    find_period_given_back(call, invoice, &BTreeSet::new()).await
}

/// Finds the period of an invoice that is given back together with others, which took from its credits.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_period_given_back(
    call: &Call,
    invoice: &Invoice,
    given_back: &BTreeSet<String>,
) -> Result<Option<PaidPeriod>> {
    let in_same_currency = |credit: &Credit| credit.amount.is_some_and(|amount| amount.currency == invoice.currency);
    let mut credits = load_given(call, &invoice.owner_id).await?;
    credits.retain(|credit| is_from_plan(credit.reason()) && !credit.invoice_id.is_empty() && in_same_currency(credit));
    if credits.is_empty() {
        return Ok(None);
    }
    let invoices = load_invoices(call, invoice, &credits).await?;
    credits.retain(|credit| invoices.iter().any(|one| one.id == credit.invoice_id));
    Ok((!credits.is_empty()).then(|| PaidPeriod::of(&invoices, credits, given_back)))
}

/// The ids of all invoices of the order that an invoice belongs to: its own, and those of its subscriptions.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn list_of_order(call: &Call, invoice: &Invoice) -> Result<BTreeSet<String>> {
    let own: Option<Subscription> = match invoice.subscription_id.as_str() {
        "" => None,
        id => call.find_unscoped(id).await?,
    };
    let order_id = own.as_ref().map_or(&invoice.order_id, |subscription| &subscription.order_id);
    let mut subscriptions = load_subscriptions(call, order_id).await?;
    subscriptions.extend(own.map(|subscription| subscription.id));
    let mut ids = BTreeSet::from([invoice.id.clone()]);
    for id in subscriptions {
        ids.extend(load_newest(call, &id).await?.into_iter().map(|invoice| invoice.id));
    }
    Ok(ids)
}

/// The ids of the subscriptions that came from an order.
async fn load_subscriptions(call: &Call, order_id: &str) -> Result<BTreeSet<String>> {
    if order_id.is_empty() {
        return Ok(BTreeSet::new());
    }
    let lookup = SUBSCRIPTION_TABLE
        .lookup(lookups::ORDER_ID)
        .ok_or_else(|| Error::internal("subscriptions have no lookup order_id"))?;
    let filter =
        Filter { lookups: vec![(lookup, order_id.to_owned())], limit: MOST_SUBSCRIPTIONS, ..Filter::default() };
    let rows = call.kernel().store().list(&SUBSCRIPTION_TABLE, &filter).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

/// Loads all invoices of the period of one.
async fn load_invoices(call: &Call, invoice: &Invoice, credits: &[Credit]) -> Result<Vec<Invoice>> {
    let Some(subscription) = find_subscription(call, invoice, credits).await? else {
        return Ok(vec![invoice.clone()]);
    };
    let mut others = load_newest(call, &subscription.id).await?;
    others.retain(|one| one.status() != InvoiceStatus::Voided && one.id != invoice.id);
    let is_billed = |one: &&Invoice| one.period_from.is_some() && !is_of_change(one);
    let first_billed = others.iter().chain([invoice]).filter(is_billed).filter_map(|one| one.period_from);
    let first_billed = first_billed.map(to_days).min();
    let mut invoices = if invoice.period_from.is_none() {
        // The order paid the first period.
        let end = first_billed.unwrap_or(i64::MAX);
        others.retain(|one| is_of_change(one) && one.period_from.is_some_and(|from| to_days(from) < end));
        others
    } else {
        list_of_period(invoice, others)
    };
    invoices.push(invoice.clone());
    if first_billed.is_none()
        && let Some(order) = load_order_invoice(call, &subscription).await?
        && order.id != invoice.id
    {
        invoices.push(order);
    }
    Ok(invoices)
}

/// The invoices of the same period as one, and that of the change that took its place by another period. Later changes took
/// days of that one off.
fn list_of_period(invoice: &Invoice, others: Vec<Invoice>) -> Vec<Invoice> {
    let overlapping = others.into_iter().filter(|one| has_common_day(one, invoice));
    let (mut same, other): (Vec<_>, Vec<_>) = overlapping.partition(|one| one.period_until == invoice.period_until);
    let later = other.into_iter().filter(|one| is_of_change(one) && one.id > invoice.id);
    same.extend(later.min_by(|one, other| one.id.cmp(&other.id)));
    same
}

/// The subscription of an invoice. The invoice of an order names none: the credits lead to it.
async fn find_subscription(call: &Call, invoice: &Invoice, credits: &[Credit]) -> Result<Option<Subscription>> {
    if !invoice.subscription_id.is_empty() {
        return call.find_unscoped(&invoice.subscription_id).await;
    }
    if invoice.order_id.is_empty() {
        return Ok(None);
    }
    for credit in credits {
        let Some(from) = call.find_unscoped::<Invoice>(&credit.invoice_id).await? else { continue };
        if from.subscription_id.is_empty() {
            continue;
        }
        let subscription: Option<Subscription> = call.find_unscoped(&from.subscription_id).await?;
        if subscription.as_ref().is_some_and(|one| one.order_id == invoice.order_id) {
            return Ok(subscription);
        }
    }
    Ok(None)
}

/// Whether two invoices have a day in common.
fn has_common_day(one: &Invoice, other: &Invoice) -> bool {
    let days = |invoice: &Invoice| Some((to_days(invoice.period_from?), to_days(invoice.period_until?)));
    match (days(one), days(other)) {
        (Some((from, until)), Some((other_from, other_until))) => from <= other_until && other_from <= until,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{CreditUse, InvoicePayment, InvoiceRefund, TransactionStatus};
    use crate::subscriptions::support::change_plan::billing_key_of;
    use pavise_kernel::common::v1::Money;

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    /// April, over 29.95, of which so much was refunded.
    fn april(refunded: i64) -> Invoice {
        let payment =
            InvoicePayment { amount: usd(2995), status: TransactionStatus::Approved.into(), ..Default::default() };
        let refund =
            InvoiceRefund { amount: usd(refunded), status: TransactionStatus::Approved.into(), ..Default::default() };
        Invoice {
            id: "april".to_owned(),
            currency: 1,
            payments: vec![payment],
            refunds: vec![refund],
            ..Default::default()
        }
    }

    /// The credit of a change to a cheaper plan over 13.34, of which invoices took so much.
    fn credit(uses: &[(&str, i64)]) -> Credit {
        let whole =
            Credit { status: CreditStatus::Open.into(), amount: usd(1334), left: usd(1334), ..Credit::default() };
        uses.iter().fold(whole, |mut credit, (invoice, amount)| {
            take_amount(&mut credit, *amount, invoice, Timestamp::default());
            credit
        })
    }

    /// The billing key of a change, or for no name that of a period.
    fn billing_key(change: &str) -> String {
        if change.is_empty() { String::new() } else { billing_key_of(change) }
    }

    fn taken(invoice: Invoice, credit: Credit) -> Vec<i64> {
        let period = PaidPeriod::of(&[invoice], vec![credit], &BTreeSet::new());
        let taken = period.use_up("april", Timestamp::default());
        taken.iter().map(|(before, after)| left_of(before) - left_of(after)).collect()
    }

    #[test]
    fn a_period_ends_where_another_one_took_its_place() {
        use pavise_kernel::common::v1::Date;
        let billed = |id: &str, key: &str, from: (i32, i32), until: (i32, i32)| Invoice {
            id: id.to_owned(),
            billing_key: billing_key(key),
            period_from: Some(Date { year: 2026, month: from.0, day: from.1 }),
            period_until: Some(Date { year: 2026, month: until.0, day: until.1 }),
            ..Invoice::default()
        };
        let year = billed("1", "", (1, 1), (12, 31));
        let others = vec![
            billed("2", "cheaper", (2, 11), (12, 31)),
            billed("3", "monthly", (3, 11), (4, 10)),
            billed("4", "cheaper", (3, 21), (4, 10)),
            billed("5", "", (4, 11), (5, 10)),
        ];
        let ids = |invoices: Vec<Invoice>| invoices.into_iter().map(|one| one.id).collect::<Vec<_>>();
        assert_eq!(ids(list_of_period(&year, others.clone())), ["2", "3"]);
        let earlier = |at: usize| others[..at].iter().chain([&year]).cloned().collect::<Vec<_>>();
        assert_eq!(ids(list_of_period(&others[3], earlier(3))), Vec::<String>::new());
        assert_eq!(ids(list_of_period(&others[2], earlier(2))), ["3"]);
    }

    #[test]
    fn no_more_goes_back_than_was_paid() {
        assert_eq!(taken(april(2995), credit(&[])), [1334]);
        assert_eq!(taken(april(2000), credit(&[])), [339]);
        assert_eq!(taken(april(1661), credit(&[])), Vec::<i64>::new(), "all of it together was paid");
        assert_eq!(taken(april(2000), credit(&[("may", 995)])), [339]);
        // The amount that an earlier refund took is not spent.
        assert_eq!(taken(april(2995), credit(&[("april", 1000)])), [334]);
    }

    #[test]
    fn what_was_spent_of_the_credit_is_not_refunded() {
        let most = |refunded: i64, uses: &[(&str, i64)]| {
            PaidPeriod::of(&[april(refunded)], vec![credit(uses)], &BTreeSet::new()).refundable_amount()
        };
        assert_eq!(most(0, &[]), 2995, "the credit is taken instead");
        assert_eq!(most(0, &[("may", 995)]), 2000);
        assert_eq!(most(2000, &[("may", 995), ("april", 339)]), 0);
        let paid_out = CreditUse { amount: usd(300), reference: "cheque 7".to_owned(), ..CreditUse::default() };
        let credit = Credit { left: usd(1034), uses: vec![paid_out], ..credit(&[]) };
        assert_eq!(PaidPeriod::of(&[april(0)], vec![credit], &BTreeSet::new()).refundable_amount(), 2695);
    }

    #[test]
    fn what_goes_back_with_another_invoice_is_not_spent() {
        let most = |given_back: &[&str]| {
            let given_back = given_back.iter().map(|id| (*id).to_owned()).collect();
            PaidPeriod::of(&[april(0)], vec![credit(&[("may", 995), ("other", 100)])], &given_back).refundable_amount()
        };
        assert_eq!(most(&[]), 1900);
        assert_eq!(most(&["april", "may"]), 2895);
    }
}
