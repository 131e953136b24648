//! The service `groups`: employer groups, and who acts for them.

mod add_authorized_identities;
mod add_broker;
mod add_offer_ids;
mod cancel_group;
mod consequences;
mod create_group;
mod migrate_authorized_identities;
mod migrate_group;
mod migrate_offers;
mod record_granted_roles;
mod remove_authorized_identity_divisions;
mod rules;
mod set_pending;
pub(crate) mod support;
mod update_authorized_identities;
mod update_authorized_identity_divisions;
mod update_broker;
mod update_country_identifier;
mod update_offer_ids;

pub(crate) use migrate_group::migrate_group;
