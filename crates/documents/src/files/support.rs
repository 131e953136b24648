//! The helpers of files.

pub(crate) mod clamd;
pub(crate) mod content;
pub(crate) mod download;
pub(crate) mod links;
pub(crate) mod named;
pub(crate) mod pages;
pub(crate) mod pdf_scan;
pub(crate) mod storing;
