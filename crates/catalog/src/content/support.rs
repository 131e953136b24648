//! The helpers of the service.

pub(super) mod completeness;
pub(super) mod draft;
pub(super) mod expand;
pub(super) mod fit;
pub(super) mod markdown;
pub(super) mod reader;
