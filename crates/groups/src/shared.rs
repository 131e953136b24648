//! The code that the services of the domain share.

pub(crate) mod group;
