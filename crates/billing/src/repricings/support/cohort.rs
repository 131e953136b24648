//! The subscriptions that a repricing concerns, and its result for each.

use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;

use crate::contract::v1::{
    OfferItemType, Repricing, RepricingSkipReason, Subscription, SubscriptionItem, SubscriptionStatus, SuspendReason,
    VendorType, WaitingPrice,
};
use crate::subscriptions::support::billing_day::next_billing_day;

/// The most periods that are gone through for the first bill with the new price: two years of days.
const MOST_PERIODS: usize = 800;

/// The result of a repricing for a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CohortResult {
    /// The repricing does not concern it.
    Outside,
    /// It keeps its price.
    Skipped(RepricingSkipReason),
    /// It gets the new price.
    Matching,
}

/// Finds the result of a repricing for a subscription as it is.
pub(crate) fn judge_subscription(subscription: &Subscription, repricing: &Repricing) -> CohortResult {
    let named = || subscription.items.iter().filter(move |item| is_named(item, repricing));
    if !is_running(subscription) || !is_of_offer(subscription, repricing) || named().next().is_none() {
        return CohortResult::Outside;
    }
    let waits = |item: &SubscriptionItem| {
        subscription.waiting_prices.iter().any(|one| one.product_id == item.product_id && one.tier_id == item.tier_id)
    };
    let skipped = if named().all(|item| item.price != repricing.old_price) {
        RepricingSkipReason::OtherPrice
    } else if subscription.change.is_some() {
        RepricingSkipReason::ChangeWaiting
    } else if named().any(waits) {
        RepricingSkipReason::AlreadyRepriced
    } else if repricing.first_day.is_some_and(|first| ends_before(subscription, first)) {
        RepricingSkipReason::EndsBefore
    } else {
        return CohortResult::Matching;
    };
    CohortResult::Skipped(skipped)
}

/// The prices that wait at a subscription once it is repriced: one for each product and tier with the old price.
pub(crate) fn list_waiting_prices(subscription: &Subscription, repricing: &Repricing) -> Vec<WaitingPrice> {
    let mut waiting: Vec<WaitingPrice> = Vec::new();
    let priced = subscription.items.iter().filter(|item| item.price == repricing.old_price);
    for item in priced.filter(|item| is_named(item, repricing)) {
        let one = WaitingPrice {
            repricing_id: repricing.id.clone(),
            product_id: item.product_id.clone(),
            tier_id: item.tier_id.clone(),
            old_price: repricing.old_price,
            price: repricing.price,
            first_day: repricing.first_day,
        };
        if !waiting.contains(&one) {
            waiting.push(one);
        }
    }
    waiting
}

/// Whether the platform bills it, now or once it is paid again.
fn is_running(subscription: &Subscription) -> bool {
    let runs = match subscription.status() {
        SubscriptionStatus::Active | SubscriptionStatus::CatchingUp | SubscriptionStatus::Precancel => true,
        SubscriptionStatus::Suspended => subscription.suspended_for() == SuspendReason::Payment,
        _ => false,
    };
    // Other vendors are EXTERNAL.
    runs && subscription.vendor() == VendorType::Atlas
}

fn is_of_offer(subscription: &Subscription, repricing: &Repricing) -> bool {
    repricing.offer_id.is_empty() || repricing.offer_id == subscription.offer_id
}

/// Whether the repricing names the product and the tier of an item.
fn is_named(item: &SubscriptionItem, repricing: &Repricing) -> bool {
    let is_given = |named: &str, has: &str| named.is_empty() || named == has;
    item.r#type() == OfferItemType::Product
        && is_given(&repricing.product_id, &item.product_id)
        && is_given(&repricing.tier_id, &item.tier_id)
}

/// Whether a scheduled end leaves no bill with the new price.
fn ends_before(subscription: &Subscription, first: Date) -> bool {
    let first_bill = find_first_bill(subscription, first).unwrap_or(first);
    subscription.scheduled_cancel_on.is_some_and(|end| to_days(end) <= to_days(first_bill))
}

/// The first billing day on that day or later. `None` without a calendar.
fn find_first_bill(subscription: &Subscription, first: Date) -> Option<Date> {
    let (period, frequency) = (subscription.billing_period(), subscription.billing_frequency);
    let mut day = subscription.next_bill_on?;
    for _ in 0..MOST_PERIODS {
        if to_days(day) >= to_days(first) {
            return Some(day);
        }
        day = next_billing_day(day, period, frequency, subscription.bill_cycle_day)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::SubscriptionChange;
    use pavise_kernel::common::v1::{BillingPeriod, Money};

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    fn day(month: i32, day: i32) -> Date {
        Date { year: 2026, month, day }
    }

    fn monthly() -> Subscription {
        let item = SubscriptionItem {
            r#type: OfferItemType::Product.into(),
            product_id: "legal".to_owned(),
            tier_id: "gold".to_owned(),
            price: usd(2995),
            ..SubscriptionItem::default()
        };
        let supplement = SubscriptionItem { r#type: OfferItemType::Supplement.into(), ..item.clone() };
        Subscription {
            status: SubscriptionStatus::Active.into(),
            vendor: VendorType::Atlas.into(),
            offer_id: "offer".to_owned(),
            items: vec![item.clone(), supplement, item],
            billing_period: BillingPeriod::Monthly.into(),
            billing_frequency: 1,
            bill_cycle_day: 15,
            next_bill_on: Some(day(2, 15)),
            ..Subscription::default()
        }
    }

    fn from_april() -> Repricing {
        Repricing {
            id: "r".to_owned(),
            offer_id: "offer".to_owned(),
            product_id: "legal".to_owned(),
            old_price: usd(2995),
            price: usd(3495),
            first_day: Some(day(4, 1)),
            ..Repricing::default()
        }
    }

    fn judged(change: impl Fn(&mut Subscription, &mut Repricing)) -> CohortResult {
        let (mut subscription, mut repricing) = (monthly(), from_april());
        change(&mut subscription, &mut repricing);
        judge_subscription(&subscription, &repricing)
    }

    #[test]
    fn it_concerns_what_the_platform_bills_of_the_named_offer_product_and_tier() {
        assert_eq!(judged(|_, _| {}), CohortResult::Matching);
        assert_eq!(judged(|_, repricing| repricing.offer_id.clear()), CohortResult::Matching);
        assert_eq!(judged(|_, repricing| repricing.product_id.clear()), CohortResult::Matching);
        assert_eq!(judged(|_, repricing| repricing.offer_id = "other".to_owned()), CohortResult::Outside);
        assert_eq!(judged(|_, repricing| repricing.product_id = "other".to_owned()), CohortResult::Outside);
        assert_eq!(judged(|_, repricing| repricing.tier_id = "silver".to_owned()), CohortResult::Outside);
        assert_eq!(judged(|one, _| one.set_vendor(VendorType::Paypal)), CohortResult::Outside);
        assert_eq!(judged(|one, _| one.set_status(SubscriptionStatus::PendingCancel)), CohortResult::Outside);
        assert_eq!(judged(|one, _| one.set_status(SubscriptionStatus::Suspended)), CohortResult::Outside);
        let unpaid = judged(|one, _| {
            one.set_status(SubscriptionStatus::Suspended);
            one.set_suspended_for(SuspendReason::Payment);
        });
        assert_eq!(unpaid, CohortResult::Matching);
    }

    #[test]
    fn a_subscription_keeps_its_price_for_a_reason() {
        let skipped = |change: &dyn Fn(&mut Subscription)| match judged(|one, _| change(one)) {
            CohortResult::Skipped(reason) => Some(reason),
            _ => None,
        };
        let other = skipped(&|one| one.items.iter_mut().for_each(|item| item.price = usd(1995)));
        assert_eq!(other, Some(RepricingSkipReason::OtherPrice));
        let changing = skipped(&|one| one.change = Some(SubscriptionChange::default()));
        assert_eq!(changing, Some(RepricingSkipReason::ChangeWaiting));
        let again = skipped(&|one| one.waiting_prices = list_waiting_prices(one, &from_april()));
        assert_eq!(again, Some(RepricingSkipReason::AlreadyRepriced));
        // The first bill with the new price is that of 15 April.
        let ending = |end: Date| skipped(&|one| one.scheduled_cancel_on = Some(end));
        assert_eq!(ending(day(4, 15)), Some(RepricingSkipReason::EndsBefore));
        assert_eq!(ending(day(4, 16)), None);
    }

    #[test]
    fn one_price_waits_for_each_product_and_tier() {
        let waiting = list_waiting_prices(&monthly(), &from_april());
        let [one] = waiting.as_slice() else { panic!("{waiting:?}") };
        assert_eq!((one.product_id.as_str(), one.tier_id.as_str(), one.price), ("legal", "gold", usd(3495)));
        assert_eq!((one.repricing_id.as_str(), one.first_day), ("r", Some(day(4, 1))));
    }
}
