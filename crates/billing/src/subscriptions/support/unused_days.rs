//! The charges for days that are not used.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::time::to_days;

use super::by_days::cost_of_rest;
use crate::contract::v1::{
    DisputeStatus, Invoice, InvoiceItem, InvoiceStatus, ItemType, ProductType, Recurrence, Subscription,
    SubscriptionItem,
};
use crate::invoices::support::sums::Sums;
use crate::shared::money;

/// The charge for one product, or for one tax, and how it is called.
#[derive(Debug)]
struct ItemCharge<'i> {
    item: &'i InvoiceItem,
    amount: i64,
}

/// The charges of the paid invoices for the days from `on` until the end of their period, as items that take it off: one for
/// each product and each tax, at the rate that it was charged with. An invoice of a change has taken days off before, so that
/// all invoices of the period together say what is unused.
pub(crate) fn list_unused(invoices: &[Invoice], on: Date) -> Vec<InvoiceItem> {
    let mut charged: Vec<ItemCharge<'_>> = Vec::new();
    for (invoice, left, days) in invoices.iter().filter_map(|invoice| find_days(invoice, on)) {
        let kept = KeptShare::of(invoice);
        for item in invoice.items.iter().filter(|item| is_of_period(item)) {
            let amount = cost_of_rest(kept.share_of(item), left, days);
            add_charged(&mut charged, item, amount);
        }
    }
    build_items(&charged)
}

/// The charges of an order's invoice for the items that the subscription renews, with their share of its taxes. It paid the
/// first period.
pub(crate) fn list_charges_of_order(order: &Invoice, subscription: &Subscription) -> Vec<InvoiceItem> {
    let amount = |item: &InvoiceItem| money::to_minor_units(item.amount.as_ref());
    let kept = KeptShare::of(order);
    let in_same_currency = |item: &InvoiceItem, amount: i64| item.amount.map(|whole| Money { amount, ..whole });
    let is_renewed = |item: &InvoiceItem| subscription.items.iter().any(|bought| is_same(item, bought));
    let ordered = || order.items.iter().filter(|item| item.r#type() == ItemType::Order);
    let all: i64 = ordered().map(amount).sum();
    let renewed: Vec<&InvoiceItem> = ordered().filter(|item| is_renewed(item)).collect();
    let share: i64 = renewed.iter().map(|item| amount(item)).sum();
    let taxes = order.items.iter().filter(|item| item.r#type() == ItemType::Tax).map(|tax| InvoiceItem {
        amount: in_same_currency(tax, cost_of_rest(kept.share_of(tax), share, all)),
        ..tax.clone()
    });
    let charges = renewed.iter().map(|item| InvoiceItem {
        r#type: ItemType::Subscription.into(),
        amount: in_same_currency(item, kept.share_of(item)),
        ..(*item).clone()
    });
    charges.chain(taxes).collect()
}

/// The amount of an invoice that credits paid.
pub(crate) fn amount_by_credits(invoice: &Invoice) -> i64 {
    let taken = invoice.items.iter().filter(|item| !item.credit_id.is_empty());
    taken.fold(0_i64, |sum, item| sum.saturating_sub(money::to_minor_units(item.amount.as_ref())))
}

/// Whether an invoice paid for a day.
pub(crate) fn has_paid_for(invoice: &Invoice, day: Date) -> bool {
    find_days(invoice, day).is_some()
}

/// The part of an invoice that was not refunded.
#[derive(Debug, Clone, Copy)]
struct KeptShare {
    part: i64,
    whole: i64,
}

impl KeptShare {
    /// The worth of an invoice less its refunds, those in progress too. A credit that paid it was worth something.
    fn of(invoice: &Invoice) -> Self {
        let sums = Sums::of(invoice);
        let refunded = sums.returned_amount().saturating_add(sums.refunding);
        let whole = sums.total.saturating_add(amount_by_credits(invoice));
        if refunded == 0 { Self { part: 1, whole: 1 } } else { Self { part: whole.saturating_sub(refunded), whole } }
    }

    /// The same part of an item.
    fn share_of(self, item: &InvoiceItem) -> i64 {
        cost_of_rest(money::to_minor_units(item.amount.as_ref()), self.part, self.whole)
    }
}

/// The days of a paid period that are left from a day on, and all of its days.
fn find_days(invoice: &Invoice, on: Date) -> Option<(&Invoice, i64, i64)> {
    let (from, until) = (to_days(invoice.period_from?), to_days(invoice.period_until?));
    let (on, end) = (to_days(on), until + 1);
    // Money that is disputed may go back to the member, and is not given back a second time.
    let is_paid = invoice.status() == InvoiceStatus::Paid && invoice.dispute_status() != DisputeStatus::Open;
    (is_paid && (from..end).contains(&on)).then(|| (invoice, end - on, end - from))
}

/// Whether an item is charged by the days. What was paid with a credit was charged, too. What became one was not, nor what
/// was taken off for an earlier period: both are items of type TRANSACTION.
fn is_of_period(item: &InvoiceItem) -> bool {
    match item.r#type() {
        ItemType::Subscription | ItemType::Tax => true,
        ItemType::Discount => item.credit_id.is_empty(),
        ItemType::Order | ItemType::Transaction | ItemType::Unspecified => false,
    }
}

fn is_same(item: &InvoiceItem, bought: &SubscriptionItem) -> bool {
    (&item.product_id, &item.tier_id, &item.supplement_id)
        == (&bought.product_id, &bought.tier_id, &bought.supplement_id)
}

fn add_charged<'i>(charged: &mut Vec<ItemCharge<'i>>, item: &'i InvoiceItem, amount: i64) {
    type Key<'k> = (&'k str, &'k str, &'k str, &'k str, i32);
    fn key(item: &InvoiceItem) -> Key<'_> {
        (
            item.product_id.as_str(),
            item.tier_id.as_str(),
            item.supplement_id.as_str(),
            item.tax_name.as_str(),
            item.tax_rate_ppm,
        )
    }
    match charged.iter_mut().find(|known| key(known.item) == key(item)) {
        Some(known) => {
            known.amount = known.amount.saturating_add(amount);
            // Its name is that of the charge, and not of what was taken off.
            if item.r#type() != ItemType::Discount {
                known.item = item;
            }
        }
        None => charged.push(ItemCharge { item, amount }),
    }
}

fn build_items(charged: &[ItemCharge<'_>]) -> Vec<InvoiceItem> {
    charged.iter().filter(|one| one.amount > 0).map(build_item).collect()
}

fn build_item(charged: &ItemCharge<'_>) -> InvoiceItem {
    let ItemCharge { item, amount } = charged;
    let currency = item.amount.map_or(0, |amount| amount.currency);
    InvoiceItem {
        r#type: ItemType::Discount.into(),
        amount: Some(Money { currency, amount: amount.saturating_neg() }),
        description: format!("Unused days: {}", item.description).chars().take(200).collect(),
        recurrence: Recurrence::OneTime.into(),
        product_type: if item.tax_name.is_empty() { item.product_type } else { ProductType::Unspecified.into() },
        product_id: item.product_id.clone(),
        tier_id: item.tier_id.clone(),
        supplement_id: item.supplement_id.clone(),
        tax_name: item.tax_name.clone(),
        tax_rate_ppm: item.tax_rate_ppm,
        ..InvoiceItem::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{InvoiceRefund, TransactionStatus};

    fn day(day: i32) -> Date {
        Date { year: 2026, month: 4, day }
    }

    fn item(kind: ItemType, product: &str, tax: &str, amount: i64) -> InvoiceItem {
        InvoiceItem {
            r#type: kind.into(),
            product_id: product.to_owned(),
            tax_name: tax.to_owned(),
            amount: Some(Money { currency: 1, amount }),
            description: product.to_owned(),
            ..InvoiceItem::default()
        }
    }

    fn paid(from: i32, items: Vec<InvoiceItem>) -> Invoice {
        let status = InvoiceStatus::Paid.into();
        Invoice { status, period_from: Some(day(from)), period_until: Some(day(30)), items, ..Invoice::default() }
    }

    fn amounts(items: &[InvoiceItem]) -> Vec<(&str, &str, i64)> {
        let amount = |item: &InvoiceItem| item.amount.map_or(0, |amount| amount.amount);
        items.iter().map(|item| (item.product_id.as_str(), item.tax_name.as_str(), amount(item))).collect()
    }

    #[test]
    fn what_was_changed_twice_is_given_back_once() {
        let tax = |amount| item(ItemType::Tax, "", "TX STATE", amount);
        let month = paid(1, vec![item(ItemType::Subscription, "legal", "", 2995), tax(300)]);
        let once = list_unused(std::slice::from_ref(&month), day(11));
        assert_eq!(amounts(&once), [("legal", "", -1997), ("", "TX STATE", -200)]);
        assert!(once.iter().all(|item| item.r#type() == ItemType::Discount));
        // The dearer plan of the other twenty days, at the price of 34.95.
        let mut items = vec![item(ItemType::Subscription, "legal", "", 2330), tax(233)];
        items.extend(once);
        let both = [paid(11, items), month];
        assert_eq!(amounts(&list_unused(&both, day(11))), [("legal", "", -2330), ("", "TX STATE", -233)]);
        assert!(list_unused(&both, Date { month: 5, ..day(1) }).is_empty(), "all days are used");
    }

    #[test]
    fn a_free_month_is_worth_nothing_and_a_credit_was_money() {
        let whole = item(ItemType::Subscription, "legal", "", 3000);
        let free = paid(1, vec![whole.clone(), item(ItemType::Discount, "legal", "", -3000)]);
        assert!(list_unused(&[free], day(11)).is_empty());
        let credit = InvoiceItem { credit_id: "credit".to_owned(), ..item(ItemType::Discount, "", "", -3000) };
        assert_eq!(amounts(&list_unused(&[paid(1, vec![whole.clone(), credit])], day(11))), [("legal", "", -2000)]);
        let open = Invoice { status: InvoiceStatus::Failed.into(), ..paid(1, vec![whole]) };
        assert!(list_unused(&[open], day(11)).is_empty(), "it is not paid");
    }

    #[test]
    fn what_was_refunded_or_is_disputed_is_not_given_back_again() {
        let month = paid(1, vec![item(ItemType::Subscription, "legal", "", 3000), item(ItemType::Tax, "", "TX", 300)]);
        let refund = InvoiceRefund {
            amount: Some(Money { currency: 1, amount: 1100 }),
            status: TransactionStatus::Approved.into(),
            ..InvoiceRefund::default()
        };
        let refunded = Invoice { refunds: vec![refund], ..month.clone() };
        // Two thirds are kept, and of these two thirds of the days are left.
        assert_eq!(
            amounts(&list_unused(std::slice::from_ref(&refunded), day(11))),
            [("legal", "", -1333), ("", "TX", -133)]
        );
        let ordered = item(ItemType::Order, "legal", "", 3300);
        let order = Invoice { items: vec![ordered], refunds: refunded.refunds, ..Invoice::default() };
        let bought = SubscriptionItem { product_id: "legal".to_owned(), ..SubscriptionItem::default() };
        let subscription = Subscription { items: vec![bought], ..Subscription::default() };
        assert_eq!(amounts(&list_charges_of_order(&order, &subscription)), [("legal", "", 2200)]);
        let disputed = Invoice { dispute_status: DisputeStatus::Open.into(), ..month };
        assert!(list_unused(&[disputed], day(11)).is_empty());
    }

    #[test]
    fn an_order_gives_back_what_is_renewed_with_its_share_of_the_taxes() {
        let order = Invoice {
            items: vec![
                item(ItemType::Order, "legal", "", 3000),
                item(ItemType::Order, "other", "", 1000),
                item(ItemType::Tax, "", "TX STATE", 400),
            ],
            ..Invoice::default()
        };
        let bought = SubscriptionItem { product_id: "legal".to_owned(), ..SubscriptionItem::default() };
        let subscription = Subscription { items: vec![bought], ..Subscription::default() };
        let charges = list_charges_of_order(&order, &subscription);
        assert_eq!(amounts(&charges), [("legal", "", 3000), ("", "TX STATE", 300)]);
        assert_eq!(amounts(&list_unused(&[paid(1, charges)], day(11))), [("legal", "", -2000), ("", "TX STATE", -200)]);
    }
}
