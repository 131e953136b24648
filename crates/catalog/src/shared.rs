//! The helpers of several services.

pub(crate) mod family;
pub(crate) mod file;
pub(crate) mod name;
pub(crate) mod place;
pub(crate) mod price;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod selection;
pub(crate) mod violations;
