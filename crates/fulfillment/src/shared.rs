//! The helpers of several services.

pub(crate) mod answer;
