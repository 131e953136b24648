//! Events of payment vendors: signed, stored once, and a reason to ask.

mod handle_vendor_event;
mod receive_stripe_events;
mod support;

pub(crate) use handle_vendor_event::handle_vendor_event;
pub(crate) use receive_stripe_events::receive_stripe_events;
