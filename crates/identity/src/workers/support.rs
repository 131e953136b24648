//! The helpers of several workers.

pub(crate) mod merge_report;
