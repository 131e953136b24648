//! Helpers of several services.

pub(crate) mod template_text;
