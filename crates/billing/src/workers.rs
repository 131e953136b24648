//! Workers: what was begun ends, whoever went away.

mod resolve;
mod settle;

pub(crate) use resolve::Resolve;
pub(crate) use settle::Settle;
