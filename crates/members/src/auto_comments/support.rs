//! The helpers of auto comments.

mod templates;
pub(crate) mod texts;
