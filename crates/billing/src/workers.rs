//! The workers of billing: they finish what calls began, and end subscriptions on their day.

mod caught_up;
mod endings;
mod post;
mod resolve;
mod settle;

pub(crate) use caught_up::{CatchingUp, CaughtUp};
pub(crate) use endings::Endings;
pub(crate) use post::Post;
pub(crate) use resolve::Resolve;
pub(crate) use settle::Settle;
