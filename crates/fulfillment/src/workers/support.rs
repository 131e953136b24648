//! Parts of several workers.

pub(super) mod paid_by;
