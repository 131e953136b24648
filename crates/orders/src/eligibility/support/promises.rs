//! The benefits that a product promises.

use std::collections::{BTreeSet, HashMap};

use pavise_kernel::common::v1::RelationType;

use crate::contract::catalog::{Benefit, BenefitStatus, Product, ProductBenefit};
use crate::contract::v1::{BenefitAllowance, BenefitAllowancePeriod, BenefitAllowanceUnit};

/// A benefit, with the rules of who gets it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Promise {
    /// The benefit as it was when the version of the product was frozen.
    pub(crate) benefit: Benefit,
    /// The catalog promises the benefit at present.
    pub(crate) is_active: bool,
    /// The relations that the product gives it to; none means all.
    pub(crate) relations: Vec<i32>,
    /// The supplement that it comes with: id and name.
    pub(crate) supplement: Option<(String, String)>,
}

/// The part of a product that decides on its benefits.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Terms {
    /// The people whom the tier covers, as the catalog's `Coverage`; 0 if the tier is not known.
    pub(crate) coverage: i32,
    /// The relations that the tier admits besides the holder; none if the tier is not known.
    pub(crate) admitted: Vec<i32>,
    /// The age from which a relation no longer qualifies for the product.
    pub(crate) age_limits: Vec<(i32, i32)>,
}

impl Terms {
    /// The terms of a product in a tier.
    pub(crate) fn from_product(product: &Product, tier_id: &str) -> Self {
        let tier = product.tiers.iter().find(|tier| tier.id == tier_id);
        let delegates = product.qualifying_delegates.iter().filter(|one| one.until_age > 0);
        Self {
            coverage: tier.map_or(0, |tier| tier.coverage),
            admitted: tier.map(|tier| tier.authorized_user_types.clone()).unwrap_or_default(),
            age_limits: delegates.map(|one| (one.r#type, one.until_age)).collect(),
        }
    }

    /// The age from which a person of that relation no longer qualifies.
    pub(crate) fn age_limit(&self, relation: RelationType) -> Option<i32> {
        let relation = i32::from(relation);
        self.age_limits.iter().find(|(kind, _)| *kind == relation).map(|(_, until)| *until)
    }
}

/// The benefits of a product that are kept in the catalog's service, by id. `frozen` has them as they were, and `current`
/// as they are.
pub(crate) fn list_promises(product: &Product, frozen: &[Benefit], current: &HashMap<String, Benefit>) -> Vec<Promise> {
    let mut seen = BTreeSet::new();
    let named = product.benefits.iter().filter(|one| !one.benefit_id.is_empty() && seen.insert(&one.benefit_id));
    named.filter_map(|one| build_promise(product, one, frozen, current)).collect()
}

fn build_promise(
    product: &Product,
    named: &ProductBenefit,
    frozen: &[Benefit],
    current: &HashMap<String, Benefit>,
) -> Option<Promise> {
    let now = current.get(&named.benefit_id);
    let benefit = frozen.iter().find(|benefit| benefit.id == named.benefit_id).or(now)?.clone();
    let supplement = product.supplements.iter().find(|one| one.id == named.supplement_id);
    Some(Promise {
        benefit,
        is_active: now.is_some_and(|benefit| benefit.status() == BenefitStatus::Active),
        relations: named.authorized_user_types.clone(),
        supplement: supplement.map(|one| (one.id.clone(), one.name.clone())),
    })
}

/// How much of a benefit a person gets, as eligibility says it.
pub(crate) fn allowance_of(benefit: &Benefit) -> Option<BenefitAllowance> {
    let limit = benefit.limit.as_ref()?;
    let unit = BenefitAllowanceUnit::try_from(limit.unit).unwrap_or_default();
    let per = BenefitAllowancePeriod::try_from(limit.per).unwrap_or_default();
    Some(BenefitAllowance { amount: limit.amount, unit: unit.into(), per: per.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::catalog::{
        AuthorizedUserType, BenefitLimit, BenefitLimitPeriod, BenefitLimitUnit, QualifyingDelegate, Supplement, Tier,
    };
    use crate::contract::v1::EligibilityRelationType;

    #[test]
    fn the_enumerations_of_both_domains_have_the_same_numbers() {
        for number in 0..=12 {
            let [catalog, ours] = [
                AuthorizedUserType::try_from(number).map(|one| one.as_str_name().replace("AUTHORIZED_USER_TYPE_", "")),
                EligibilityRelationType::try_from(number)
                    .map(|one| one.as_str_name().replace("ELIGIBILITY_RELATION_TYPE_", "")),
            ];
            assert_eq!(catalog, ours);
            if let Ok(common) = RelationType::try_from(number) {
                assert_eq!(common.as_str_name().replace("RELATION_TYPE_", ""), ours.unwrap());
            }
        }
        for number in 0..=5 {
            let [catalog, ours] = [
                BenefitLimitUnit::try_from(number).map(|one| one.as_str_name().replace("BENEFIT_LIMIT_", "")),
                BenefitAllowanceUnit::try_from(number).map(|one| one.as_str_name().replace("BENEFIT_ALLOWANCE_", "")),
            ];
            assert_eq!(catalog, ours);
        }
        for number in 0..=3 {
            let [catalog, ours] = [
                BenefitLimitPeriod::try_from(number).map(|one| one.as_str_name().replace("BENEFIT_LIMIT_", "")),
                BenefitAllowancePeriod::try_from(number).map(|one| one.as_str_name().replace("BENEFIT_ALLOWANCE_", "")),
            ];
            assert_eq!(catalog, ours);
        }
    }

    #[test]
    fn a_benefit_is_as_it_was_frozen_and_active_as_it_is_now() {
        let benefit = |name: &str, status: BenefitStatus| Benefit {
            id: "will".into(),
            name: name.into(),
            status: status.into(),
            ..Benefit::default()
        };
        let named = |id: &str, supplement: &str| ProductBenefit {
            benefit_id: id.into(),
            supplement_id: supplement.into(),
            ..ProductBenefit::default()
        };
        let product = Product {
            benefits: vec![named("will", "guns"), named("will", ""), named("", ""), named("gone", "")],
            supplements: vec![Supplement { id: "guns".into(), name: "Gun owners".into(), ..Supplement::default() }],
            ..Product::default()
        };
        let current = HashMap::from([("will".to_owned(), benefit("Will today", BenefitStatus::Inactive))]);
        let [promise] = &list_promises(&product, &[benefit("Will", BenefitStatus::Active)], &current)[..] else {
            panic!("one benefit is known, and named twice")
        };
        assert_eq!((promise.benefit.name.as_str(), promise.is_active), ("Will", false));
        assert_eq!(promise.supplement, Some(("guns".to_owned(), "Gun owners".to_owned())));
        let [unfrozen] = &list_promises(&product, &[], &current)[..] else { panic!("as it is now") };
        assert_eq!(unfrozen.benefit.name, "Will today");
    }

    #[test]
    fn the_terms_are_those_of_the_tier_and_the_delegates() {
        let dependent = i32::from(AuthorizedUserType::Dependent);
        let product = Product {
            tiers: vec![Tier {
                id: "family".into(),
                coverage: 2,
                authorized_user_types: vec![dependent],
                ..Tier::default()
            }],
            qualifying_delegates: vec![QualifyingDelegate { r#type: dependent, most: 0, until_age: 26 }],
            ..Product::default()
        };
        let terms = Terms::from_product(&product, "family");
        assert_eq!((terms.coverage, terms.admitted.clone()), (2, vec![dependent]));
        assert_eq!((terms.age_limit(RelationType::Dependent), terms.age_limit(RelationType::Spouse)), (Some(26), None));
        assert_eq!(Terms::from_product(&product, "gone").coverage, 0);
    }

    #[test]
    fn an_allowance_is_the_limit_of_the_benefit() {
        let limit =
            BenefitLimit { amount: 10, unit: BenefitLimitUnit::Pages.into(), per: BenefitLimitPeriod::Year.into() };
        let allowance = allowance_of(&Benefit { limit: Some(limit), ..Benefit::default() }).unwrap();
        assert_eq!((allowance.amount, allowance.unit()), (10, BenefitAllowanceUnit::Pages));
        assert_eq!(allowance.per(), BenefitAllowancePeriod::Year);
        assert_eq!(allowance_of(&Benefit::default()), None);
    }
}
