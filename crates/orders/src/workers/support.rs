//! The helpers of several workers.

pub(crate) mod entry;
