//! The service `businesses`: the businesses of members.

mod change_business_owner;
mod create_business;
mod create_business_from_checkout;
mod find_business_by_entitlement_id;
mod rules;
mod support;
mod update_business_associated_entitlement_ids;
mod verify_business;

pub(crate) use find_business_by_entitlement_id::find_business_by_entitlement_id;
