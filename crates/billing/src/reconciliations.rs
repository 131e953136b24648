//! The comparison of a vendor's movements of money with ours.

mod compare_movements;
mod compare_transaction;
mod download_reconciliation;
mod finish_reconciliation;
pub(crate) mod support;

pub(crate) use compare_movements::compare_movements;
pub(crate) use compare_transaction::compare_transaction;
pub(crate) use download_reconciliation::download_reconciliation;
pub(crate) use finish_reconciliation::finish_reconciliation;
