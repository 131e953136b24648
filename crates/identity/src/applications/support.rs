//! The helpers of the service.

pub(crate) mod key;
pub(crate) mod owner;
pub(crate) mod prove;
pub(crate) mod state;
