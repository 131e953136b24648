//! The port to the payment vendors, and the vendors that this server can ask.

mod port;
mod registry;
pub(crate) mod stripe;
mod test;

pub(crate) use port::{
    Aftermath, Captures, Decision, EnteredMethod, EntryState, EntryWish, Movement, MovementState, PaymentVendor,
    Preparation, ReferenceState, Verdict,
};
pub(crate) use registry::Vendors;
