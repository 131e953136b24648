//! The helpers of answers.

pub(crate) mod access_code;
pub(crate) mod begin;
pub(crate) mod copy;
pub(crate) mod fill;
pub(crate) mod people;
pub(crate) mod reminders;
pub(crate) mod replace;
pub(crate) mod values;
pub(crate) mod visitor;
