//! The service `orders`: purchases from the first choice until everything is set up.

mod add_supplements;
mod assign_owner;
mod cancel_order;
mod create_anonymous_order;
mod create_group_order;
mod create_order;
mod finish_cancellation;
mod provision_order;
mod purchase_order;
mod put_authorized_users;
mod put_offers;
mod rules;
mod settle_order;
pub(crate) mod support;

pub(crate) use add_supplements::add_supplements;
pub(crate) use assign_owner::assign_owner;
pub(crate) use create_anonymous_order::create_anonymous_order;
pub(crate) use create_group_order::create_group_order;
pub(crate) use create_order::create_order;
pub(crate) use provision_order::provision_order;
pub(crate) use purchase_order::purchase_order;
pub(crate) use put_authorized_users::put_authorized_users;
pub(crate) use put_offers::put_offers;
