//! The helpers of questionnaires.

pub(crate) mod live;
pub(crate) mod versions;
