//! The new prices that wait for their first bill.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;
use pavise_kernel::{Call, Result};

use crate::contract::v1::{OfferItemType, Repricing, RepricingStatus, Subscription, SubscriptionItem, WaitingPrice};

/// Whether a waiting price is for an item: another price of the item takes its place.
fn is_for(waiting: &WaitingPrice, item: &SubscriptionItem) -> bool {
    item.r#type() == OfferItemType::Product
        && (&item.product_id, &item.tier_id) == (&waiting.product_id, &waiting.tier_id)
        && item.price == waiting.old_price
}

/// Whether a waiting price counts for a period that begins on that day.
fn is_due_from(waiting: &WaitingPrice, from: Date) -> bool {
    waiting.first_day.is_some_and(|first| to_days(first) <= to_days(from))
}

/// Puts the waiting prices in place that count for a period which begins on that day.
pub(crate) fn apply_waiting_prices(subscription: &mut Subscription, from: Date) {
    let waiting = std::mem::take(&mut subscription.waiting_prices);
    let (due, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|one| is_due_from(one, from));
    for one in &due {
        for item in subscription.items.iter_mut().filter(|item| is_for(one, item)) {
            item.price = one.price;
        }
    }
    subscription.waiting_prices = later;
}

/// Drops the prices that wait for an item which is not there any more. They all go with another offer or billing period than
/// the given ones.
pub(crate) fn drop_stale_prices(subscription: &mut Subscription, (offer_id, billing_period): (&str, i32)) {
    let is_same_plan = subscription.offer_id == offer_id && subscription.billing_period == billing_period;
    let items = &subscription.items;
    subscription.waiting_prices.retain(|one| is_same_plan && items.iter().any(|item| is_for(one, item)));
}

/// Drops the prices for the next bill whose repricing was withdrawn, and whose row the worker has not come to.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn drop_withdrawn_prices(call: &Call, subscription: &mut Subscription) -> Result<()> {
    let Some(next) = subscription.next_bill_on else { return Ok(()) };
    let due = subscription.waiting_prices.iter().filter(|one| is_due_from(one, next));
    let ids: Vec<String> = due.map(|one| one.repricing_id.clone()).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let repricings: Vec<Repricing> = call.find_many(&ids).await?;
    let is_withdrawn = |id: &str| {
        let status = repricings.iter().find(|one| one.id == id).map(Repricing::status);
        matches!(status, Some(RepricingStatus::Withdrawing | RepricingStatus::Withdrawn))
    };
    subscription.waiting_prices.retain(|one| !is_withdrawn(&one.repricing_id));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::{BillingPeriod, Money};

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    fn april(day: i32) -> Date {
        Date { year: 2026, month: 4, day }
    }

    fn item(product_id: &str, amount: i64) -> SubscriptionItem {
        SubscriptionItem {
            r#type: OfferItemType::Product.into(),
            product_id: product_id.to_owned(),
            price: usd(amount),
            ..SubscriptionItem::default()
        }
    }

    fn waiting(product_id: &str, first: i32) -> WaitingPrice {
        WaitingPrice {
            repricing_id: "r".to_owned(),
            product_id: product_id.to_owned(),
            old_price: usd(2995),
            price: usd(3495),
            first_day: Some(april(first)),
            ..WaitingPrice::default()
        }
    }

    fn repriced() -> Subscription {
        Subscription {
            offer_id: "offer".to_owned(),
            billing_period: BillingPeriod::Monthly.into(),
            items: vec![item("legal", 2995), item("identity", 2995), item("legal", 995)],
            waiting_prices: vec![waiting("legal", 10), waiting("identity", 20)],
            ..Subscription::default()
        }
    }

    #[test]
    fn a_price_counts_from_the_first_period_on_that_begins_on_its_day() {
        let billed = |from: i32| {
            let mut one = repriced();
            apply_waiting_prices(&mut one, april(from));
            let prices: Vec<i64> = one.items.iter().filter_map(|item| item.price).map(|price| price.amount).collect();
            (prices, one.waiting_prices.len())
        };
        assert_eq!(billed(9), (vec![2995, 2995, 995], 2));
        assert_eq!(billed(10), (vec![3495, 2995, 995], 1), "an item with another price keeps it");
        assert_eq!(billed(20), (vec![3495, 3495, 995], 0));
    }

    #[test]
    fn another_plan_or_price_drops_what_waits() {
        let left = |change: &dyn Fn(&mut Subscription)| {
            let mut one = repriced();
            change(&mut one);
            drop_stale_prices(&mut one, ("offer", BillingPeriod::Monthly.into()));
            one.waiting_prices.len()
        };
        assert_eq!(left(&|_| {}), 2);
        assert_eq!(left(&|one| one.items[0].price = usd(1995)), 1);
        assert_eq!(left(&|one| one.items.retain(|item| item.product_id == "legal")), 1);
        assert_eq!(left(&|one| one.offer_id = "better".to_owned()), 0);
        assert_eq!(left(&|one| one.set_billing_period(BillingPeriod::Annual)), 0);
    }
}
