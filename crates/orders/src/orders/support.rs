//! The helpers of the service.

pub(crate) mod charge;
pub(crate) mod draft;
pub(crate) mod held;
pub(crate) mod new_order;
pub(crate) mod payment_method;
pub(crate) mod people;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod price;
pub(crate) mod problem;
pub(crate) mod quote;
pub(crate) mod totals;
