//! The helpers of the service.

pub(crate) mod holder;
pub(crate) mod register;
