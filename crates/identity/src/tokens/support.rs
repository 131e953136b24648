//! The helpers of the service.

pub(crate) mod public_key;
pub(crate) mod state;
