//! The service `eligibility`: the benefits that a person may use, and the reasons where they may not.

mod evaluate_benefits_of_product;
mod get_benefits_eligibilities;
mod get_benefits_eligibilities_by_product;
mod get_benefits_provisioning;
mod support;

pub(crate) use evaluate_benefits_of_product::evaluate_benefits_of_product;
pub(crate) use get_benefits_eligibilities::get_benefits_eligibilities;
pub(crate) use get_benefits_eligibilities_by_product::get_benefits_eligibilities_by_product;
pub(crate) use get_benefits_provisioning::get_benefits_provisioning;
