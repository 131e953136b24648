//! Entries of cards and accounts on a vendor's page.

mod begin_hosted_entry;
mod finish_hosted_entry;

pub(crate) use begin_hosted_entry::begin_hosted_entry;
pub(crate) use finish_hosted_entry::finish_hosted_entry;
