//! Replaces the discounts of the next bills of a subscription.

use pavise_kernel::{Edit, EditContext, Error, Result};

use crate::contract::v1::{Subscription, SubscriptionDiscount, UpdateSubscriptionDiscountsRequest};
use crate::shared::money;

impl Edit<UpdateSubscriptionDiscountsRequest> for Subscription {
    fn edit(&mut self, request: &UpdateSubscriptionDiscountsRequest, _context: &EditContext) -> Result<()> {
        let price = self.items.iter().find_map(|item| item.price);
        for (at, discount) in request.discounts.iter().enumerate() {
            check_discount(&format!("discounts[{at}]"), discount)?;
            if let (Some(price), Some(amount)) = (price, &discount.amount) {
                money::check_currency("subscription", price.currency, amount)?;
            }
        }
        self.discounts.clone_from(&request.discounts);
        Ok(())
    }
}

/// A discount has an amount or a rate, and lowers something.
fn check_discount(field: &str, discount: &SubscriptionDiscount) -> Result<()> {
    match (&discount.amount, discount.rate_ppm) {
        (None, 0) => Err(Error::field(format!("{field}.rate_ppm"), "is required without an amount")),
        (Some(_), rate) if rate != 0 => {
            Err(Error::field(format!("{field}.rate_ppm"), "does not go together with an amount"))
        }
        (Some(amount), _) => money::check_positive(&format!("{field}.amount"), Some(*amount)).map(|_| ()),
        (None, _) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::{ErrorReason, SubscriptionItem};
    use pavise_kernel::common::v1::Money;

    #[test]
    fn a_discount_is_an_amount_or_a_rate() {
        let set = |amount: Option<Money>, rate_ppm: i32| {
            let price = Some(Money { currency: 1, amount: 2995 });
            let items = vec![SubscriptionItem { price, ..SubscriptionItem::default() }];
            let mut one = Subscription { items, ..Subscription::default() };
            let discount = SubscriptionDiscount { name: "gift".to_owned(), amount, rate_ppm, periods_left: 3 };
            let request = UpdateSubscriptionDiscountsRequest { discounts: vec![discount], ..Default::default() };
            one.edit(&request, &EditContext::at(0)).map(|()| one.discounts.len())
        };
        let money = |currency: i32, amount: i64| Some(Money { currency, amount });
        assert_eq!(set(money(1, 500), 0).unwrap(), 1);
        assert_eq!(set(None, 1_000_000).unwrap(), 1);
        assert!(set(money(1, 500), 1).is_err() && set(None, 0).is_err() && set(money(1, 0), 0).is_err());
        assert!(set(money(2, 500), 0).unwrap_err().is(ErrorReason::CurrencyMismatch));
    }
}
