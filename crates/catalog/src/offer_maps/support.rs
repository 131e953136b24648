//! The helpers of the service.

pub(super) mod parts;
pub(super) mod plan;
