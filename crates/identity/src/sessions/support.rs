//! The helpers of the service.

pub(crate) mod address;
pub(crate) mod cookie;
pub(crate) mod ending;
pub(crate) mod impersonation;
pub(crate) mod limits;
pub(crate) mod open;
pub(crate) mod proof;
pub(crate) mod revocations;
pub(crate) mod session;
pub(crate) mod state;
pub(crate) mod token;
