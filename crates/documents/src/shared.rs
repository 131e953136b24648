//! The helpers of several services of documents.

pub(crate) mod answer_text;
pub(crate) mod bench;
pub(crate) mod filling;
pub(crate) mod letters;
pub(crate) mod logic;
pub(crate) mod printing;
pub(crate) mod review;
pub(crate) mod tools;
pub(crate) mod violations;
