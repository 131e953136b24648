//! Gives a business to another member.

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Business, ChangeBusinessOwnerRequest};
use crate::shared::entitlements::check_moved;

impl CheckRequest<ChangeBusinessOwnerRequest> for Business {
    /// Refuses while the owner before holds an entitlement of the business.
    async fn check_request(call: &Call, entity: Option<&Self>, request: &ChangeBusinessOwnerRequest) -> Result<()> {
        let Some(business) = entity else { return Ok(()) };
        let ids = &business.associated_entitlement_ids;
        check_moved(call, &business.owner_id, &request.new_owner_id, ids).await
    }
}
