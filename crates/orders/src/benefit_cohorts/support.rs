//! Parts of several calls of benefit cohorts.

pub(super) mod active_benefits;
