//! The helpers of the service.

pub(super) mod cohorts;
pub(crate) mod content;
pub(super) mod groups;
pub(crate) mod offered_product;
pub(crate) mod products;
pub(crate) mod reader;
pub(super) mod versions;
