//! The helpers of the service.

pub(crate) mod cohort;
pub(super) mod count;
pub(super) mod load;
pub(crate) mod pages;
pub(super) mod terms;
