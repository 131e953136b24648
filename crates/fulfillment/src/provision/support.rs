//! The helpers of the service.

pub(crate) mod collisions;
pub(crate) mod contents;
pub(crate) mod lifecycle;
pub(crate) mod lines;
pub(crate) mod plan_change;
pub(crate) mod recorded;
pub(crate) mod reinstatement;
