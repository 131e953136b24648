//! The helpers of the service.

pub(crate) mod compare;
pub(crate) mod ids;
pub(super) mod rows;
pub(super) mod table;
