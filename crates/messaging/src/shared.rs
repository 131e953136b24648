//! Helpers of several services.

pub(crate) mod channels;
pub(crate) mod locales;
pub(crate) mod retries;
pub(crate) mod template_text;
pub(crate) mod times;
pub(crate) mod values;
