//! The benefits that a product names.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Benefit, ProductBenefit};
use crate::shared::violations::Violations;

/// Checks that each named benefit exists. `place` is the path of the benefits in the request.
///
/// # Errors
/// `INVALID_FIELD` with all violations.
pub(crate) async fn check_benefits(call: &Call, place: &str, benefits: &[ProductBenefit]) -> Result<()> {
    let named = benefits.iter().map(|one| one.benefit_id.clone()).filter(|id| !id.is_empty());
    let ids: Vec<String> = named.collect();
    if ids.is_empty() {
        return Ok(());
    }
    let known: Vec<Benefit> = call.find_many(&ids).await?;
    let mut wrong = Violations::default();
    for (at, one) in benefits.iter().enumerate().filter(|(_, one)| !one.benefit_id.is_empty()) {
        if !known.iter().any(|benefit| benefit.id == one.benefit_id) {
            wrong.add(format!("{place}[{at}].benefit_id"), "there is no such benefit");
        }
    }
    wrong.into_result()
}
