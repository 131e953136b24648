//! Finds the ledger entry of a reference.

use pavise_kernel::{Aggregate, Call, Error, Result};

use crate::contract::lookups::test_vendor_entry as lookups;
use crate::contract::v1::{FindTestVendorEntryRequest, TestVendorEntry};

/// Finds the entry by its reference.
pub(crate) async fn find_test_vendor_entry(
    call: &Call,
    request: FindTestVendorEntryRequest,
) -> Result<TestVendorEntry> {
    let entry = call.find_unscoped_by::<TestVendorEntry>(lookups::REFERENCE, &request.reference).await?;
    entry.ok_or_else(|| Error::not_found(TestVendorEntry::TABLE.noun, &request.reference))
}
