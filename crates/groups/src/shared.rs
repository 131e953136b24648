//! What the services of the domain share.

pub(crate) mod group;
