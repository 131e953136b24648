//! The helpers of the service.

pub(super) mod failed_refund;
pub(super) mod reversal;
pub(super) mod stripe_event;
