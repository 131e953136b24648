//! The helpers of several services.

pub(crate) mod amount;
pub(crate) mod days;
pub(crate) mod tools;
