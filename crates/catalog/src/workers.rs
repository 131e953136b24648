//! The workers of the catalog.

mod expired_names;

pub(crate) use expired_names::ExpiredNames;
