//! The helpers of the service.

pub(crate) mod card;
pub(crate) mod cooldown;
pub(crate) mod defaults;
pub(crate) mod details;
pub(crate) mod kind;
pub(crate) mod new_payment_method;
pub(crate) mod successor;
pub(crate) mod vendor_token;
