//! The helpers of several workers.

pub(crate) mod delivery;
pub(crate) mod merge_report;
