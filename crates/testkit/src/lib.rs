//! What tests need of the machine they run on.

pub mod chance;
pub mod faults;
pub mod logs;
pub mod postgres;
