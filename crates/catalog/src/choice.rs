//! Proposals of the shop: the cheapest tier, the cheapest product of a group, tiers by price (001 §1, §9; 002 §9).

use std::cmp::Reverse;

use pavise_kernel::common::v1::{BillingPeriod, CountryCode, Currency, Date, RegionCode};

use crate::contract::v1::{Offer, Price, Product, Tier};
use crate::place::{self, Sold};
use crate::price::{Terms, find_price, initial_amount, renewal_amount};

/// The tiers that a buyer looks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct TierWish<'a> {
    /// A tier of that name is preferred to any other; empty for none.
    pub preferred_name: &'a str,
    /// Only tiers whose name includes 3B.
    pub only_3b: bool,
}

/// The cheapest tier by monthly initial list price. Tiers of the preferred name come first. Of several that cost the
/// same, the first is taken (002 §9).
#[must_use]
pub fn find_cheapest_tier<'a>(
    tiers: &'a [Tier],
    wish: TierWish<'_>,
    currency: Currency,
    day: Date,
) -> Option<&'a Tier> {
    let terms = Terms { billing_period: BillingPeriod::Monthly, currency, day };
    let priced = tiers.iter().filter(|tier| !wish.only_3b || tier.name.contains("3B"));
    let priced = priced.filter_map(|tier| find_price(&tier.prices, terms).map(|price| (tier, initial_amount(price))));
    let preferred = |tier: &Tier| !wish.preferred_name.is_empty() && tier.name == wish.preferred_name;
    priced.min_by_key(|(tier, amount)| (Reverse(preferred(tier)), *amount)).map(|(tier, _)| tier)
}

/// The cheapest product of a group, by the monthly initial list price of its cheapest tier. It must be sold in the
/// region, if one is given (002 §9).
#[must_use]
pub fn find_cheapest_product<'a>(
    products: &'a [Product],
    group: &str,
    region: RegionCode,
    currency: Currency,
    day: Date,
) -> Option<&'a Product> {
    let terms = Terms { billing_period: BillingPeriod::Monthly, currency, day };
    let least = |product: &Product| {
        product.tiers.iter().filter_map(|tier| find_price(&tier.prices, terms)).map(initial_amount).min()
    };
    let of_group = products.iter().filter(|product| product.product_group == group && is_sold_in(product, region));
    of_group
        .filter_map(|product| Some((product, least(product)?)))
        .min_by_key(|(_, amount)| *amount)
        .map(|(product, _)| product)
}

/// The first product of a group that one of the offers sells in a tier of that name. The offer must be sold in the
/// region, if one is given (001 §1).
#[must_use]
pub fn find_product<'a>(
    offers: &'a [Offer],
    products: &'a [Product],
    group: &str,
    tier_name: &str,
    region: RegionCode,
) -> Option<(&'a Offer, &'a Product, &'a Tier)> {
    let offers = offers
        .iter()
        .filter(|offer| region == RegionCode::Unspecified || place::check_offer_place(offer, region) == Sold::Here);
    offers.flat_map(|offer| offer.products.iter().map(move |offered| (offer, offered))).find_map(|(offer, offered)| {
        let product =
            products.iter().find(|product| product.id == offered.product_id && product.product_group == group)?;
        let sold = |tier: &&Tier| offered.tier_ids.is_empty() || offered.tier_ids.contains(&tier.id);
        let tier = product.tiers.iter().filter(sold).find(|tier| tier.name == tier_name)?;
        Some((offer, product, tier))
    })
}

/// The price by which tiers are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The price of the first period.
    Initial,
    /// The price of each later period.
    Renewal,
}

/// The buyers for whom tiers are listed.
#[derive(Debug, Clone, Copy)]
pub struct Audience<'a> {
    /// The country.
    pub country: CountryCode,
    /// The market; empty for any.
    pub market: &'a str,
    /// The region; unspecified for any.
    pub region: RegionCode,
}

/// A tier with its product and its price.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PricedTier<'a> {
    /// The product.
    pub product: &'a Product,
    /// The tier.
    pub tier: &'a Tier,
    /// The price in force.
    pub price: &'a Price,
}

/// The tiers of the products sold to the audience that have a price on those terms, by ascending price. Tiers that cost
/// the same keep the order of the products (001 §9).
#[must_use]
pub fn list_tiers_by_price<'a>(
    products: &'a [Product],
    terms: Terms,
    order: Order,
    audience: Audience<'_>,
) -> Vec<PricedTier<'a>> {
    let sold = products.iter().filter(|product| is_sold_to(product, audience));
    let mut tiers: Vec<_> = sold
        .flat_map(|product| product.tiers.iter().map(move |tier| (product, tier)))
        .filter_map(|(product, tier)| Some(PricedTier { product, tier, price: find_price(&tier.prices, terms)? }))
        .collect();
    tiers.sort_by_key(|one| match order {
        Order::Initial => initial_amount(one.price),
        Order::Renewal => renewal_amount(one.price),
    });
    tiers
}

fn is_sold_to(product: &Product, audience: Audience<'_>) -> bool {
    let country = product.countries.is_empty() || product.countries().any(|one| one == audience.country);
    let market = audience.market.is_empty()
        || product.markets.is_empty()
        || product.markets.iter().any(|one| one == audience.market);
    country && market && is_sold_in(product, audience.region)
}

fn is_sold_in(product: &Product, region: RegionCode) -> bool {
    region == RegionCode::Unspecified || place::check_product_place(product, region) == Sold::Here
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::v1::OfferProduct;
    use crate::sample::{DAY, monthly, product, tier};

    fn names<'a>(tiers: impl IntoIterator<Item = &'a Tier>) -> Vec<&'a str> {
        tiers.into_iter().map(|tier| tier.name.as_str()).collect()
    }

    #[test]
    fn the_cheapest_tier_has_the_lowest_monthly_initial_price() {
        let tiers = [tier("Family", 3495), tier("Individual", 2995), tier("Same", 2995)];
        let cheapest = find_cheapest_tier(&tiers, TierWish::default(), Currency::Usd, DAY).unwrap();
        assert_eq!(cheapest.name, "Individual");
        assert!(find_cheapest_tier(&tiers, TierWish::default(), Currency::Cad, DAY).is_none());
    }

    #[test]
    fn a_tier_of_the_preferred_name_wins_over_a_cheaper_one() {
        let tiers = [tier("Individual", 2995), tier("Family", 3495), tier("Family", 3295)];
        let wish = TierWish { preferred_name: "Family", only_3b: false };
        let found = find_cheapest_tier(&tiers, wish, Currency::Usd, DAY).unwrap();
        assert_eq!(initial_amount(&found.prices[0]), 3295);
        let wish = TierWish { preferred_name: "Nobody", only_3b: false };
        assert_eq!(find_cheapest_tier(&tiers, wish, Currency::Usd, DAY).unwrap().name, "Individual");
    }

    #[test]
    fn the_flag_keeps_only_tiers_with_3b_in_their_name() {
        let tiers = [tier("Individual", 100), tier("Family 3B", 300), tier("3B Individual", 200)];
        let wish = TierWish { preferred_name: "Individual", only_3b: true };
        assert_eq!(find_cheapest_tier(&tiers, wish, Currency::Usd, DAY).unwrap().name, "3B Individual");
        assert!(find_cheapest_tier(&tiers[..1], wish, Currency::Usd, DAY).is_none());
    }

    #[test]
    fn the_cheapest_product_of_a_group_is_looked_for_where_it_is_sold() {
        let mut cheap = product("cheap", vec![tier("Individual", 1000)]);
        cheap.countries = vec![CountryCode::Can.into()];
        let products = [product("dear", vec![tier("Individual", 3000), tier("Family", 2000)]), cheap];
        let find =
            |region| find_cheapest_product(&products, "legal-plan", region, Currency::Usd, DAY).unwrap().id.as_str();
        assert_eq!(find(RegionCode::Unspecified), "cheap");
        assert_eq!(find(RegionCode::On), "cheap");
        assert_eq!(find(RegionCode::Tx), "dear");
        assert!(find_cheapest_product(&products, "other", RegionCode::Tx, Currency::Usd, DAY).is_none());
    }

    #[test]
    fn tiers_are_listed_by_ascending_price_and_only_with_a_price() {
        let mut unpriced = tier("Unpriced", 1);
        unpriced.prices.clear();
        let products = [
            product("a", vec![tier("Family", 3000), unpriced, tier("Individual", 1000)]),
            product("b", vec![tier("Other", 2000)]),
        ];
        let audience = Audience { country: CountryCode::Usa, market: "consumer", region: RegionCode::Unspecified };
        let listed = list_tiers_by_price(&products, monthly(), Order::Initial, audience);
        assert_eq!(names(listed.iter().map(|one| one.tier)), ["Individual", "Other", "Family"]);
    }

    #[test]
    fn renewal_prices_have_an_order_of_their_own() {
        let mut rising = tier("Rising", 1000);
        rising.prices[0].renewal.as_mut().unwrap().amount = 9000;
        let products = [product("a", vec![rising, tier("Steady", 2000)])];
        let audience = Audience { country: CountryCode::Usa, market: "", region: RegionCode::Unspecified };
        let listed = |order| list_tiers_by_price(&products, monthly(), order, audience);
        assert_eq!(names(listed(Order::Initial).iter().map(|one| one.tier)), ["Rising", "Steady"]);
        assert_eq!(names(listed(Order::Renewal).iter().map(|one| one.tier)), ["Steady", "Rising"]);
    }

    #[test]
    fn tiers_are_listed_only_where_and_to_whom_they_are_sold() {
        let mut business = product("business", vec![tier("Any", 1)]);
        business.markets = vec!["business".to_owned()];
        let mut canadian = product("canadian", vec![tier("Any", 1)]);
        canadian.countries = vec![CountryCode::Can.into()];
        let products = [business, canadian];
        let listed = |country, market| {
            list_tiers_by_price(
                &products,
                monthly(),
                Order::Initial,
                Audience { country, market, region: RegionCode::Unspecified },
            )
            .len()
        };
        assert_eq!(listed(CountryCode::Usa, "business"), 1);
        assert_eq!(listed(CountryCode::Usa, "consumer"), 0);
        assert_eq!(listed(CountryCode::Can, "consumer"), 1);
        assert_eq!(listed(CountryCode::Can, ""), 2);
    }

    #[test]
    fn a_product_is_found_in_offers_by_group_and_tier_name() {
        let products = [product("legal", vec![tier("Individual", 1), tier("Family", 2)])];
        let offered = |tiers: &[&str]| OfferProduct {
            product_id: "legal".to_owned(),
            tier_ids: tiers.iter().map(|&id| id.to_owned()).collect(),
            ..OfferProduct::default()
        };
        let individual = Offer { id: "one".to_owned(), products: vec![offered(&["Individual"])], ..Offer::default() };
        let all = Offer {
            id: "all".to_owned(),
            products: vec![offered(&[])],
            available_localities: vec![RegionCode::Tx.into()],
            ..Offer::default()
        };
        let offers = [individual, all];
        let find = |tier_name, region| {
            find_product(&offers, &products, "legal-plan", tier_name, region).map(|(offer, _, _)| offer.id.as_str())
        };
        assert_eq!(find("Individual", RegionCode::Unspecified), Some("one"));
        assert_eq!(find("Family", RegionCode::Unspecified), Some("all"));
        assert_eq!(find("Family", RegionCode::Tx), Some("all"));
        assert_eq!(find("Family", RegionCode::Ny), None);
    }
}
