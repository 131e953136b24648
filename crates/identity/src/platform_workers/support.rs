//! The helpers of the service.

pub(crate) mod orders;
