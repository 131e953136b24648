//! The helpers of questionnaires.

pub(crate) mod live;
pub(crate) mod templates;
pub(crate) mod versions;
