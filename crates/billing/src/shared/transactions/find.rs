//! Transactions by the vendor's reference.

use pavise_kernel::{Call, Result};

use crate::contract::lookups::transaction as lookups;
use crate::contract::v1::{Transaction, Vendor};

/// Lists the transactions with that reference at a vendor, newest first: an authorization and its charge have the same.
pub(crate) async fn list_by_vendor_reference(call: &Call, vendor: Vendor, reference: &str) -> Result<Vec<Transaction>> {
    if reference.is_empty() {
        return Ok(Vec::new());
    }
    // Nothing is committed.
    let mut known: Vec<Transaction> = call.unit().expects_by(lookups::VENDOR_REFERENCE, reference).await?;
    known.retain(|transaction| transaction.vendor() == vendor);
    Ok(known)
}
