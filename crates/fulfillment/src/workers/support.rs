//! What the workers share.

pub(super) mod paid_by;
