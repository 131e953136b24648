//! The helpers of templates.

pub(crate) mod completeness;
