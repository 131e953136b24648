//! The discounts of a bill.

use crate::contract::v1::{InvoiceItem, ItemType, Recurrence, SubscriptionDiscount};
use crate::shared::money;

/// Parts per million of a whole.
const WHOLE_PPM: i128 = 1_000_000;

/// The discounts of a bill.
#[derive(Debug)]
pub(crate) struct DiscountedItems {
    /// An item for each discount and each item that it lowers. So each product has its discount, and a period that is given
    /// back in part gives back what was charged.
    pub(crate) items: Vec<InvoiceItem>,
    /// The amount of each item that is left to be charged and taxed.
    pub(crate) rests: Vec<i64>,
}

/// Takes the discounts off the items, in the discounts' order. Nothing is lowered below zero.
pub(crate) fn lower_items(items: &[InvoiceItem], discounts: &[SubscriptionDiscount]) -> DiscountedItems {
    let mut rests: Vec<i64> = items.iter().map(|item| money::to_minor_units(item.amount.as_ref())).collect();
    let mut lowered = Vec::new();
    for discount in discounts {
        let shares = match &discount.amount {
            Some(amount) => split_amount(amount.amount, &rests),
            None => rests.iter().map(|rest| rate_of(*rest, discount.rate_ppm)).collect(),
        };
        for ((item, rest), share) in items.iter().zip(&mut rests).zip(shares) {
            if share > 0 {
                *rest = rest.saturating_sub(share);
                lowered.push(build_discount_item(item, &discount.name, share));
            }
        }
    }
    DiscountedItems { items: lowered, rests }
}

/// Counts a bill: each discount has one period less, and ends with its last one.
pub(crate) fn use_discounts(discounts: &mut Vec<SubscriptionDiscount>) {
    for discount in discounts.iter_mut() {
        discount.periods_left = discount.periods_left.saturating_sub(1);
    }
    discounts.retain(|discount| discount.periods_left > 0);
}

/// A rate of an amount. Half a minor unit is rounded up.
fn rate_of(amount: i64, rate_ppm: i32) -> i64 {
    let share = (i128::from(amount) * i128::from(rate_ppm) * 2 + WHOLE_PPM).div_euclid(WHOLE_PPM * 2);
    i64::try_from(share).unwrap_or(i64::MAX).clamp(0, amount.max(0))
}

/// Splits an amount in proportion to the rests, to the cent: the shares sum up to it, or to all that is left.
fn split_amount(amount: i64, rests: &[i64]) -> Vec<i64> {
    let whole = rests.iter().map(|rest| i128::from(*rest)).sum::<i128>();
    let wanted = i128::from(amount.max(0)).min(whole);
    if whole < 1 {
        return vec![0; rests.len()];
    }
    let (mut sum, mut given) = (0_i128, 0_i128);
    let mut shares = Vec::with_capacity(rests.len());
    for rest in rests {
        sum += i128::from(*rest);
        let so_far = (wanted * sum * 2 + whole).div_euclid(whole * 2);
        shares.push(i64::try_from(so_far - given).unwrap_or_default());
        given = so_far;
    }
    shares
}

fn build_discount_item(item: &InvoiceItem, name: &str, share: i64) -> InvoiceItem {
    InvoiceItem {
        r#type: ItemType::Discount.into(),
        amount: item.amount.as_ref().map(|amount| money::in_same_currency(amount, share.saturating_neg())),
        description: name.chars().take(200).collect(),
        recurrence: Recurrence::OneTime.into(),
        product_type: item.product_type,
        product_id: item.product_id.clone(),
        tier_id: item.tier_id.clone(),
        supplement_id: item.supplement_id.clone(),
        offer_id: item.offer_id.clone(),
        subscription_id: item.subscription_id.clone(),
        ..InvoiceItem::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pavise_kernel::common::v1::Money;
    use proptest::prelude::*;

    fn usd(amount: i64) -> Option<Money> {
        Some(Money { currency: 1, amount })
    }

    fn item(product: &str, amount: i64) -> InvoiceItem {
        InvoiceItem { product_id: product.to_owned(), amount: usd(amount), ..InvoiceItem::default() }
    }

    fn rate(rate_ppm: i32) -> SubscriptionDiscount {
        SubscriptionDiscount { name: "rate".to_owned(), rate_ppm, periods_left: 1, ..Default::default() }
    }

    fn amount(amount: i64) -> SubscriptionDiscount {
        SubscriptionDiscount { name: "amount".to_owned(), amount: usd(amount), periods_left: 2, ..Default::default() }
    }

    #[test]
    fn each_product_has_its_discount_and_they_count_down() {
        let items = [item("legal", 2995), item("identity", 1495)];
        let lowered = lower_items(&items, &[rate(500_000), amount(1000)]);
        let amounts: Vec<_> = lowered.items.iter().map(|one| (one.product_id.as_str(), one.amount)).collect();
        // Half of 29.95 is 14.98; the ten dollars go by what is left: 14.97 and 7.47.
        let expected = [("legal", usd(-1498)), ("identity", usd(-748)), ("legal", usd(-667)), ("identity", usd(-333))];
        assert_eq!(amounts, expected);
        assert_eq!(lowered.rests, [830, 414]);
        let free = lower_items(&items, &[rate(1_000_000), amount(1000)]);
        assert_eq!((free.rests, free.items.len()), (vec![0, 0], 2), "nothing is left to lower");
        let mut discounts = vec![rate(1), amount(1)];
        use_discounts(&mut discounts);
        assert_eq!((discounts.len(), discounts[0].periods_left), (1, 1));
    }

    proptest! {
        /// The oracle is the sum: an amount is given whole, or until nothing is left, and no item is paid for.
        #[test]
        fn an_amount_is_given_to_the_cent(wanted in 0_i64..100_000, prices in proptest::collection::vec(0_i64..50_000, 1..8)) {
            let whole: i64 = prices.iter().sum();
            let shares = split_amount(wanted, &prices);
            prop_assert_eq!(shares.iter().sum::<i64>(), wanted.min(whole));
            for (share, price) in shares.iter().zip(&prices) {
                prop_assert!((0..=*price).contains(share), "{} of {}", share, price);
            }
        }
    }
}
