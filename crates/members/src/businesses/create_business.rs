//! Makes a business of a member.

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Business, CreateBusinessRequest};
use crate::shared::entitlements::check_entitlements;

impl CheckRequest<CreateBusinessRequest> for Business {
    /// Refuses entitlements of somebody else.
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateBusinessRequest) -> Result<()> {
        let ids = &request.associated_entitlement_ids;
        check_entitlements(call, call.owner(), ids, "associated_entitlement_ids").await
    }
}
