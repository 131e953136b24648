//! The workers of billing: they finish what calls began, and end subscriptions on their day.

mod caught_up;
mod endings;
mod finish_payments;
mod post;
mod resolve;

pub(crate) use caught_up::{CatchingUp, CaughtUp};
pub(crate) use endings::Endings;
pub(crate) use finish_payments::FinishPayments;
pub(crate) use post::Post;
pub(crate) use resolve::Resolve;
