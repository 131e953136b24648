//! The plans of a choice are those that an exhaustive search finds.

use proptest::prelude::*;

use super::*;
use crate::contract::v1::OfferMap;
use pavise_kernel::aggregate::Invariants as _;

const TIERS: [&str; 2] = ["individual", "family"];
const SUPPLEMENTS: [&str; 3] = ["a", "b", "c"];
const PERIODS: [BillingPeriod; 3] = [BillingPeriod::Unspecified, BillingPeriod::Monthly, BillingPeriod::Annual];
const REGIONS: [RegionCode; 3] = [RegionCode::Unspecified, RegionCode::Tx, RegionCode::Ny];

fn day(number: i32) -> Date {
    Date { year: 2026, month: 3, day: number }
}

/// The supplements whose bits are set.
fn subset(bits: usize) -> Vec<String> {
    let set = SUPPLEMENTS.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0);
    set.map(|(_, id)| (*id).to_owned()).collect()
}

fn some_plan() -> impl Strategy<Value = MappedPlan> {
    let days = (prop::option::of(1..5), prop::option::of(3..8));
    (0..TIERS.len(), 0..8_usize, 0..PERIODS.len(), 0..REGIONS.len(), days).prop_map(
        |(tier, bits, period, region, (from, until))| MappedPlan {
            tier_id: TIERS[tier].to_owned(),
            supplement_ids: subset(bits),
            billing_period: PERIODS[period].into(),
            region: REGIONS[region].into(),
            effective_from: from.map(day),
            effective_until: until.map(day),
            ..MappedPlan::default()
        },
    )
}

/// A map without ambiguous rows: those that would make it one are left out.
fn some_map() -> impl Strategy<Value = Vec<MappedPlan>> {
    prop::collection::vec(some_plan(), 0..24).prop_map(|plans| {
        let mut kept: Vec<MappedPlan> = Vec::new();
        for (number, plan) in plans.into_iter().enumerate() {
            kept.push(MappedPlan { id: format!("row-{number}"), plan_code: format!("P{number}"), ..plan });
            let products = vec![MappedProduct { product_id: "legal".to_owned(), plans: kept.clone() }];
            if (OfferMap { products, ..OfferMap::default() }).check().is_err() {
                let _ = kept.pop();
            }
        }
        kept
    })
}

/// All rows that hold, less each that another one is before: region first, then billing period.
fn search(plans: &[MappedPlan], tier: &str, supplements: &[String], purchase: Purchase) -> Vec<String> {
    let mut wanted = supplements.to_vec();
    wanted.sort();
    let fits = |plan: &&MappedPlan| {
        let mut own = plan.supplement_ids.clone();
        own.sort();
        let number = |date: Option<Date>, open: i32| date.map_or(open, |date| date.day);
        plan.tier_id == tier
            && own == wanted
            && [0, purchase.billing_period.into()].contains(&plan.billing_period)
            && [0, purchase.region.into()].contains(&plan.region)
            && (number(plan.effective_from, 0)..=number(plan.effective_until, 99)).contains(&purchase.day.day)
    };
    let all: Vec<&MappedPlan> = plans.iter().filter(fits).collect();
    let is_before = |one: &MappedPlan, other: &MappedPlan| {
        (one.region != 0 && other.region == 0)
            || ((one.region != 0) == (other.region != 0) && one.billing_period != 0 && other.billing_period == 0)
    };
    let best = all.iter().filter(|plan| !all.iter().any(|other| is_before(other, plan)));
    best.map(|plan| plan.plan_code.clone()).collect()
}

/// The codes by exhaustive search, and the supplements without a plan.
fn search_choice(plans: &[MappedPlan], selection: &Selection, purchase: Purchase) -> (Vec<String>, Vec<String>) {
    let find = |supplements: &[String]| {
        let found = search(plans, &selection.tier_id, supplements, purchase);
        assert!(found.len() <= 1, "ambiguous: {found:?}");
        found.into_iter().next()
    };
    if let Some(exact) = find(&selection.supplement_ids) {
        return (vec![exact], Vec::new());
    }
    let (mut codes, mut missing) = (Vec::new(), Vec::new());
    let parts = std::iter::once(Vec::new()).chain(selection.supplement_ids.iter().map(|id| vec![id.clone()]));
    for part in parts {
        match find(&part) {
            Some(code) => codes.push(code),
            None => missing.push(part.concat()),
        }
    }
    (codes, missing)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plans_equal_those_of_an_exhaustive_search(
        plans in some_map(),
        tier in 0..TIERS.len(),
        bits in 0..8_usize,
        period in 1..PERIODS.len(),
        region in 0..REGIONS.len(),
        number in 1..9,
    ) {
        let selection = Selection {
            product_id: "legal".to_owned(),
            tier_id: TIERS[tier].to_owned(),
            supplement_ids: subset(bits),
        };
        let purchase = Purchase { billing_period: PERIODS[period], region: REGIONS[region], day: day(number) };
        let expected = search_choice(&plans, &selection, purchase);
        let products = [MappedProduct { product_id: "legal".to_owned(), plans }];
        let planned = plan_choice(&products, &[selection], purchase);
        let codes: Vec<String> = planned.lines.into_iter().map(|line| line.plan_code).collect();
        let missing: Vec<String> = planned.unmapped.into_iter().map(|part| part.supplement_id).collect();
        prop_assert_eq!((codes, missing), expected);
    }
}
