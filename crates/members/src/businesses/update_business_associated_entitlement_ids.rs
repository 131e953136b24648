//! Replaces the owner's entitlements that are for a business.

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Business, UpdateBusinessAssociatedEntitlementIdsRequest};
use crate::shared::entitlements::check_entitlements;

impl CheckRequest<UpdateBusinessAssociatedEntitlementIdsRequest> for Business {
    /// Refuses entitlements of somebody else than the owner.
    async fn check_request(
        call: &Call,
        entity: Option<&Self>,
        request: &UpdateBusinessAssociatedEntitlementIdsRequest,
    ) -> Result<()> {
        let Some(business) = entity else { return Ok(()) };
        let ids = &request.associated_entitlement_ids;
        check_entitlements(call, &business.owner_id, ids, "associated_entitlement_ids").await
    }
}
