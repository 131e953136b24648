//! The helpers of the service.

pub(crate) mod arrears;
pub(crate) mod billing_day;
pub(crate) mod country;
pub(crate) mod days;
pub(crate) mod ending;
pub(crate) mod prices;
pub(crate) mod retry_schedule;
