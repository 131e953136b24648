//! The port to the payment vendors, and the vendors that this server can ask.

mod port;
mod registry;
mod test;

pub(crate) use port::{Decision, PaymentVendor, ReferenceState, Verdict};
pub(crate) use registry::Vendors;
