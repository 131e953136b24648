//! The selection rules against a recomputation by brute force, over thousands of small catalogs.

use std::collections::{BTreeMap, BTreeSet};

use pavise_kernel::common::v1::{BillingPeriod, Currency, Date, RegionCode};
use pavise_kernel::time::add_days;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::contract::v1::{
    OfferItemType, OfferProduct, OfferStatus, Price, ProductStatus, Restriction, RestrictionType, SalesChannelKind,
    Supplement, Tier, ValidateSelectionsRequest,
};
use crate::shared::sample::{DAY, price_in_usd};

const PRODUCTS: [&str; 3] = ["p0", "p1", "p2"];
const TIERS: [&str; 2] = ["t0", "t1"];
const SUPPLEMENTS: [&str; 2] = ["s0", "s1"];
const PLACES: [RegionCode; 3] = [RegionCode::Tx, RegionCode::Ny, RegionCode::On];
const PERIODS: [BillingPeriod; 2] = [BillingPeriod::Monthly, BillingPeriod::Annual];

/// Mostly everything, sometimes a part.
fn some<T: Clone + std::fmt::Debug + 'static>(of: &'static [T]) -> impl Strategy<Value = Vec<T>> {
    prop_oneof![7 => Just(Vec::new()), 1 => subsequence(of, 0..=of.len())]
}

fn owned(ids: Vec<&str>) -> Vec<String> {
    ids.into_iter().map(str::to_owned).collect()
}

fn day() -> impl Strategy<Value = Option<Date>> {
    prop_oneof![8 => Just(None), 1 => (-1_i64..=1).prop_map(|n| Some(add_days(DAY, n)))]
}

fn prices() -> impl Strategy<Value = Vec<Price>> {
    let price = |period: BillingPeriod| {
        (0_i64..3_000_000_000, 0_i64..3_000_000_000, day(), day(), prop::bool::weighted(0.9)).prop_map(
            move |(initial, renewal, from, until, there)| {
                let (initial, renewal) = (price_in_usd(initial), price_in_usd(renewal));
                there.then(|| Price {
                    billing_period: period.into(),
                    initial,
                    renewal,
                    effective_from: from,
                    effective_until: until,
                })
            },
        )
    };
    (price(BillingPeriod::Monthly), price(BillingPeriod::Annual))
        .prop_map(|(one, other)| one.into_iter().chain(other).collect())
}

fn restrictions() -> impl Strategy<Value = Vec<Restriction>> {
    let kind = select(&[RestrictionType::Allowed, RestrictionType::NotAllowed]);
    let one = (select(&PLACES), kind).prop_map(|(region, kind)| Restriction {
        id: "r".to_owned(),
        region: region.into(),
        r#type: kind.into(),
    });
    prop_oneof![8 => Just(Vec::new()), 1 => vec(one, 1..3)]
}

fn product(id: &'static str) -> impl Strategy<Value = Product> {
    let tier =
        |id: &'static str| prices().prop_map(move |prices| Tier { id: id.to_owned(), prices, ..Tier::default() });
    let supplement = |id: &'static str| {
        (prices(), restrictions(), some(&TIERS)).prop_map(move |(prices, restrictions, tiers)| Supplement {
            id: id.to_owned(),
            tier_ids: owned(tiers),
            prices,
            restrictions,
            ..Supplement::default()
        })
    };
    let status = prop_oneof![9 => Just(ProductStatus::Active), 1 => Just(ProductStatus::Inactive)];
    let parts = (tier("t0"), tier("t1"), supplement("s0"), supplement("s1"));
    (status, parts, restrictions(), some(&PRODUCTS), some(&PRODUCTS)).prop_map(
        move |(status, (t0, t1, s0, s1), restrictions, required, excluded)| Product {
            id: id.to_owned(),
            status: status.into(),
            tiers: vec![t0, t1],
            supplements: vec![s0, s1],
            restrictions,
            required_product_ids: owned(required),
            excluded_product_ids: owned(excluded),
            ..Product::default()
        },
    )
}

fn offer() -> impl Strategy<Value = Offer> {
    let status = prop_oneof![9 => Just(OfferStatus::AvailableForSale), 1 => Just(OfferStatus::Enrollable), 1 => Just(OfferStatus::NeedsReview)];
    let channel = prop_oneof![9 => Just(SalesChannelKind::D2c), 1 => Just(SalesChannelKind::Group)];
    let offered = |id: &'static str| {
        (some(&TIERS), some(&SUPPLEMENTS)).prop_map(move |(tiers, supplements)| OfferProduct {
            product_id: id.to_owned(),
            tier_ids: owned(tiers),
            supplement_ids: owned(supplements),
            ..OfferProduct::default()
        })
    };
    let products =
        (offered("p0"), offered("p1"), offered("p2")).prop_flat_map(|(a, b, c)| subsequence(vec![a, b, c], 2..=3));
    (status, channel, products, some(&PLACES), some(&PERIODS), day(), day(), some(&["g0"])).prop_map(
        |(status, channel, products, places, periods, valid_from, valid_until, groups)| Offer {
            status: status.into(),
            channel: channel.into(),
            products,
            available_localities: places.into_iter().map(i32::from).collect(),
            billing_periods: periods.into_iter().map(i32::from).collect(),
            valid_from,
            valid_until,
            group_ids: owned(groups),
            ..Offer::default()
        },
    )
}

fn request() -> impl Strategy<Value = ValidateSelectionsRequest> {
    let id = |known: &'static [&'static str]| prop_oneof![19 => select(known), 1 => Just("unknown")];
    let of = move |product: BoxedStrategy<&'static str>| {
        (product, id(&TIERS), vec(id(&SUPPLEMENTS), 0..3)).prop_map(|(product, tier, supplements)| {
            crate::shared::sample::sample_selection(product, tier, &supplements)
        })
    };
    let selection = move || of(id(&PRODUCTS).boxed());
    let apart = (of(Just("p0").boxed()), of(Just("p1").boxed())).prop_map(|(one, other)| vec![one, other]);
    let place = prop_oneof![1 => Just(RegionCode::Unspecified), 9 => select(&PLACES)];
    let group = prop_oneof![9 => Just(""), 1 => Just("g0"), 1 => Just("g1")];
    (prop_oneof![1 => vec(selection(), 0..4), 2 => vec(selection(), 1..2), 2 => apart], place, select(&PERIODS), group)
        .prop_map(|(selections, locality, period, group)| ValidateSelectionsRequest {
            selections,
            locality: locality.into(),
            billing_period: period.into(),
            currency: Currency::Usd.into(),
            group_id: group.to_owned(),
            ..ValidateSelectionsRequest::default()
        })
}

/// Every price of a catalog today, as a table: its key and its two amounts.
type Table = BTreeMap<(String, String, String, i32), (i64, i64)>;

fn table(products: &[Product]) -> Table {
    let mut table = Table::new();
    for product in products {
        let tiers = product.tiers.iter().map(|tier| (tier.id.clone(), String::new(), &tier.prices));
        let supplements =
            product.supplements.iter().map(|supplement| (String::new(), supplement.id.clone(), &supplement.prices));
        for (tier, supplement, prices) in tiers.chain(supplements) {
            for price in prices {
                let date = |date: Date| (date.year, date.month, date.day);
                if price.effective_from.is_some_and(|from| date(from) > date(DAY))
                    || price.effective_until.is_some_and(|until| date(until) < date(DAY))
                {
                    continue;
                }
                let amounts = (price.initial.unwrap().amount, price.renewal.unwrap().amount);
                table.insert((product.id.clone(), tier.clone(), supplement.clone(), price.billing_period), amounts);
            }
        }
    }
    table
}

/// The places among the three where restrictions let something be sold.
fn open(restrictions: &[Restriction]) -> BTreeSet<i32> {
    let allowed: BTreeSet<i32> =
        restrictions.iter().filter(|one| one.r#type() == RestrictionType::Allowed).map(|one| one.region).collect();
    let mut open: BTreeSet<i32> = if allowed.is_empty() { PLACES.map(i32::from).into() } else { allowed };
    for one in restrictions.iter().filter(|one| one.r#type() == RestrictionType::NotAllowed) {
        open.remove(&one.region);
    }
    open
}

/// The amounts of all lines if everything about the request is right, else nothing: written as one list of demands.
fn expected(offer: &Offer, products: &[Product], request: &ValidateSelectionsRequest) -> Option<Vec<(i64, i64)>> {
    let demand = |holds: bool| holds.then_some(());
    let at_home =
        |restrictions: &[Restriction]| restrictions.is_empty() || open(restrictions).contains(&request.locality);
    let date = |date: Date| (date.year, date.month, date.day);
    demand(!request.selections.is_empty())?;
    demand(
        offer.valid_from.is_none_or(|from| date(from) <= date(DAY))
            && offer.valid_until.is_none_or(|until| date(DAY) <= date(until)),
    )?;
    demand(offer.available_localities.is_empty() || offer.available_localities.contains(&request.locality))?;
    demand(offer.billing_periods.is_empty() || offer.billing_periods.contains(&request.billing_period))?;
    let of_group = offer.group_ids.contains(&request.group_id);
    match (offer.status(), offer.channel()) {
        (OfferStatus::Enrollable, _) | (OfferStatus::AvailableForSale, SalesChannelKind::Group) => demand(of_group)?,
        // A buyer who names a group buys in the channel of groups. This offer is not sold there.
        (OfferStatus::AvailableForSale, _) => demand(request.group_id.is_empty() && offer.group_ids.is_empty())?,
        _ => return None,
    }
    let chosen: Vec<&str> = request.selections.iter().map(|one| one.product_id.as_str()).collect();
    demand(chosen.iter().collect::<BTreeSet<_>>().len() == chosen.len())?;
    let table = table(products);
    let mut lines = Vec::new();
    for one in &request.selections {
        let offered = offer.products.iter().find(|offered| offered.product_id == one.product_id)?;
        let product = products
            .iter()
            .find(|product| product.id == one.product_id && product.status() == ProductStatus::Active)?;
        demand(at_home(&product.restrictions))?;
        demand(offered.tier_ids.is_empty() || offered.tier_ids.contains(&one.tier_id))?;
        demand(product.required_product_ids.iter().all(|id| chosen.contains(&id.as_str())))?;
        demand(!product.excluded_product_ids.iter().any(|id| *id != product.id && chosen.contains(&id.as_str())))?;
        lines.push(*table.get(&(product.id.clone(), one.tier_id.clone(), String::new(), request.billing_period))?);
        demand(one.supplement_ids.iter().collect::<BTreeSet<_>>().len() == one.supplement_ids.len())?;
        for id in &one.supplement_ids {
            let supplement = product.supplements.iter().find(|supplement| supplement.id == *id)?;
            demand(at_home(&supplement.restrictions))?;
            demand(offered.supplement_ids.is_empty() || offered.supplement_ids.contains(id))?;
            demand(supplement.tier_ids.is_empty() || supplement.tier_ids.contains(&one.tier_id))?;
            lines.push(*table.get(&(product.id.clone(), String::new(), id.clone(), request.billing_period))?);
        }
    }
    let total = |which: fn(&(i64, i64)) -> i64| lines.iter().map(|line| i128::from(which(line))).sum::<i128>();
    demand(
        total(|line| line.0) <= i128::from(pavise_kernel::money::LARGEST)
            && total(|line| line.1) <= i128::from(pavise_kernel::money::LARGEST),
    )?;
    Some(lines)
}

#[test]
fn a_choice_is_valid_and_costs_exactly_what_brute_force_says() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 10_000, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    );
    let counts = std::cell::Cell::new((0_u32, 0_u32));
    let catalog = (offer(), product("p0"), product("p1"), product("p2"), request());
    runner
        .run(&catalog, |(offer, p0, p1, p2, request)| {
            let products = [p0, p1, p2];
            let answer = validate_wish(&offer, &products, &Wish::from_request(&request, DAY));
            let expected = expected(&offer, &products, &request);
            prop_assert_eq!(answer.valid, expected.is_some(), "{:?}", answer.problems);
            prop_assert_eq!(answer.valid, answer.problems.is_empty());
            let amounts: Vec<(i64, i64)> = answer
                .lines
                .iter()
                .map(|line| (line.initial_price.unwrap().amount, line.renewal_price.unwrap().amount))
                .collect();
            let sum = |which: fn(&(i64, i64)) -> i64| amounts.iter().map(|line| i128::from(which(line))).sum::<i128>();
            let checked = |sum: i128| {
                i64::try_from(sum).ok().filter(|sum| *sum <= pavise_kernel::money::LARGEST).and_then(price_in_usd)
            };
            prop_assert_eq!(
                answer.initial_total,
                checked(sum(|line| line.0)),
                "totals are the sum of the lines, problems or not"
            );
            prop_assert_eq!(answer.renewal_total, checked(sum(|line| line.1)));
            // No line of a supplement without its product's line before it.
            let mut priced = BTreeSet::new();
            for line in &answer.lines {
                match line.r#type() {
                    OfferItemType::Product => prop_assert!(priced.insert(line.product_id.clone())),
                    _ => prop_assert!(priced.contains(&line.product_id)),
                }
            }
            let (valid, invalid) = counts.get();
            match expected {
                Some(lines) => {
                    prop_assert_eq!(amounts, lines);
                    counts.set((valid + 1, invalid));
                }
                None => counts.set((valid, invalid + 1)),
            }
            Ok(())
        })
        .unwrap();
    let (valid, invalid) = counts.get();
    assert!(valid > 500 && invalid > 500, "the catalogs must be of both kinds: {valid} valid, {invalid} not");
}
