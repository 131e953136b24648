//! Entitlements: the products that members may use.

mod rules;

mod activate_entitlement;
mod add_authorized_users;
mod add_contracts;
mod add_delegates;
mod cancel_entitlement;
mod change_person;
mod change_product;
mod change_service_area;
mod create_entitlement;
mod end_entitlement;
mod follow_subscription_payment;
mod fulfill_entitlement;
mod import_entitlement;
mod list_coverages;
mod migrate_entitlement;
mod reassign_owner;
mod remove_authorized_users;
mod remove_delegates;
mod replace_authorized_user;
mod replace_delegate;
mod set_up_entitlement;
mod support;

pub(crate) use add_authorized_users::add_authorized_users;
pub(crate) use change_product::change_product;
pub(crate) use change_service_area::change_service_area;
pub(crate) use create_entitlement::create_entitlement;
pub(crate) use import_entitlement::import_entitlement;
pub(crate) use list_coverages::list_coverages;
