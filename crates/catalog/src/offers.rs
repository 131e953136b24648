//! The service `offers`: the bundles of products that each brand sells.

mod add_products;
mod consequences;
mod create_offer;
mod list_offers;
mod migrate_group_offer;
mod migrate_offer;
mod provision_immediately;
mod provision_on_first_use;
mod rules;
mod support;
mod update_available_localities;
mod update_offer;
mod update_products;
mod validate_selections;

pub(crate) use list_offers::list_offers;
pub(crate) use migrate_group_offer::migrate_group_offer;
pub(crate) use migrate_offer::migrate_offer;
#[cfg(test)]
pub(crate) use support::products::check_sellable;
pub(crate) use validate_selections::validate_selections;
