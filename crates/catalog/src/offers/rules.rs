//! Rules of every stored offer.

use pavise_kernel::Result;
use pavise_kernel::aggregate::Invariants;

use crate::contract::v1::{Offer, OfferType, TrialCohort};
use crate::shared::violations::Violations;

impl Invariants for Offer {
    fn check(&self) -> Result<()> {
        self.check_below("")
    }
}

impl Offer {
    /// Checks an offer that lies at a place in a request. The paths of violations begin with that place.
    ///
    /// # Errors
    /// `INVALID_FIELD` with all violations.
    pub(super) fn check_below(&self, place: &'static str) -> Result<()> {
        let mut wrong = Violations::below(place);
        let products: Vec<&str> = self.products.iter().map(|offered| offered.product_id.as_str()).collect();
        wrong.add_repeated(&products, |at| format!("products[{at}].product_id"));
        wrong.add_repeated(&self.group_ids, |at| format!("group_ids[{at}]"));
        wrong.add_repeated(&self.available_localities, |at| format!("available_localities[{at}]"));
        let locales: Vec<i32> = self.names.iter().map(|name| name.locale).collect();
        wrong.add_repeated(&locales, |at| format!("names[{at}].locale"));
        wrong.check_dates(self.valid_from, self.valid_until, "valid");
        if self.cohort() != TrialCohort::Unspecified && self.r#type() != OfferType::Experimental {
            wrong.add("cohort", "is for an offer of type EXPERIMENTAL only");
        }
        wrong.into_result()
    }
}

#[cfg(test)]
mod tests {
    use pavise_kernel::common::v1::{Date, RegionCode};

    use super::*;
    use crate::contract::v1::OfferProduct;
    use crate::shared::sample::{DAY, sample_offer, sample_product, sample_tier};

    #[test]
    fn all_problems_are_reported_at_once() {
        let product = sample_product("legal", vec![sample_tier("individual", 1)]);
        let mut offer = sample_offer(&[product]);
        assert!(offer.check().is_ok());
        offer.products.push(OfferProduct { product_id: "legal".to_owned(), ..OfferProduct::default() });
        offer.available_localities = vec![RegionCode::Tx.into(), RegionCode::Tx.into()];
        offer.valid_from = Some(DAY);
        offer.valid_until = Some(Date { month: 1, ..DAY });
        let error = offer.check().unwrap_err();
        let fields: Vec<_> = error.violations().iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(fields, ["products[1].product_id", "available_localities[1]", "valid_until"]);
    }

    #[test]
    fn only_an_offer_on_trial_names_a_cohort() {
        let mut offer = sample_offer(&[]);
        offer.set_cohort(TrialCohort::ShieldAtWorkBeta);
        let refused = offer.check_below("offer.").unwrap_err();
        assert_eq!(refused.violations()[0].field, "offer.cohort");
        offer.set_type(OfferType::Experimental);
        assert!(offer.check().is_ok());
    }
}
