//! The helpers of several services of members.

pub(crate) mod entitlements;
pub(crate) mod erasures;
pub(crate) mod found;
pub(crate) mod open_records;
pub(crate) mod person_parts;
