//! The adapter of Stripe.
//!
//! A charge is a PaymentIntent and a verification a SetupIntent. Each is made first, unconfirmed, and its id recorded; then
//! it is confirmed. An intent moves money once at most, however often and however late it is confirmed, and every question
//! goes by its id. Stripe forgets idempotency keys after a day, so nothing here relies on one for longer.
//!
//! Cards and accounts are entered on Stripe's own page. Drafts on accounts in Canada need the agreement that is made there.

mod adapter;
mod aftermath;
mod client;
mod declines;
mod entry;
mod movements;
mod objects;
pub(crate) mod signature;
mod standing;
mod token;

pub(crate) use adapter::StripeVendor;
