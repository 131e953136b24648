//! Provisions: bought offers on their way to identities, a subscription and entitlements.

mod rules;

mod add_business;
mod add_classic_map;
mod add_entitlement;
mod add_identity_id;
mod add_subscription;
mod create_provision;
mod process_plan_changes;
mod process_provisions;
mod profile_checked;
mod profile_merged;
mod reinstate;
mod submit_as_new;
mod submit_plan_changes;
pub(crate) mod support;
mod suspend;
mod update_provision_fields;
mod update_reinstatement_status;
mod update_status;

pub(crate) use create_provision::create_provision;
pub(crate) use process_plan_changes::process_plan_changes;
pub(crate) use process_provisions::process_provisions;
pub(crate) use submit_plan_changes::submit_plan_changes;
