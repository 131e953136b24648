//! Rules of every stored map.

use std::collections::BTreeMap;

use pavise_kernel::Result;
use pavise_kernel::aggregate::Invariants;
use pavise_kernel::time::to_days;

use crate::contract::v1::{ErrorReason, MappedPlan, MappedProduct, OfferMap};
use crate::shared::violations::Violations;

impl Invariants for OfferMap {
    fn check(&self) -> Result<()> {
        let mut wrong = Violations::default();
        let products: Vec<&str> = self.products.iter().map(|product| product.product_id.as_str()).collect();
        wrong.add_repeated(&products, |at| format!("products[{at}].product_id"));
        for (at, product) in self.products.iter().enumerate() {
            check_plans(product, &format!("products[{at}].plans"), &mut wrong);
        }
        wrong.into_result()?;
        let mut ambiguous = Violations::default();
        for (at, product) in self.products.iter().enumerate() {
            add_ambiguous(product, &format!("products[{at}].plans"), &mut ambiguous);
        }
        ambiguous.refuse_as(ErrorReason::OfferMapAmbiguous, "two plans hold for one combination on one day")
    }
}

fn check_plans(product: &MappedProduct, list: &str, wrong: &mut Violations) {
    wrong.check_length(&product.plans, 1000, list);
    wrong.check_ids(product.plans.iter().map(|plan| plan.id.as_str()), list);
    for (at, plan) in product.plans.iter().enumerate() {
        let place = format!("{list}[{at}]");
        wrong.add_repeated(&plan.supplement_ids, |number| format!("{place}.supplement_ids[{number}]"));
        wrong.check_dates(plan.effective_from, plan.effective_until, &format!("{place}.effective"));
    }
}

/// Adds each row that is as specific as an earlier one for the same combination, on a common day.
fn add_ambiguous(product: &MappedProduct, list: &str, wrong: &mut Violations) {
    let mut known: BTreeMap<(&str, Vec<&str>, i32, i32), Vec<&MappedPlan>> = BTreeMap::new();
    for (at, plan) in product.plans.iter().enumerate() {
        let mut supplements: Vec<&str> = plan.supplement_ids.iter().map(String::as_str).collect();
        supplements.sort_unstable();
        let alike = known.entry((&plan.tier_id, supplements, plan.region, plan.billing_period)).or_default();
        if alike.iter().any(|earlier| has_common_day(earlier, plan)) {
            wrong.add(format!("{list}[{at}]"), "another row holds for the same combination on one of its days");
        }
        alike.push(plan);
    }
}

/// Whether there is a day on which both rows hold.
fn has_common_day(one: &MappedPlan, other: &MappedPlan) -> bool {
    let starts_in_time = |a: &MappedPlan, b: &MappedPlan| {
        a.effective_from.zip(b.effective_until).is_none_or(|(from, until)| to_days(from) <= to_days(until))
    };
    starts_in_time(one, other) && starts_in_time(other, one)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{BillingPeriod, Date, RegionCode};

    use super::*;

    const DAY: Date = Date { year: 2026, month: 3, day: 31 };

    fn plan(id: &str) -> MappedPlan {
        MappedPlan { id: id.to_owned(), tier_id: "family".to_owned(), ..MappedPlan::default() }
    }

    /// Why a map of two rows is refused, with the fields.
    fn refused(second: MappedPlan) -> Option<(bool, Vec<String>)> {
        let first = MappedPlan { supplement_ids: vec!["a".to_owned(), "b".to_owned()], ..plan("first") };
        let products = vec![MappedProduct { product_id: "legal".to_owned(), plans: vec![first, second] }];
        let error = OfferMap { products, ..OfferMap::default() }.check().err()?;
        let fields = error.violations().iter().map(|violation| violation.field.clone()).collect();
        Some((error.is(ErrorReason::OfferMapAmbiguous), fields))
    }

    #[test]
    fn equally_specific_rows_of_one_day_are_ambiguous() {
        let same = || MappedPlan { supplement_ids: vec!["b".to_owned(), "a".to_owned()], ..plan("second") };
        assert_eq!(refused(same()), Some((true, vec!["products[0].plans[1]".to_owned()])), "in any order");
        assert_eq!(refused(MappedPlan { region: RegionCode::Tx.into(), ..same() }), None);
        assert_eq!(refused(MappedPlan { billing_period: BillingPeriod::Monthly.into(), ..same() }), None);
        assert_eq!(refused(plan("second")), None, "the bare tier");
    }

    #[test]
    fn rows_of_different_days_follow_each_other() {
        let row = |id: &str, from: Option<Date>, until: Option<Date>| MappedPlan {
            effective_from: from,
            effective_until: until,
            ..plan(id)
        };
        let check = |plans: Vec<MappedPlan>| {
            let products = vec![MappedProduct { product_id: "legal".to_owned(), plans }];
            OfferMap { products, ..OfferMap::default() }.check().is_ok()
        };
        let eve = Some(Date { day: 30, ..DAY });
        assert!(check(vec![row("a", None, eve), row("b", Some(DAY), None)]));
        assert!(!check(vec![row("a", None, Some(DAY)), row("b", Some(DAY), None)]));
    }

    #[test]
    fn rows_have_ids_and_name_a_supplement_once() {
        let twice = MappedPlan { supplement_ids: vec!["a".to_owned(); 2], ..plan("first") };
        let fields = ["products[0].plans[1].id", "products[0].plans[1].supplement_ids[1]"].map(str::to_owned);
        assert_eq!(refused(twice), Some((false, fields.to_vec())));
    }
}
