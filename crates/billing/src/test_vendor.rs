//! The TEST vendor. Its ledger proves how often money moved.

mod find_test_vendor_entry;
mod submit_test_vendor_payment;
mod support;

pub(crate) use find_test_vendor_entry::find_test_vendor_entry;
pub(crate) use submit_test_vendor_payment::submit_test_vendor_payment;
