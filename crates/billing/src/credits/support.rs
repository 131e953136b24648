//! The helpers of the service.

pub(crate) mod ledger;
pub(crate) mod taking;
