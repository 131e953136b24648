//! The plan of a change: the invoice, the credit and the subscription that it leads to. A preview shows it, and the change
//! commits it, so that both say the same.

use pavise_kernel::common::v1::{BillingPeriod, Currency, Date, Money};
use pavise_kernel::store::Filter;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Error, Result};

use super::arrears::{is_outstanding, load_newest};
use super::billing_day::next_billing_day;
use super::collection::find_collection;
use super::days::format_day;
use super::discounts::{DiscountedItems, lower_items, use_discounts};
use super::last_days::{PaidWith, find_paid_with, sum_credits};
use super::new_invoice::{PeriodBill, build_period_bill, build_tax_item, find_taxes, list_items};
use super::payer::{find_group_that_paid, find_paying_group};
use super::period::Period;
use super::prices::check_prices;
use super::unused_days::{list_charges_of_order, list_unused};
use super::waiting_prices::{apply_waiting_prices, drop_stale_prices};
use crate::contract::INVOICE_TABLE;
use crate::contract::lookups::invoice as lookups;
use crate::contract::v1::{
    Collection, Credit, CreditReason, DisputeStatus, ErrorReason, Invoice, InvoiceItem, InvoiceStatus, ItemType,
    Recurrence, Subscription, SubscriptionChange, SubscriptionDiscount, SubscriptionItem, SubscriptionStatus,
    VendorType,
};
use crate::credits::support::taking::{TakenCredit, take_credits};
use crate::invoices::support::give_back;
use crate::invoices::support::items::{add_item, build_item};
use crate::invoices::support::sums::{amount_on, write_sums};
use crate::shared::money;

/// The beginning of the billing key of a change's invoice.
const CHANGE_KEY: &str = "change/";

/// A change that is not committed.
#[derive(Debug)]
pub(crate) struct ChangePlan {
    /// The invoice; PAID where nothing is charged.
    pub(crate) invoice: Invoice,
    /// The credits that the invoice takes.
    pub(crate) taken: Vec<TakenCredit>,
    /// The credits for what is left over: none, one, or one more for each last day of credits that had paid for it.
    pub(crate) credits: Vec<Credit>,
    /// The subscription once it is paid.
    pub(crate) after: Subscription,
}

impl ChangePlan {
    /// The amount that is charged, or below zero the credit.
    pub(crate) fn total(&self) -> Money {
        let charged = money::to_minor_units(self.invoice.total.as_ref());
        amount_on(&self.invoice, charged.saturating_sub(sum_credits(&self.credits)))
    }

    /// The sum of the credits, if there are any.
    pub(crate) fn credit(&self) -> Option<Money> {
        (!self.credits.is_empty()).then(|| amount_on(&self.invoice, sum_credits(&self.credits)))
    }
}

/// Refuses another total than the one that was shown.
///
/// # Errors
/// `PRICE_CHANGED`.
pub(crate) fn check_expected(expected: Option<&Money>, total: &Money) -> Result<()> {
    let Some(expected) = expected.filter(|expected| *expected != total) else { return Ok(()) };
    let message = format!("it costs {}, not {}", money::format_amount(total), money::format_amount(expected));
    Err(Error::new(ErrorReason::PriceChanged, message).with("total", total.amount.to_string()))
}

/// The wishes of a change, with all that stays as it was.
///
/// # Errors
/// `CURRENCY_MISMATCH`; for a payroll's days, and prices below zero.
pub(crate) fn complete_change(
    subscription: &Subscription,
    offer_id: &str,
    items: &[SubscriptionItem],
    period: BillingPeriod,
) -> Result<SubscriptionChange> {
    check_prices(items)?;
    let before = subscription.billing_period();
    let period = if period == BillingPeriod::Unspecified { before } else { period };
    if period != before && [before, period].contains(&BillingPeriod::PayPeriod) {
        return Err(Error::field("billing_period", "a payroll's days are its own: end this one and make another"));
    }
    let items = if items.is_empty() { subscription.items.clone() } else { items.to_vec() };
    let (old, new) = (currency_of(&subscription.items), currency_of(&items));
    if old != Currency::Unspecified && old != new {
        let message = format!("the subscription is in {}", old.spelling());
        return Err(Error::new(ErrorReason::CurrencyMismatch, message));
    }
    let offer_id = if offer_id.is_empty() { subscription.offer_id.as_str() } else { offer_id };
    Ok(SubscriptionChange {
        offer_id: offer_id.to_owned(),
        items,
        billing_period: period.into(),
        // The frequency counted periods of the old length.
        billing_frequency: if period == before { subscription.billing_frequency } else { 1 },
        ..SubscriptionChange::default()
    })
}

/// The subscription with a change that is taken up. New prices that waited for the plan before are dropped.
pub(crate) fn apply_change(subscription: &mut Subscription, change: &SubscriptionChange) {
    let (offer_id, billing_period) = (std::mem::take(&mut subscription.offer_id), subscription.billing_period);
    subscription.offer_id.clone_from(&change.offer_id);
    subscription.items.clone_from(&change.items);
    subscription.billing_period = change.billing_period;
    subscription.billing_frequency = change.billing_frequency;
    subscription.change = None;
    drop_stale_prices(subscription, (&offer_id, billing_period));
}

/// The subscription with a change that begins within a period. Another billing period begins on that day.
pub(crate) fn apply_change_within(
    subscription: &mut Subscription,
    change: &SubscriptionChange,
    on: Date,
) -> Result<()> {
    let is_new_period = has_other_period(subscription, change);
    apply_change(subscription, change);
    subscription.changed_on = Some(on);
    if is_new_period {
        let (period, frequency) = (subscription.billing_period(), subscription.billing_frequency);
        let next = next_billing_day(on, period, frequency, on.day);
        let next = next.ok_or_else(|| Error::field("billing_period", "has no calendar"))?;
        subscription.bill_cycle_day = on.day;
        subscription.next_bill_on = Some(next);
        use_discounts(&mut subscription.discounts);
    }
    Ok(())
}

/// The billing key of the invoice of a change that was asked for with that key.
pub(crate) fn billing_key_of(key: &str) -> String {
    format!("{CHANGE_KEY}{key}")
}

/// Whether an invoice is that of a change.
pub(crate) fn is_of_change(invoice: &Invoice) -> bool {
    invoice.billing_key.starts_with(CHANGE_KEY)
}

/// Makes the bill of a day with a change that begins with it.
///
/// # Errors
/// As [`build_period_bill`].
pub(crate) async fn build_bill_with(
    call: &Call,
    subscription: &Subscription,
    change: &SubscriptionChange,
    day: Date,
) -> Result<PeriodBill> {
    let mut after = subscription.clone();
    apply_change(&mut after, change);
    apply_waiting_prices(&mut after, day);
    let period = Period::from_day(&after, day)?;
    build_period_bill(call, &after, &period).await
}

/// Plans a change that begins on a day of the running period. The key tells its invoice from those of other changes.
///
/// # Errors
/// `SUBSCRIPTION_NOT_CHANGEABLE`, `TAXES_UNKNOWN`; when the tax service does not answer.
pub(crate) async fn plan_change(
    call: &Call,
    before: &Subscription,
    change: &SubscriptionChange,
    on: Date,
    key: &str,
) -> Result<ChangePlan> {
    let invoices = load_newest(call, &before.id).await?;
    let collection = match before.collection() {
        Collection::Unspecified => find_collection(call, before).await?,
        known => known,
    };
    check_changeable(before, collection, &invoices, on)?;
    let UnusedCharges { items: unused, group_id, paid_with } = find_unused(call, before, &invoices, on).await?;
    let mut after = before.clone();
    apply_change_within(&mut after, change, on)?;
    let is_new_period = has_other_period(before, change);
    let period = if is_new_period { Period::from_day(&after, on)? } else { Period::rest_from(&after, on)? };
    let items = list_items(&after, &period);
    let discounts: &[SubscriptionDiscount] = if is_new_period { before.discounts.as_slice() } else { &[] };
    let DiscountedItems { items: lowered, rests } = lower_items(&items, discounts);
    let taxes = find_taxes(call, &after, &rests, on).await?;
    let charges = items.into_iter().chain(taxes.iter().map(build_tax_item)).collect();
    let mut invoice = Invoice {
        id: call.new_id(),
        owner_id: before.owner_id.clone(),
        status: InvoiceStatus::Active.into(),
        currency: currency_of(&change.items).into(),
        subscription_id: before.id.clone(),
        billing_key: billing_key_of(key),
        period_from: Some(on),
        period_until: Some(period.until),
        collection: collection.into(),
        due_on: Some(on),
        ..Invoice::default()
    };
    let unused = unused.into_iter().map(|item| if is_new_period { of_earlier_period(item) } else { item });
    let left_over = add_items(call, &mut invoice, charges, lowered.into_iter().chain(unused).collect())?;
    let credits = if left_over > 0 {
        paid_with.split_credit(build_credit(call, &invoice, left_over, group_id), left_over, || call.new_id())
    } else {
        Vec::new()
    };
    let payer = find_paying_group(call, before).await?;
    let taken = take_credits(call, &mut invoice, &payer).await?;
    if money::to_minor_units(invoice.total.as_ref()) == 0 {
        invoice.set_status(InvoiceStatus::Paid);
        after.paid_to_date = Some(period.until);
    }
    write_sums(&mut invoice)?;
    Ok(ChangePlan { invoice, taken, credits, after })
}

fn has_other_period(subscription: &Subscription, change: &SubscriptionChange) -> bool {
    (subscription.billing_period, subscription.billing_frequency) != (change.billing_period, change.billing_frequency)
}

/// The currency of the items.
pub(crate) fn currency_of(items: &[SubscriptionItem]) -> Currency {
    items.iter().find_map(|item| item.price.as_ref()).map_or(Currency::Unspecified, Money::currency)
}

/// Refuses a change within the running period that is not paid, not billed here, or about to end.
fn check_changeable(subscription: &Subscription, collection: Collection, invoices: &[Invoice], on: Date) -> Result<()> {
    let refuse = |why: String| Err(Error::new(ErrorReason::SubscriptionNotChangeable, why));
    if invoices.iter().any(|invoice| invoice.dispute_status() == DisputeStatus::Open) {
        return refuse("a payment of the subscription is disputed: its bank decides first".to_owned());
    }
    if subscription.status() != SubscriptionStatus::Active {
        return refuse(format!("the subscription is {}", subscription.status().spelling()));
    }
    if subscription.vendor() != VendorType::Atlas || collection != Collection::Charge {
        return refuse("the subscription is not charged to a card or an account of the member".to_owned());
    }
    if let Some(end) = subscription.scheduled_cancel_on {
        return refuse(format!("the subscription ends on {}", format_day(end)));
    }
    if invoices.iter().any(is_outstanding) {
        return refuse("an invoice of the subscription is open: pay it first".to_owned());
    }
    let is_within = subscription.next_bill_on.is_some_and(|next| to_days(on) < to_days(next));
    let is_paid = subscription.paid_to_date.is_some_and(|paid| to_days(on) <= to_days(paid));
    if !is_within || !is_paid {
        return refuse(format!("{} is not within the paid period", format_day(on)));
    }
    Ok(())
}

/// The charges for days that are not used.
pub(crate) struct UnusedCharges {
    /// Items that take them off.
    pub(crate) items: Vec<InvoiceItem>,
    /// The group that paid them; empty for the member.
    pub(crate) group_id: String,
    /// The amount that paid for the first of these days.
    pub(crate) paid_with: PaidWith,
}

/// The charges for the days from `on` on. The first period was paid with the order. A subscription from elsewhere has no
/// invoice: its prices say what was paid.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn find_unused(
    call: &Call,
    subscription: &Subscription,
    invoices: &[Invoice],
    on: Date,
) -> Result<UnusedCharges> {
    let rest = Period::rest_from(subscription, on)?;
    let stand = || invoices.iter().filter(|invoice| invoice.status() != InvoiceStatus::Voided);
    // An earlier period that another one took the place of ends on another day.
    let mut of_period: Vec<Invoice> = stand().filter(|one| one.period_until == Some(rest.until)).cloned().collect();
    let was_billed = stand().any(|invoice| invoice.period_from.is_some() && !is_of_change(invoice));
    let begins_anew = subscription.started_on != Some(rest.begin())
        && of_period.iter().any(|invoice| invoice.period_from == Some(rest.begin()));
    if was_billed || begins_anew {
        let known: &[Invoice] = if of_period.is_empty() { invoices } else { &of_period };
        let group_id = find_group_that_paid(call, subscription, &of_period).await?;
        let paid_with = find_paid_with(call, known, on).await?;
        return Ok(UnusedCharges { items: list_unused(known, on), group_id, paid_with });
    }
    let (items, payments) = match load_order_invoice(call, subscription).await? {
        Some(order) => (list_charges_of_order(&order, subscription), order.payments),
        // The first change took off days that were charged elsewhere: it begins the reckoning.
        None if !of_period.is_empty() => {
            let first = of_period.iter_mut().min_by(|one, other| one.id.cmp(&other.id));
            first.into_iter().for_each(|invoice| invoice.items.retain(|item| !is_unused(item)));
            (Vec::new(), Vec::new())
        }
        None => (list_items(subscription, &rest.expand_to_whole()), Vec::new()),
    };
    of_period.push(Invoice {
        status: InvoiceStatus::Paid.into(),
        period_from: Some(rest.begin()),
        period_until: Some(rest.until),
        items,
        payments,
        ..Invoice::default()
    });
    let group_id = find_group_that_paid(call, subscription, &of_period).await?;
    let paid_with = find_paid_with(call, &of_period, on).await?;
    Ok(UnusedCharges { items: list_unused(&of_period, on), group_id, paid_with })
}

/// Whether an item takes unused days off. A discount names its subscription.
fn is_unused(item: &InvoiceItem) -> bool {
    item.r#type() == ItemType::Discount && item.credit_id.is_empty() && item.subscription_id.is_empty()
}

/// An amount off for an earlier period is not spread over the days of the new one.
fn of_earlier_period(item: InvoiceItem) -> InvoiceItem {
    InvoiceItem { r#type: ItemType::Transaction.into(), ..item }
}

/// The paid invoice of the order that the subscription came from.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn load_order_invoice(call: &Call, subscription: &Subscription) -> Result<Option<Invoice>> {
    if subscription.order_id.is_empty() {
        return Ok(None);
    }
    let lookup =
        INVOICE_TABLE.lookup(lookups::ORDER_ID).ok_or_else(|| Error::internal("invoices have no lookup order_id"))?;
    let filter = Filter { lookups: vec![(lookup, subscription.order_id.clone())], limit: 20, ..Filter::default() };
    let rows = call.kernel().store().list(&INVOICE_TABLE, &filter).await?;
    let found: Vec<Invoice> = call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await?;
    Ok(found.into_iter().find(|invoice| invoice.status() == InvoiceStatus::Paid))
}

/// Adds the charges and what is taken off them. What is taken off beyond the charges is left over: an item for it keeps the
/// total at zero.
fn add_items(
    call: &Call,
    invoice: &mut Invoice,
    charges: Vec<InvoiceItem>,
    deductions: Vec<InvoiceItem>,
) -> Result<i64> {
    let sum = |items: &[InvoiceItem]| {
        items.iter().fold(0_i64, |sum, item| sum.saturating_add(money::to_minor_units(item.amount.as_ref())))
    };
    let left_over = sum(&charges).saturating_add(sum(&deductions)).saturating_neg().max(0);
    let credited = (left_over > 0).then(|| InvoiceItem {
        r#type: ItemType::Transaction.into(),
        amount: Some(amount_on(invoice, left_over)),
        description: "Credit for the next bills".to_owned(),
        recurrence: Recurrence::OneTime.into(),
        ..InvoiceItem::default()
    });
    for item in charges.into_iter().chain(credited).chain(deductions) {
        add_item(invoice, "items", build_item(item, call.new_id(), call.timestamp()))?;
    }
    Ok(left_over)
}

/// A credit for the one who paid: the group, or the member.
fn build_credit(call: &Call, invoice: &Invoice, amount: i64, group_id: String) -> Credit {
    let credit = give_back::build_credit(call.new_id(), &invoice.owner_id, &invoice.id, amount_on(invoice, amount));
    Credit { reason: CreditReason::PlanChange.into(), group_id, ..credit }
}
