//! Workers: what was begun ends, whoever went away.

mod post;
mod resolve;
mod settle;

pub(crate) use post::Post;
pub(crate) use resolve::Resolve;
pub(crate) use settle::Settle;
