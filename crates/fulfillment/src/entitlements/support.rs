//! The helpers of the service.

pub(crate) mod bought;
pub(crate) mod contracts;
pub(crate) mod covered;
pub(crate) mod fulfillment;
pub(crate) mod membership_number;
pub(crate) mod people;
pub(crate) mod same_plan;
pub(crate) mod state_elsewhere;
