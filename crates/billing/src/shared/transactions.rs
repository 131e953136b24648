//! Transactions. Each is recorded, then the vendor is asked, then the outcome is recorded.

pub(crate) mod begin;
mod declines;
pub(crate) mod find;
pub(crate) mod finish;
pub(crate) mod perform;
pub(crate) mod plan;
pub(crate) mod share;
