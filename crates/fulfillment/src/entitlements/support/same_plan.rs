//! A change that was prepared with the catalog, and the plan as it is when the change is written.

use pavise_kernel::error::Common;
use pavise_kernel::{Error, Result};

use crate::contract::v1::Entitlement;

/// Refuses a change of a plan that another call gave another product, version, place or contracts meanwhile.
///
/// # Errors
/// `CONTENTION`.
pub(crate) fn check_same_plan(prepared: &Entitlement, now: &Entitlement) -> Result<()> {
    let terms = |plan: &Entitlement| {
        (
            (plan.product_id.clone(), plan.tier_id.clone(), plan.supplement_ids.clone(), plan.product_version),
            (plan.service_area, plan.market_locale, plan.contracts.clone()),
        )
    };
    if terms(prepared) == terms(now) {
        return Ok(());
    }
    Err(Error::new(Common::Contention, "the entitlement is being changed by others; try again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_terms_follow_from_must_be_the_same() {
        let plan = Entitlement { product_id: "legal".to_owned(), product_version: 1, ..Default::default() };
        check_same_plan(&plan, &Entitlement { name: "Legal".to_owned(), version: 9, ..plan.clone() }).unwrap();
        let newer = Entitlement { product_version: 2, ..plan.clone() };
        assert!(check_same_plan(&plan, &newer).unwrap_err().is(Common::Contention));
    }
}
