//! The helpers of several services.

pub(crate) mod admission;
pub(crate) mod csv;
pub(crate) mod export_days;
pub(crate) mod letters;
pub(crate) mod money;
pub(crate) mod pages;
pub(crate) mod retry;
pub(crate) mod sellers;
pub(crate) mod tools;
pub(crate) mod transactions;
pub(crate) mod vendor;
