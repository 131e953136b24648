//! Rules of every stored benefit.

use pavise_kernel::Result;
use pavise_kernel::aggregate::Invariants;

use crate::contract::v1::{Benefit, BenefitLimitUnit};
use crate::shared::violations::Violations;

impl Invariants for Benefit {
    fn check(&self) -> Result<()> {
        self.check_below("")
    }
}

impl Benefit {
    /// Checks a benefit that lies at a place in a request. The paths of violations begin with that place.
    ///
    /// # Errors
    /// `INVALID_FIELD` with all violations.
    pub(super) fn check_below(&self, place: &'static str) -> Result<()> {
        let mut wrong = Violations::below(place);
        wrong.check_ids(self.categories.iter().map(|part| part.id.as_str()), "categories");
        let locales: Vec<i32> = self.marketing.iter().map(|text| text.locale).collect();
        wrong.add_repeated(&locales, |at| format!("marketing[{at}].locale"));
        wrong.add_repeated(&self.product_types, |at| format!("product_types[{at}]"));
        wrong.add_repeated(&self.authorized_user_types, |at| format!("authorized_user_types[{at}]"));
        wrong.add_repeated(&self.area_of_law_ids, |at| format!("area_of_law_ids[{at}]"));
        wrong.add_repeated(&self.regions, |at| format!("regions[{at}]"));
        wrong.check_length(&self.metadata, 50, "metadata");
        if self.limit.is_some_and(|limit| limit.unit() == BenefitLimitUnit::PercentOff && limit.amount > 100) {
            wrong.add("limit.amount", "a discount is at most 100 percent");
        }
        wrong.into_result()
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::RegionCode;

    use super::*;
    use crate::contract::v1::{AuthorizedUserType, BenefitLimit, BenefitLimitPeriod, BenefitMetadata, Coverage};

    fn wrong(change: impl FnOnce(&mut Benefit)) -> Vec<String> {
        let mut benefit = Benefit::default();
        change(&mut benefit);
        match benefit.check_below("benefit.") {
            Ok(()) => Vec::new(),
            Err(error) => error.violations().iter().map(|violation| violation.field.clone()).collect(),
        }
    }

    #[test]
    fn nothing_is_named_twice() {
        assert!(wrong(|_| ()).is_empty());
        let twice = |benefit: &mut Benefit| {
            benefit.product_types = vec![Coverage::Family.into(); 2];
            benefit.authorized_user_types = vec![AuthorizedUserType::Any.into(); 2];
            benefit.area_of_law_ids = vec!["FL".to_owned(); 2];
            benefit.regions = vec![RegionCode::Tx.into(); 2];
        };
        assert_eq!(
            wrong(twice),
            [
                "benefit.product_types[1]",
                "benefit.authorized_user_types[1]",
                "benefit.area_of_law_ids[1]",
                "benefit.regions[1]",
            ]
        );
    }

    #[test]
    fn a_discount_is_at_most_the_whole_price() {
        let limit = |unit: BenefitLimitUnit, amount: i32| {
            move |benefit: &mut Benefit| {
                let per = BenefitLimitPeriod::Year.into();
                benefit.limit = Some(BenefitLimit { amount, unit: unit.into(), per });
            }
        };
        assert!(wrong(limit(BenefitLimitUnit::PercentOff, 100)).is_empty());
        assert!(wrong(limit(BenefitLimitUnit::Pages, 101)).is_empty());
        assert_eq!(wrong(limit(BenefitLimitUnit::PercentOff, 101)), ["benefit.limit.amount"]);
    }

    #[test]
    fn there_are_at_most_fifty_facts() {
        let facts =
            |count: usize| move |benefit: &mut Benefit| benefit.metadata = vec![BenefitMetadata::default(); count];
        assert!(wrong(facts(50)).is_empty());
        assert_eq!(wrong(facts(51)), ["benefit.metadata"]);
    }
}
