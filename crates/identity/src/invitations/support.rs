//! The helpers of the service.

pub(crate) mod code;
pub(crate) mod letter;
pub(crate) mod pending;
pub(crate) mod state;
