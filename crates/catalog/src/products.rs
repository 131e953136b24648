//! The service `products`: what is sold, in tiers and with supplements.

mod content;
mod create_product;
mod delete_product;
mod list_products;
mod rules;
mod update_product;

pub(crate) use delete_product::delete_product;
