//! The prices of a subscription's items.

use pavise_kernel::common::v1::Money;
use pavise_kernel::{Error, Result};

use crate::contract::v1::SubscriptionItem;
use crate::shared::money;

/// Refuses negative prices and prices in more than one currency.
pub(crate) fn check_prices(items: &[SubscriptionItem]) -> Result<()> {
    let currency = items.first().and_then(|item| item.price).map_or(0, |price| price.currency);
    for (at, price) in items.iter().enumerate().filter_map(|(at, item)| Some((at, item.price?))) {
        money::check_currency("subscription", currency, &price)?;
        if price.amount < 0 {
            return Err(Error::field(format!("items[{at}].price.amount"), "must be zero or more"));
        }
    }
    Ok(())
}

/// The prices of the items for so many billing periods. `None` without items.
pub(crate) fn sum_prices(items: &[SubscriptionItem], frequency: i32) -> Option<Money> {
    let prices = items.iter().filter_map(|item| item.price);
    let sum =
        prices.reduce(|sum: Money, price| money::in_same_currency(&sum, sum.amount.saturating_add(price.amount)))?;
    Some(money::in_same_currency(&sum, sum.amount.saturating_mul(i64::from(frequency.max(1)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_summed_for_the_periods_that_are_billed_at_once() {
        let item =
            |amount| SubscriptionItem { price: Some(Money { currency: 1, amount }), ..SubscriptionItem::default() };
        let sum = |frequency| sum_prices(&[item(2995), item(500)], frequency).map(|sum| sum.amount);
        assert_eq!((sum(0), sum(1), sum(3)), (Some(3495), Some(3495), Some(10_485)));
        assert_eq!(sum_prices(&[], 1), None);
    }

    #[test]
    fn prices_are_in_one_currency_and_not_negative() {
        let item = |currency, amount| SubscriptionItem {
            price: Some(Money { currency, amount }),
            ..SubscriptionItem::default()
        };
        check_prices(&[item(1, 0), item(1, 100)]).unwrap();
        assert!(check_prices(&[item(1, 100), item(2, 100)]).is_err());
        assert!(check_prices(&[item(1, -100)]).is_err());
    }
}
