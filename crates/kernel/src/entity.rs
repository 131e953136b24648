//! Entities: the traits that generated code implements for them, their documents, and the values that they hold.

pub mod aggregate;
pub mod check_digit;
pub mod codec;
pub(crate) mod document;
pub mod edit;
pub mod money;
pub mod postal;
pub mod regions;
pub mod show;
pub mod words;
