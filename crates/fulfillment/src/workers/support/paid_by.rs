//! The entitlements that a subscription pays for.

use pavise_kernel::store::Filter;
use pavise_kernel::worker::Work;
use pavise_kernel::{Error, Result};

use crate::contract::ENTITLEMENT_TABLE;
use crate::contract::lookups;
use crate::contract::v1::EntitlementStatus;

/// The most entitlements of one subscription.
const MOST: u32 = 500;

/// Finds the entitlements that the subscription pays for: owners and ids.
pub(crate) async fn find_paid_by(work: &Work, subscription: &str) -> Result<Vec<(String, String)>> {
    let lookup = ENTITLEMENT_TABLE
        .lookup(lookups::entitlement::SUBSCRIPTION_ID)
        .ok_or_else(|| Error::internal("entitlements have no subscription"))?;
    let filter = Filter {
        statuses: [EntitlementStatus::Active, EntitlementStatus::Suspended]
            .map(|status| status.spelling().to_owned())
            .to_vec(),
        lookups: vec![(lookup, subscription.to_owned())],
        limit: MOST,
        ..Filter::default()
    };
    let rows = work.kernel().store().list(&ENTITLEMENT_TABLE, &filter).await?;
    Ok(rows.into_iter().map(|row| (row.owner_id, row.id)).collect())
}
