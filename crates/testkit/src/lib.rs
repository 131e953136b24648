//! What tests need of the machine they run on.

pub mod postgres;
