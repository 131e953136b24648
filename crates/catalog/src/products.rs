//! The service `products`: what is sold, in tiers and with supplements.

mod consequences;
mod create_product;
mod delete_product;
mod get_product_version;
mod list_products;
mod rules;
mod support;
mod update_product;
mod version_product;

pub(crate) use delete_product::delete_product;
pub(crate) use get_product_version::get_product_version;
