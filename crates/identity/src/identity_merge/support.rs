//! The helpers of the service.

pub(crate) mod names;
pub(crate) mod pair;
pub(crate) mod plan;
pub(crate) mod preview;
pub(crate) mod processors;
pub(crate) mod state;
