//! The helpers of the service.

pub(super) mod reversal;
pub(super) mod stripe_event;
