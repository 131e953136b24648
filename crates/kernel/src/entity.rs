//! Entities: the traits that generated code implements for them, their documents, and the values that they hold.

pub(crate) mod admit;
pub mod aggregate;
pub mod codec;
pub(crate) mod disclosed_owners;
pub(crate) mod document;
pub mod due;
pub mod edit;
pub mod mask;
pub mod money;
pub(crate) mod parent;
mod rows;
pub mod show;
pub(crate) mod siblings;
pub(crate) mod tie_claim;
pub mod tree_position;
pub(crate) mod value_check;
pub mod words;
