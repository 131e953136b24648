//! The helpers of businesses.

pub(crate) mod identifiers;
pub(crate) mod lists;
