//! Parts of several calls of eligibility.

pub(super) mod answers;
pub(super) mod catalog;
pub(super) mod grants;
pub(super) mod promises;
pub(super) mod reasons;
