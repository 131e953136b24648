//! Prices that are in force, or were.

use pavise_kernel::Result;
use pavise_kernel::common::v1::Date;
use pavise_kernel::time::to_days;

use crate::contract::v1::{ErrorReason, Price, Product};
use crate::shared::violations::Violations;

/// Checks that a change leaves each price that has begun as it is, but for a last day from today on. Tiers and
/// supplements that are removed take their prices with them.
///
/// # Errors
/// `PRICE_IN_FORCE`, with the tiers and supplements.
pub(in crate::products) fn check_begun_prices(before: &Product, after: &Product, today: Date) -> Result<()> {
    let mut wrong = Violations::default();
    for (at, tier) in after.tiers.iter().enumerate() {
        let known = before.tiers.iter().find(|known| known.id == tier.id);
        if known.is_some_and(|known| !keeps_begun(&known.prices, &tier.prices, today)) {
            wrong.add(format!("tiers[{at}].prices"), format!("the tier {} has a price that has begun", tier.id));
        }
    }
    for (at, one) in after.supplements.iter().enumerate() {
        let known = before.supplements.iter().find(|known| known.id == one.id);
        if known.is_some_and(|known| !keeps_begun(&known.prices, &one.prices, today)) {
            wrong.add(
                format!("supplements[{at}].prices"),
                format!("the supplement {} has a price that has begun", one.id),
            );
        }
    }
    wrong.refuse_as(ErrorReason::PriceInForce, "a price that is in force, or was, stays as it is")
}

/// Whether each price that has begun is still there.
fn keeps_begun(before: &[Price], after: &[Price], today: Date) -> bool {
    let begun = before.iter().filter(|price| price.effective_from.is_none_or(|from| to_days(from) <= to_days(today)));
    begun.into_iter().all(|price| after.iter().any(|kept| is_kept(price, kept, today)))
}

/// Whether a price is the same one. While it is in force, it may get another last day, from today on.
fn is_kept(price: &Price, kept: &Price, today: Date) -> bool {
    let is_coming = |until: Option<Date>| until.is_none_or(|until| to_days(until) >= to_days(today));
    let same = Price { effective_until: price.effective_until, ..*kept } == *price;
    let ends_alike = price.effective_until == kept.effective_until;
    same && (ends_alike || (is_coming(price.effective_until) && is_coming(kept.effective_until)))
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::add_days;

    use super::*;
    use crate::shared::sample::{DAY, price_in_usd, sample_price, sample_product, sample_supplement, sample_tier};

    fn between(from: Option<i64>, until: Option<i64>) -> Price {
        let day = |number: i64| add_days(DAY, number);
        Price { effective_from: from.map(day), effective_until: until.map(day), ..sample_price(100) }
    }

    fn may_become(before: &[Price], after: &[Price]) -> bool {
        let product = |prices: &[Price]| {
            let mut tier = sample_tier("family", 1);
            tier.prices = prices.to_vec();
            sample_product("legal", vec![tier])
        };
        check_begun_prices(&product(before), &product(after), DAY).is_ok()
    }

    #[test]
    fn a_price_in_force_only_gets_a_last_day() {
        let open = between(None, None);
        assert!(may_become(&[open], &[open]));
        assert!(!may_become(&[open], &[]));
        assert!(!may_become(&[open], &[Price { initial: price_in_usd(101), ..open }]));
        let shut = between(None, Some(0));
        let next = Price { initial: price_in_usd(101), ..between(Some(1), None) };
        assert!(may_become(&[open], &[shut, next]));
        assert!(!may_become(&[open], &[between(None, Some(-1))]), "today has its price");
        assert!(may_become(&[shut], &[open]), "the last day has not passed");
        assert!(!may_become(&[open], &[between(Some(-1), None)]), "it began before");
    }

    #[test]
    fn a_price_that_is_over_stays_and_one_to_come_is_free() {
        let over = between(Some(-9), Some(-1));
        assert!(may_become(&[over], &[over]));
        assert!(!may_become(&[over], &[]));
        assert!(!may_become(&[over], &[between(Some(-9), Some(-2))]));
        assert!(!may_become(&[over], &[between(Some(-9), None)]), "it does not begin again");
        assert!(may_become(&[between(Some(1), None)], &[]));
        assert!(may_become(&[between(Some(1), None)], &[between(Some(2), Some(3))]));
    }

    #[test]
    fn prices_of_supplements_count_too_and_removed_parts_take_theirs_along() {
        let mut before = sample_product("legal", vec![sample_tier("family", 1), sample_tier("single", 1)]);
        before.supplements = vec![sample_supplement("guns", 3)];
        let mut after = before.clone();
        let _ = after.tiers.pop();
        assert!(check_begun_prices(&before, &after, DAY).is_ok());
        after.supplements[0].prices.clear();
        let refused = check_begun_prices(&before, &after, DAY).unwrap_err();
        assert!(refused.is(ErrorReason::PriceInForce));
        assert_eq!(refused.violations()[0].field, "supplements[0].prices");
    }
}
