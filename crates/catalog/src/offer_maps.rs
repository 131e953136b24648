//! The service `offer_maps`: what the classic system calls the things that an offer sells.

mod add_map_product;
mod create_offer_map;
mod delete_offer_map;
mod plan_map;
mod rules;
mod support;
mod update_map_product;

pub(crate) use delete_offer_map::delete_offer_map;
pub(crate) use plan_map::plan_map;
