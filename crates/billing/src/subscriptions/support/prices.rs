//! The prices of a subscription's items.

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

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Money;

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
