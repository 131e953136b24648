//! The helpers of the service.

pub(crate) mod arrears;
pub(crate) mod billing_day;
pub(crate) mod collection;
pub(crate) mod country;
pub(crate) mod days;
pub(crate) mod dunning;
pub(crate) mod ending;
pub(crate) mod new_invoice;
pub(crate) mod period;
pub(crate) mod prices;
pub(crate) mod retry_schedule;
