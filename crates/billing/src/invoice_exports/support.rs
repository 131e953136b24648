//! The helpers of exports.

pub(crate) mod table;
