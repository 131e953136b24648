//! Taxes: which area a place is in, which rates are in force there on a day, what they make of an amount.

pub(crate) mod area;
pub(crate) mod calculate;
mod calls;
pub(crate) mod rate;
pub(crate) mod sample;

pub(crate) use calls::*;
