//! The service `product_families`: the groups of products of one kind, as the shop shows them.

mod create_product_family;
mod delete_product_family;
mod rules;
mod support;
mod update_family_description;
mod update_family_name;

pub(crate) use delete_product_family::delete_product_family;
