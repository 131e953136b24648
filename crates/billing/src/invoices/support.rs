//! The helpers of the service.

pub(crate) mod charge;
pub(crate) mod collecting;
pub(crate) mod finish;
pub(crate) mod items;
pub(crate) mod payments;
pub(crate) mod recorded_transaction;
pub(crate) mod sums;
