//! Bills a subscription in another billing period, or every so many of them.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Edit, EditContext, Error, Result};

use super::support::prices::check_prices;
use crate::contract::v1::{Subscription, SubscriptionItem, UpdateSubscriptionBillingFrequencyRequest};

impl Edit<UpdateSubscriptionBillingFrequencyRequest> for Subscription {
    /// Sets period and frequency. A price is that of a billing period, so that another period needs other prices.
    fn edit(&mut self, request: &UpdateSubscriptionBillingFrequencyRequest, _context: &EditContext) -> Result<()> {
        let (before, after) = (self.billing_period(), request.billing_period());
        if before == after {
            if !request.items.is_empty() {
                return Err(Error::field("items", "go with another billing period only"));
            }
        } else {
            if [before, after].contains(&BillingPeriod::PayPeriod) {
                let message = "a payroll's days are its own: end this one and make another";
                return Err(Error::field("billing_period", message));
            }
            check_same_items(self, &request.items)?;
            check_prices(&request.items)?;
            self.items.clone_from(&request.items);
            self.set_billing_period(after);
        }
        self.billing_frequency = request.billing_frequency;
        Ok(())
    }
}

/// Requires the items of the subscription, in its currency; only their prices may differ.
fn check_same_items(subscription: &Subscription, items: &[SubscriptionItem]) -> Result<()> {
    let identify = |items: &[SubscriptionItem]| -> BTreeSet<(i32, String, String, String)> {
        let identify = |item: &SubscriptionItem| {
            (item.r#type, item.product_id.clone(), item.tier_id.clone(), item.supplement_id.clone())
        };
        items.iter().map(identify).collect()
    };
    if items.len() != subscription.items.len() || identify(items) != identify(&subscription.items) {
        let before = subscription.billing_period().spelling();
        let message = format!("its prices are {before}: name the same items with the prices of the new period");
        return Err(Error::field("items", message));
    }
    let currency = |items: &[SubscriptionItem]| items.first().and_then(|item| item.price).map(|price| price.currency);
    if currency(items) != currency(&subscription.items) {
        return Err(Error::field("items[0].price.currency", "is not the currency of the subscription"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::{Currency, Money};

    fn item(product: &str, amount: i64) -> SubscriptionItem {
        let price = Some(Money { currency: Currency::Usd.into(), amount });
        SubscriptionItem { product_id: product.to_owned(), price, ..SubscriptionItem::default() }
    }

    fn change(period: BillingPeriod, items: Vec<SubscriptionItem>) -> Result<Subscription> {
        let mut subscription = Subscription {
            billing_period: BillingPeriod::Monthly.into(),
            billing_frequency: 1,
            items: vec![item("legal", 2995), item("identity", 1495)],
            ..Subscription::default()
        };
        let billing_period = period.into();
        let request = UpdateSubscriptionBillingFrequencyRequest {
            billing_period,
            billing_frequency: 2,
            items,
            ..Default::default()
        };
        subscription.edit(&request, &EditContext::at(0)).map(|()| subscription)
    }

    #[test]
    fn another_period_needs_its_prices_for_the_same_items() {
        let annual = vec![item("identity", 14900), item("legal", 29900)];
        let changed = change(BillingPeriod::Annual, annual.clone()).unwrap();
        assert_eq!((changed.billing_period(), changed.billing_frequency), (BillingPeriod::Annual, 2));
        assert_eq!(changed.items, annual);
        let monthly = change(BillingPeriod::Monthly, Vec::new()).unwrap();
        assert_eq!((monthly.billing_frequency, monthly.items[0].price), (2, item("legal", 2995).price));
        let field = |period, items| change(period, items).unwrap_err().violations()[0].field.clone();
        assert_eq!(field(BillingPeriod::Annual, Vec::new()), "items");
        assert_eq!(field(BillingPeriod::Annual, vec![item("legal", 29900)]), "items");
        assert_eq!(field(BillingPeriod::Annual, vec![item("legal", 1), item("legal", 2)]), "items");
        assert_eq!(field(BillingPeriod::Monthly, annual.clone()), "items");
        assert_eq!(field(BillingPeriod::PayPeriod, annual.clone()), "billing_period");
        let mut canadian = annual;
        for item in &mut canadian {
            item.price = Some(Money { currency: Currency::Cad.into(), amount: 1 });
        }
        assert_eq!(field(BillingPeriod::Annual, canadian), "items[0].price.currency");
    }
}
