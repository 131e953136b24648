//! The helpers of several services of members.

pub(crate) mod entitlements;
pub(crate) mod found;
