//! The helpers of the service.

pub(crate) mod area;
pub(crate) mod calculation;
pub(crate) mod day;
pub(crate) mod in_force;
pub(crate) mod rate;
pub(crate) mod sample;
