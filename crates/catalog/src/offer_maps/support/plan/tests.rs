use super::*;

const DAY: Date = Date { year: 2026, month: 3, day: 31 };

fn plan(code: &str, supplements: &[&str]) -> MappedPlan {
    MappedPlan {
        id: code.to_owned(),
        tier_id: "family".to_owned(),
        supplement_ids: supplements.iter().map(|&id| id.to_owned()).collect(),
        plan_code: code.to_owned(),
        ..MappedPlan::default()
    }
}

/// The codes of a choice of the tier `family` with supplements in Texas each month, and what has none.
fn codes(plans: Vec<MappedPlan>, supplements: &[&str]) -> (Vec<String>, Vec<(String, UnmappedReason)>) {
    let products = [MappedProduct { product_id: "legal".to_owned(), plans }];
    let selection = Selection {
        product_id: "legal".to_owned(),
        tier_id: "family".to_owned(),
        supplement_ids: supplements.iter().map(|&id| id.to_owned()).collect(),
    };
    let purchase = Purchase { billing_period: BillingPeriod::Monthly, region: RegionCode::Tx, day: DAY };
    let planned = plan_choice(&products, &[selection], purchase);
    let unmapped = planned.unmapped.iter().map(|part| (part.supplement_id.clone(), part.reason())).collect();
    (planned.lines.into_iter().map(|line| line.plan_code).collect(), unmapped)
}

#[test]
fn exact_supplements_win_over_their_parts() {
    let plans = || vec![plan("bare", &[]), plan("a", &["a"]), plan("b", &["b"]), plan("ab", &["a", "b"])];
    let none: Vec<(String, UnmappedReason)> = Vec::new();
    assert_eq!(codes(plans(), &["b", "a"]), (vec!["ab".to_owned()], none.clone()));
    let without = |code: &str| plans().into_iter().filter(|plan| plan.plan_code != code).collect::<Vec<_>>();
    let parts = ["bare", "a", "b"].map(str::to_owned).to_vec();
    assert_eq!(codes(without("ab"), &["b", "a"]), (parts, none.clone()));
    assert_eq!(codes(plans(), &[]), (vec!["bare".to_owned()], none));
}

#[test]
fn what_has_no_plan_is_named_with_why() {
    let missing = |part: &str, why| vec![(part.to_owned(), why)];
    let (lines, unmapped) = codes(vec![plan("bare", &[]), plan("a", &["a"])], &["a", "b"]);
    assert_eq!((lines, unmapped), (vec!["bare".to_owned(), "a".to_owned()], missing("b", UnmappedReason::NoPlan)));
    let elsewhere = MappedPlan { region: RegionCode::Ny.into(), ..plan("bare", &[]) };
    assert_eq!(codes(vec![elsewhere], &[]), (Vec::new(), missing("", UnmappedReason::NoPlanForTerms)));
    let over = MappedPlan { effective_until: Some(Date { day: 30, ..DAY }), ..plan("bare", &[]) };
    assert_eq!(codes(vec![over], &[]), (Vec::new(), missing("", UnmappedReason::NoPlanForTerms)));
}

#[test]
fn a_region_counts_before_a_billing_period() {
    let of = |code: &str, region: RegionCode, period: BillingPeriod| MappedPlan {
        region: region.into(),
        billing_period: period.into(),
        ..plan(code, &[])
    };
    let any = of("any", RegionCode::Unspecified, BillingPeriod::Unspecified);
    let monthly = of("monthly", RegionCode::Unspecified, BillingPeriod::Monthly);
    let texas = of("texas", RegionCode::Tx, BillingPeriod::Unspecified);
    let both = of("both", RegionCode::Tx, BillingPeriod::Monthly);
    let first = |plans: &[&MappedPlan]| codes(plans.iter().map(|&plan| plan.clone()).collect(), &[]).0;
    assert_eq!(first(&[&any, &monthly, &texas, &both]), ["both"]);
    assert_eq!(first(&[&texas, &any, &monthly]), ["texas"]);
    assert_eq!(first(&[&any, &monthly]), ["monthly"]);
    assert_eq!(first(&[&any]), ["any"]);
}
