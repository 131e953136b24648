//! Bills a subscription in another billing period, or every so many of them.

use std::collections::BTreeSet;

use pavise_kernel::common::v1::BillingPeriod;
use pavise_kernel::{Call, Error, Result};

use super::support::catalog_prices::price_items;
use super::support::change_request::{ChangeRequest, is_begun, make_change};
use super::support::change_start::check_none_in_progress;
use super::support::prices::check_prices;
use crate::contract::v1::{
    Subscription, SubscriptionChange, SubscriptionItem, UpdateSubscriptionBillingFrequencyRequest,
};

/// Sets period and frequency, at the time that the request names.
pub(crate) async fn update_subscription_billing_frequency(
    call: &Call,
    mut request: UpdateSubscriptionBillingFrequencyRequest,
) -> Result<Subscription> {
    // A repeat goes on with the change that it began, at the prices of that time.
    if !is_begun(call).await? {
        let before: Subscription = call.get(&request.subscription_id).await?;
        request.items = price_items(call, &before, "", &request.items, request.billing_period()).await?;
    }
    let change = ChangeRequest {
        subscription_id: &request.subscription_id,
        time: request.time(),
        on: request.on,
        expected_total: request.expected_total,
    };
    if change.is_without_time()? {
        let set = |subscription: &mut Subscription| {
            check_none_in_progress(subscription)?;
            // A change that waits was asked for before this one.
            subscription.change = None;
            set_frequency(subscription, &request)
        };
        return call.change::<Subscription>(&request.subscription_id, set).await;
    }
    let complete = |before: &Subscription| {
        let mut after = before.clone();
        set_frequency(&mut after, &request)?;
        Ok(SubscriptionChange {
            offer_id: after.offer_id,
            items: after.items,
            billing_period: after.billing_period,
            billing_frequency: after.billing_frequency,
            ..SubscriptionChange::default()
        })
    };
    make_change(call, change, complete).await
}

/// Sets period and frequency. A price is that of a billing period, so that another period needs other prices.
fn set_frequency(subscription: &mut Subscription, request: &UpdateSubscriptionBillingFrequencyRequest) -> Result<()> {
    let (before, after) = (subscription.billing_period(), request.billing_period());
    if before == after {
        if !request.items.is_empty() {
            return Err(Error::field("items", "go with another billing period only"));
        }
    } else {
        if [before, after].contains(&BillingPeriod::PayPeriod) {
            let message = "a payroll's days are its own: end this one and make another";
            return Err(Error::field("billing_period", message));
        }
        check_same_items(subscription, &request.items)?;
        check_prices(&request.items)?;
        subscription.items.clone_from(&request.items);
        subscription.set_billing_period(after);
    }
    subscription.billing_frequency = request.billing_frequency;
    Ok(())
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
        set_frequency(&mut subscription, &request).map(|()| subscription)
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
