//! The helpers of the service.

pub(super) mod text;
