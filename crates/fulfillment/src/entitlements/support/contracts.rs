//! The contracts of an entitlement.

use pavise_kernel::common::v1::Date;

use crate::contract::v1::EntitlementContract;

/// Lets contracts without a first day begin on `first`.
pub(crate) fn begin_contracts(contracts: &mut [EntitlementContract], first: Date) {
    for contract in contracts {
        contract.effective_on.get_or_insert(first);
    }
}
