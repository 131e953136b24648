//! The helpers of the service `relations`.

pub(super) mod people;
pub(super) mod seen;
