//! The service `products`: what is sold, in tiers and with supplements.

mod add_benefits;
mod add_contracts;
mod add_state_variants;
mod consequences;
mod create_product;
mod delete_product;
mod get_product_version;
mod list_products;
mod rules;
mod support;
mod update_benefits;
mod update_contracts;
mod update_product;
mod update_product_family;
mod update_state_variants;
mod version_product;

pub(crate) use delete_product::delete_product;
pub(crate) use get_product_version::get_product_version;
pub(crate) use support::family::check_family;
pub(crate) use support::version::is_frozen;
pub(crate) use version_product::version_product;
