//! The service `benefits`: what holders of products are promised, described once for all products.

mod create_benefit;
mod delete_benefit;
mod rules;
mod support;
mod update_benefit;
mod update_benefit_provisioning_metadata;

pub(crate) use delete_benefit::delete_benefit;
