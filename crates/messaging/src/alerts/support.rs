//! The helpers of the service.

pub(super) mod escalation;
pub(super) mod template;
