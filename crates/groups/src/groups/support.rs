//! The helpers of the service.

pub(crate) mod complete;
pub(crate) mod draft;
pub(crate) mod lists;
pub(crate) mod offers;
pub(crate) mod people;
pub(crate) mod reader;
