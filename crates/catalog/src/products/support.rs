//! The helpers of the service.

pub(super) mod benefits;
pub(crate) mod content;
pub(super) mod documents;
pub(super) mod family;
pub(super) mod offered;
pub(super) mod prices;
pub(super) mod version;
