//! The helpers of the service.

pub(crate) mod deduction;
pub(crate) mod employee;
pub(crate) mod first_day;
pub(crate) mod incomplete;
pub(crate) mod waiting;
pub(crate) mod window;
