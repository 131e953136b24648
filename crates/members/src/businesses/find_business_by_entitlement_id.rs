//! Finds the business that an entitlement is for.

use pavise_kernel::error::Common;
use pavise_kernel::{Call, Error, Page, Result};

use crate::contract::lookups::business as lookups;
use crate::contract::v1::{Business, BusinessStatus, FindBusinessByEntitlementIdRequest};

/// Finds the newest business with the entitlement, an open one before a closed one.
pub(crate) async fn find_business_by_entitlement_id(
    call: &Call,
    request: FindBusinessByEntitlementIdRequest,
) -> Result<Business> {
    for status in [BusinessStatus::Opened, BusinessStatus::Closed] {
        let filters = vec![
            (lookups::ASSOCIATED_ENTITLEMENT_IDS, request.entitlement_id.clone()),
            (lookups::STATUS, status.spelling().to_owned()),
        ];
        let (found, _) = call.list_page::<Business>(Page { size: 1, token: "", filters }).await?;
        if let Some(newest) = found.first() {
            return call.get(&newest.id).await;
        }
    }
    Err(Error::new(Common::NotFound, "no business has this entitlement"))
}
