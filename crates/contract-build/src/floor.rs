//! Parts that the generators share. They import no generator.

pub(crate) mod answers;
pub(crate) mod entities;
pub(crate) mod fields;
pub(crate) mod rule;
