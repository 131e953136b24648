//! The period that is billed next: its days and their cost.

use pavise_kernel::common::v1::{Date, Money};
use pavise_kernel::money::in_same_currency;
use pavise_kernel::time::{add_days, to_days};
use pavise_kernel::{Error, Result};

use super::billing_day::{billing_day_before, next_billing_day};
use super::by_days::cost_of_rest;
use super::collection::is_collected;
use crate::contract::v1::{Subscription, SubscriptionStatus, VendorType};

/// A period to bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Period {
    /// Its first day.
    pub(crate) from: Date,
    /// Its last day.
    pub(crate) until: Date,
    /// The day on which the one after it is billed.
    pub(crate) next: Date,
    /// Its days, and the days of a whole one, at least as many.
    days: i64,
    whole: i64,
}

/// The next billing day, if the platform bills the subscription on it. Nothing is billed for days on which it is over.
pub(crate) fn find_bills_on(subscription: &Subscription) -> Option<Date> {
    let day = subscription.next_bill_on?;
    let (period, frequency) = (subscription.billing_period(), subscription.billing_frequency);
    next_billing_day(day, period, frequency, subscription.bill_cycle_day)?;
    let runs = matches!(
        subscription.status(),
        SubscriptionStatus::Active | SubscriptionStatus::CatchingUp | SubscriptionStatus::Precancel
    );
    let is_over = subscription.scheduled_cancel_on.is_some_and(|end| to_days(end) <= to_days(day));
    let billed = runs
        && subscription.vendor() == VendorType::Atlas
        && is_collected(subscription)
        && subscription.delinquent_since.is_none();
    (billed && !is_over).then_some(day)
}

impl Period {
    /// The period that begins on that day. A scheduled end cuts it.
    ///
    /// # Errors
    /// For a billing period without a calendar.
    pub(crate) fn from_day(subscription: &Subscription, from: Date) -> Result<Self> {
        let (period, frequency) = (subscription.billing_period(), subscription.billing_frequency);
        let cycle_day = subscription.bill_cycle_day;
        let whole_end = next_billing_day(from, period, frequency, cycle_day);
        let whole_begin = whole_end.and_then(|end| billing_day_before(end, period, frequency, cycle_day));
        let (Some(end), Some(begin)) = (whole_end, whole_begin) else {
            return Err(Error::internal(format!("subscription {} has no calendar", subscription.id)));
        };
        let cut = subscription.scheduled_cancel_on.filter(|day| to_days(*day) < to_days(end));
        let next = cut.unwrap_or(end);
        let days = to_days(next) - to_days(from);
        let whole = (to_days(end) - to_days(begin)).max(days);
        Ok(Self { from, until: add_days(next, -1), next, days, whole })
    }

    /// The rest of the running period: from a day on until the next billing day.
    ///
    /// # Errors
    /// For a billing period without a calendar.
    pub(crate) fn rest_from(subscription: &Subscription, from: Date) -> Result<Self> {
        let (period, frequency) = (subscription.billing_period(), subscription.billing_frequency);
        let end = subscription.next_bill_on;
        let begin = end.and_then(|end| billing_day_before(end, period, frequency, subscription.bill_cycle_day));
        let (Some(end), Some(begin)) = (end, begin) else {
            return Err(Error::internal(format!("subscription {} has no calendar", subscription.id)));
        };
        let days = to_days(end) - to_days(from);
        let whole = (to_days(end) - to_days(begin)).max(days);
        Ok(Self { from, until: add_days(end, -1), next: end, days, whole })
    }

    /// The first day of the whole period that this is a part of.
    pub(crate) fn begin(&self) -> Date {
        add_days(self.next, self.whole.saturating_neg())
    }

    /// The whole period that this is a part of.
    pub(crate) fn expand_to_whole(&self) -> Self {
        Self { from: self.begin(), days: self.whole, ..*self }
    }

    /// The cost of the period, by the days: of a price for one billing period, every so many of which are billed. Half a
    /// minor unit is rounded up.
    pub(crate) fn cost_of(&self, price: &Money, frequency: i32) -> Money {
        let full = price.amount.saturating_mul(i64::from(frequency.max(1)));
        in_same_currency(price, cost_of_rest(full, self.days, self.whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::BillingPeriod;
    use pavise_kernel::time::{from_days, is_real};
    use proptest::prelude::*;

    fn day(month: i32, day: i32) -> Date {
        Date { year: 2026, month, day }
    }

    fn monthly(next_bill_on: Date, cycle_day: i32) -> Subscription {
        Subscription {
            status: SubscriptionStatus::Active.into(),
            vendor: VendorType::Atlas.into(),
            billing_period: BillingPeriod::Monthly.into(),
            billing_frequency: 1,
            bill_cycle_day: cycle_day,
            next_bill_on: Some(next_bill_on),
            ..Subscription::default()
        }
    }

    fn cost(period: &Period, amount: i64) -> i64 {
        period.cost_of(&Money { currency: 1, amount }, 1).amount
    }

    #[test]
    fn a_whole_period_costs_its_price_and_a_cut_one_its_days() {
        let whole = Period::from_day(&monthly(day(1, 31), 31), day(1, 31)).unwrap();
        assert_eq!((whole.until, whole.next, cost(&whole, 2995)), (day(2, 27), day(2, 28), 2995));
        let ending = Subscription { scheduled_cancel_on: Some(day(4, 11)), ..monthly(day(4, 1), 1) };
        let cut = Period::from_day(&ending, day(4, 1)).unwrap();
        assert_eq!((cut.until, cut.next, cost(&cut, 3000)), (day(4, 10), day(4, 11), 1000));
        // The end was taken back: the other twenty days.
        let rest = Period::from_day(&monthly(day(4, 11), 1), day(4, 11)).unwrap();
        assert_eq!((rest.until, rest.next, cost(&rest, 3000)), (day(4, 30), day(5, 1), 2000));
        assert_eq!(whole.cost_of(&Money { currency: 1, amount: 100 }, 3).amount, 300, "three periods at once");
    }

    #[test]
    fn only_what_the_platform_bills_has_a_day() {
        let billed = monthly(day(3, 1), 1);
        assert_eq!(find_bills_on(&billed), Some(day(3, 1)));
        let none = |change: &dyn Fn(&mut Subscription)| {
            let mut subscription = billed.clone();
            change(&mut subscription);
            assert_eq!(find_bills_on(&subscription), None, "{subscription:?}");
        };
        none(&|one| one.set_status(SubscriptionStatus::Suspended));
        none(&|one| one.set_status(SubscriptionStatus::PendingCancel));
        none(&|one| one.set_status(SubscriptionStatus::Cancelled));
        none(&|one| one.set_vendor(VendorType::Iseries));
        none(&|one| one.set_collection(crate::contract::v1::Collection::Group));
        none(&|one| one.set_billing_period(BillingPeriod::PayPeriod));
        none(&|one| one.delinquent_since = Some(day(2, 8)));
        none(&|one| one.scheduled_cancel_on = Some(day(3, 1)));
        none(&|one| one.next_bill_on = None);
        for status in [SubscriptionStatus::CatchingUp, SubscriptionStatus::Precancel] {
            let billed = Subscription { status: status.into(), ..billed.clone() };
            assert_eq!(find_bills_on(&billed), Some(day(3, 1)), "{status:?}");
        }
    }

    proptest! {
        /// From any day on, in any cycle, with an end set and taken back now and then: each day is billed once. The
        /// oracle counts the days one by one.
        #[test]
        fn periods_neither_overlap_nor_leave_a_gap(
            start in 0_i64..40_000, cycle_day in 1_i32..=31, frequency in 1_i32..=6,
            period in proptest::sample::select(vec![
                BillingPeriod::Daily, BillingPeriod::Weekly, BillingPeriod::Monthly, BillingPeriod::Quarterly,
                BillingPeriod::Biannual, BillingPeriod::Annual,
            ]),
            ends in proptest::collection::vec(proptest::option::of(1_i64..400), 1..24),
        ) {
            let first = from_days(start);
            let mut subscription = Subscription {
                billing_period: period.into(), billing_frequency: frequency, ..monthly(first, cycle_day)
            };
            let mut billed: Vec<i64> = Vec::new();
            for end in ends {
                let from = subscription.next_bill_on.unwrap();
                subscription.scheduled_cancel_on = end.map(|after| add_days(from, after));
                let made = Period::from_day(&subscription, find_bills_on(&subscription).unwrap()).unwrap();
                prop_assert!(is_real(made.until) && to_days(made.until) >= to_days(made.from));
                billed.extend(to_days(made.from)..=to_days(made.until));
                let price = made.cost_of(&Money { currency: 1, amount: 2995 }, 1).amount;
                prop_assert!((0..=2995).contains(&price));
                subscription.next_bill_on = Some(made.next);
            }
            let expected: Vec<i64> = (start..to_days(subscription.next_bill_on.unwrap())).collect();
            prop_assert_eq!(billed, expected);
        }
    }
}
