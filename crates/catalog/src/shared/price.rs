//! List prices and the days on which they are in force.

use pavise_kernel::common::v1::{BillingPeriod, Currency, Date};
use pavise_kernel::time::to_days;

use crate::contract::v1::Price;

/// The terms of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terms {
    /// The billing period.
    pub(crate) billing_period: BillingPeriod,
    /// The currency.
    pub(crate) currency: Currency,
    /// The day on which the price must be in force.
    pub(crate) day: Date,
}

/// The price in force on those terms. A stored product has at most one.
pub(crate) fn find_price(prices: &[Price], terms: Terms) -> Option<&Price> {
    prices.iter().find(|price| {
        price.billing_period() == terms.billing_period
            && currency_of(price) == terms.currency
            && is_within(price.effective_from, price.effective_until, terms.day)
    })
}

/// The amount of the first period, in minor units.
pub(crate) fn initial_amount(price: &Price) -> i64 {
    price.initial.as_ref().map_or(0, |money| money.amount)
}

/// The amount of each later period, in minor units; zero for a price that is charged once.
pub(crate) fn renewal_amount(price: &Price) -> i64 {
    price.renewal.as_ref().map_or(0, |money| money.amount)
}

/// The currency of a price.
pub(crate) fn currency_of(price: &Price) -> Currency {
    price.initial.as_ref().map_or(Currency::Unspecified, |money| money.currency())
}

/// Whether a day lies between two others, both included. An end that is not set is open.
pub(crate) fn is_within(from: Option<Date>, until: Option<Date>, day: Date) -> bool {
    from.is_none_or(|from| to_days(from) <= to_days(day)) && until.is_none_or(|until| to_days(day) <= to_days(until))
}

/// Whether there is a day on which both prices are in force for the same billing period and currency.
pub(crate) fn has_common_day(one: &Price, other: &Price) -> bool {
    let starts_in_time = |a: &Price, b: &Price| {
        a.effective_from.zip(b.effective_until).is_none_or(|(from, until)| to_days(from) <= to_days(until))
    };
    one.billing_period() == other.billing_period()
        && currency_of(one) == currency_of(other)
        && starts_in_time(one, other)
        && starts_in_time(other, one)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::Money;
    use pavise_kernel::time::add_days;

    use super::*;

    const NEW_YEAR: Date = Date { year: 2026, month: 1, day: 1 };

    fn price(amount: i64, from: Option<Date>, until: Option<Date>) -> Price {
        let money = Some(Money { currency: Currency::Usd.into(), amount });
        Price {
            billing_period: BillingPeriod::Monthly.into(),
            initial: money,
            renewal: money,
            effective_from: from,
            effective_until: until,
        }
    }

    fn monthly(day: Date) -> Terms {
        Terms { billing_period: BillingPeriod::Monthly, currency: Currency::Usd, day }
    }

    #[test]
    fn a_new_price_takes_over_on_its_first_day() {
        let eve = add_days(NEW_YEAR, -1);
        let prices = [price(2495, None, Some(eve)), price(2995, Some(NEW_YEAR), None)];
        assert_eq!(find_price(&prices, monthly(eve)).map(initial_amount), Some(2495));
        assert_eq!(find_price(&prices, monthly(NEW_YEAR)).map(initial_amount), Some(2995));
    }

    #[test]
    fn another_currency_or_period_has_no_price() {
        let prices = [price(2495, None, None)];
        assert!(find_price(&prices, Terms { currency: Currency::Cad, ..monthly(NEW_YEAR) }).is_none());
        assert!(find_price(&prices, Terms { billing_period: BillingPeriod::Annual, ..monthly(NEW_YEAR) }).is_none());
    }

    #[test]
    fn prices_overlap_exactly_when_a_day_has_both() {
        let day = |n| add_days(NEW_YEAR, n);
        let bounds = [None, Some(0), Some(1), Some(2), Some(3)];
        for (from, until) in bounds.iter().flat_map(|from| bounds.map(|until| (*from, until))) {
            for (other_from, other_until) in bounds.iter().flat_map(|from| bounds.map(|until| (*from, until))) {
                let one = price(1, from.map(day), until.map(day));
                let other = price(2, other_from.map(day), other_until.map(day));
                let proper =
                    |from: Option<i64>, until: Option<i64>| from.zip(until).is_none_or(|(from, until)| from <= until);
                if !proper(from, until) || !proper(other_from, other_until) {
                    continue;
                }
                let both = |n| {
                    [&one, &other].iter().all(|price| is_within(price.effective_from, price.effective_until, day(n)))
                };
                assert_eq!(has_common_day(&one, &other), (-5..10).any(both), "{one:?} {other:?}");
            }
        }
    }
}
