//! The helpers of several services of documents.

pub(crate) mod logic;
pub(crate) mod violations;
