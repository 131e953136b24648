//! The reasons one by one, and all of them against the rules as they are documented.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::contract::catalog::{Benefit, BenefitProvisioning};

const DAY: Date = Date { year: 2026, month: 3, day: 2 };

fn day(offset: i64) -> Date {
    from_days(to_days(DAY) + offset)
}

fn promise(benefit: Benefit) -> Promise {
    Promise { benefit, is_active: true, relations: Vec::new(), supplement: None }
}

fn plain() -> SourceState {
    SourceState { begins: Some(day(-400)), is_set_up: true, ..SourceState::default() }
}

fn at(day: Date) -> Circumstances<'static> {
    Circumstances { day, region: RegionCode::Unspecified, areas: &[], born: None }
}

fn names(reasons: &[Ineligibility]) -> Vec<IneligibilityReason> {
    reasons.iter().map(Ineligibility::reason).collect()
}

#[test]
fn a_plan_in_force_gives_a_benefit_without_rules() {
    assert_eq!(find_reasons(&plain(), &promise(Benefit::default()), RelationType::Primary, &at(DAY)), []);
}

#[test]
fn a_child_has_the_benefit_on_the_day_before_the_birthday_and_not_on_it() {
    let until = promise(Benefit { until_age: 26, ..Benefit::default() });
    let born = |day| Circumstances { born: Some(Date { year: 2000, month: 3, day: 3 }), ..at(day) };
    let of = |day| names(&find_reasons(&plain(), &until, RelationType::Dependent, &born(day)));
    assert_eq!(of(day(0)), []);
    assert_eq!(of(day(1)), [IneligibilityReason::AgeReached]);
    // The product's own limit for dependents counts, too, and nobody else's.
    let terms = Terms { age_limits: vec![(AuthorizedUserType::Dependent.into(), 26)], ..Terms::default() };
    let limited = SourceState { terms: Some(terms), ..plain() };
    let of = |relation| names(&find_reasons(&limited, &promise(Benefit::default()), relation, &born(day(1))));
    assert_eq!(of(RelationType::Dependent), [IneligibilityReason::AgeReached]);
    assert_eq!(of(RelationType::Spouse), []);
}

#[test]
fn a_source_has_first_and_last_days_and_a_wait() {
    let waits = promise(Benefit { waiting_days: 30, ..Benefit::default() });
    let source = SourceState { begins: Some(DAY), ends: Some(day(40)), ..plain() };
    let of = |on| find_reasons(&source, &waits, RelationType::Primary, &at(on));
    let [early] = &of(day(-1))[..] else { panic!("one reason") };
    assert_eq!((early.reason(), early.until), (IneligibilityReason::NotStarted, Some(DAY)));
    let [waiting] = &of(day(29))[..] else { panic!("one reason") };
    assert_eq!((waiting.reason(), waiting.until), (IneligibilityReason::WaitingPeriod, Some(day(30))));
    assert_eq!((of(day(30)), of(day(40))), (Vec::new(), Vec::new()));
    assert_eq!(names(&of(day(41))), [IneligibilityReason::Ended]);
}

#[test]
fn a_missing_supplement_is_named() {
    let guns = Some(("guns".to_owned(), "Gun owners".to_owned()));
    let promise = Promise { supplement: guns, ..promise(Benefit::default()) };
    let [missing] = &find_reasons(&plain(), &promise, RelationType::Primary, &at(DAY))[..] else { panic!("one") };
    assert_eq!(missing.reason(), IneligibilityReason::SupplementMissing);
    assert_eq!((missing.supplement_id.as_str(), missing.supplement_name.as_str()), ("guns", "Gun owners"));
    let bought = SourceState { supplement_ids: vec!["guns".to_owned()], ..plain() };
    assert_eq!(find_reasons(&bought, &promise, RelationType::Primary, &at(DAY)), []);
}

#[test]
fn an_area_of_law_and_a_tier_that_are_not_the_benefits_own_are_named() {
    let of_law = promise(Benefit { area_of_law_ids: vec!["wills".to_owned()], ..Benefit::default() });
    let of = |areas: &[&str]| {
        let areas: Vec<String> = areas.iter().map(|area| (*area).to_owned()).collect();
        let asked = Circumstances { areas: &areas, ..at(DAY) };
        names(&find_reasons(&plain(), &of_law, RelationType::Primary, &asked))
    };
    assert_eq!(of(&["traffic"]), [IneligibilityReason::AreaOfLawNotCovered]);
    assert_eq!((of(&["wills"]), of(&[])), (Vec::new(), Vec::new()));
    let of_family = promise(Benefit { product_types: vec![2], ..Benefit::default() });
    let of = |coverage| {
        let source = SourceState { terms: Some(Terms { coverage, ..Terms::default() }), ..plain() };
        names(&find_reasons(&source, &of_family, RelationType::Primary, &at(DAY)))
    };
    assert_eq!(of(1), [IneligibilityReason::TierLacksIt]);
    assert_eq!((of(2), of(0)), (Vec::new(), Vec::new()));
}

#[test]
fn the_region_of_the_plan_counts_where_none_is_asked_for() {
    let texan = promise(Benefit { regions: vec![RegionCode::Tx.into()], ..Benefit::default() });
    let plan = |region| SourceState { region, ..plain() };
    let asked = |region| Circumstances { region, ..at(DAY) };
    let of = |plan, asked| names(&find_reasons(&plan, &texan, RelationType::Primary, &asked));
    assert_eq!(of(plan(RegionCode::Oh), asked(RegionCode::Tx)), []);
    assert_eq!(of(plan(RegionCode::Oh), asked(RegionCode::Unspecified)), [IneligibilityReason::RegionNotServed]);
    assert_eq!(of(plan(RegionCode::Tx), asked(RegionCode::Oh)), [IneligibilityReason::RegionNotServed]);
    assert_eq!(of(plan(RegionCode::Unspecified), asked(RegionCode::Unspecified)), []);
}

#[test]
fn only_what_a_company_gives_has_to_be_set_up() {
    let by = |vendor: &str| {
        let provisioning = Some(BenefitProvisioning { vendor: vendor.into(), ..BenefitProvisioning::default() });
        promise(Benefit { provisioning, ..Benefit::default() })
    };
    let fresh = SourceState { is_set_up: false, ..plain() };
    let of = |source, vendor| names(&find_reasons(source, &by(vendor), RelationType::Primary, &at(DAY)));
    assert_eq!(of(&fresh, "Sentinel"), [IneligibilityReason::NotSetUp]);
    assert_eq!((of(&fresh, ""), of(&plain(), "Sentinel")), (Vec::new(), Vec::new()));
}

/// Everything that the answer depends on, as numbers and choices.
#[derive(Debug, Clone)]
struct Case {
    begins: i64,
    lasts: Option<i64>,
    waits: i32,
    suspended: bool,
    over: bool,
    active: bool,
    set_up: bool,
    vendor: bool,
    relation: i32,
    tier_coverage: i32,
    tier_admits: Vec<i32>,
    product_admits: Vec<i32>,
    benefit_admits: Vec<i32>,
    benefit_tiers: Vec<i32>,
    supplement: Option<bool>,
    age: Option<(i32, i64)>,
    until_age: i32,
    regions: Vec<i32>,
    region: i32,
    areas: Vec<u8>,
    asked_areas: Vec<u8>,
}

prop_compose! {
    fn cases()(
        days in (-60i64..60, proptest::option::of(0i64..90), 0i32..45),
        flags in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        relation in 1i32..=10,
        tier in (0i32..=2, prop::collection::vec(1i32..=12, 0..4)),
        rules in (prop::collection::vec(1i32..=12, 0..4), prop::collection::vec(1i32..=12, 0..4), prop::collection::vec(1i32..=2, 0..2)),
        supplement in proptest::option::of(any::<bool>()),
        age in (proptest::option::of((15i32..30, -2i64..3)), 0i32..30),
        places in (prop::collection::vec(1i32..=4, 0..3), 0i32..=4),
        areas in (prop::collection::vec(0u8..4, 0..3), prop::collection::vec(0u8..4, 0..3)),
    ) -> Case {
        Case {
            begins: days.0, lasts: days.1, waits: days.2,
            suspended: flags.0, over: flags.1, active: flags.2, set_up: flags.3, vendor: flags.4,
            relation, tier_coverage: tier.0, tier_admits: tier.1,
            product_admits: rules.0, benefit_admits: rules.1, benefit_tiers: rules.2,
            supplement, age: age.0, until_age: age.1, regions: places.0, region: places.1,
            areas: areas.0, asked_areas: areas.1,
        }
    }
}

/// The reasons by the rules as the documentation words them, each on its own.
fn expected(case: &Case) -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    let mut when = |is_so: bool, name: &'static str| {
        if is_so {
            all.insert(name);
        }
    };
    let open = |rule: &Vec<i32>| rule.contains(&11) || rule.contains(&12) || rule.contains(&case.relation);
    when(case.suspended, "ENTITLEMENT_SUSPENDED");
    when(case.over || case.lasts.is_some_and(|lasts| case.begins + lasts < 0), "ENDED");
    when(case.begins > 0, "NOT_STARTED");
    when(case.begins <= 0 && case.begins + i64::from(case.waits) > 0, "WAITING_PERIOD");
    when(!case.active, "BENEFIT_INACTIVE");
    let outside_tier = case.relation != 1 && case.tier_coverage != 0 && !open(&case.tier_admits);
    let outside_rules =
        [&case.product_admits, &case.benefit_admits].into_iter().any(|rule| !rule.is_empty() && !open(rule));
    when(outside_tier || outside_rules, "RELATION_NOT_COVERED");
    // Born so many years ago, some days before or after the day: the birthday of this year is still to come after it.
    let years = case.age.map(|(years, days_left)| if days_left > 0 { years - 1 } else { years });
    when(case.until_age > 0 && years.is_some_and(|years| years >= case.until_age), "AGE_REACHED");
    when(!case.regions.is_empty() && case.region != 0 && !case.regions.contains(&case.region), "REGION_NOT_SERVED");
    let no_area = case.asked_areas.iter().all(|area| !case.areas.contains(area));
    when(!case.asked_areas.is_empty() && no_area, "AREA_OF_LAW_NOT_COVERED");
    let other_tier = !case.benefit_tiers.is_empty() && !case.benefit_tiers.contains(&case.tier_coverage);
    when(case.tier_coverage != 0 && other_tier, "TIER_LACKS_IT");
    when(case.supplement == Some(false), "SUPPLEMENT_MISSING");
    when(case.vendor && !case.set_up, "NOT_SET_UP");
    all
}

fn found(case: &Case) -> BTreeSet<&'static str> {
    let texts = |areas: &[u8]| areas.iter().map(|area| format!("area-{area}")).collect::<Vec<_>>();
    let terms = Terms { coverage: case.tier_coverage, admitted: case.tier_admits.clone(), age_limits: Vec::new() };
    let source = SourceState {
        begins: Some(day(case.begins)),
        ends: case.lasts.map(|lasts| day(case.begins + lasts)),
        is_suspended: case.suspended,
        is_over: case.over,
        is_set_up: case.set_up,
        region: RegionCode::Unspecified,
        supplement_ids: if case.supplement == Some(true) { vec!["extra".into()] } else { Vec::new() },
        terms: Some(terms),
    };
    let vendor = if case.vendor { "Sentinel" } else { "" };
    let benefit = Benefit {
        waiting_days: case.waits,
        until_age: case.until_age,
        authorized_user_types: case.benefit_admits.clone(),
        product_types: case.benefit_tiers.clone(),
        regions: case.regions.clone(),
        area_of_law_ids: texts(&case.areas),
        provisioning: Some(BenefitProvisioning { vendor: vendor.into(), ..BenefitProvisioning::default() }),
        ..Benefit::default()
    };
    let promise = Promise {
        benefit,
        is_active: case.active,
        relations: case.product_admits.clone(),
        supplement: case.supplement.map(|_| ("extra".to_owned(), "Extra".to_owned())),
    };
    let areas = texts(&case.asked_areas);
    let born = case.age.map(|(years, days_left)| {
        let birthday = day(days_left);
        Date { year: birthday.year - years, ..birthday }
    });
    let region = RegionCode::try_from(case.region).unwrap();
    let circumstances = Circumstances { day: DAY, region, areas: &areas, born };
    let reasons = find_reasons(&source, &promise, RelationType::try_from(case.relation).unwrap(), &circumstances);
    reasons.iter().map(|one| one.reason().as_str_name().trim_start_matches("INELIGIBILITY_REASON_")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn the_reasons_are_those_of_the_documentation(case in cases()) {
        prop_assert_eq!(found(&case), expected(&case));
    }
}
