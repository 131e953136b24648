//! The helpers of the service.

pub(crate) mod arrears;
pub(crate) mod billing_day;
pub(crate) mod by_days;
pub(crate) mod catalog_prices;
pub(crate) mod change_plan;
pub(crate) mod change_request;
pub(crate) mod change_settlement;
pub(crate) mod change_start;
pub(crate) mod collection;
pub(crate) mod country;
pub(crate) mod days;
pub(crate) mod discounts;
pub(crate) mod dunning;
pub(crate) mod end_at_once;
pub(crate) mod ending;
pub(crate) mod last_days;
pub(crate) mod new_invoice;
pub(crate) mod next_bill;
pub(crate) mod payer;
pub(crate) mod period;
pub(crate) mod prices;
pub(crate) mod retry_schedule;
pub(crate) mod unused_days;
pub(crate) mod waiting_prices;
