//! Amends the contract of an entitlement of the member.

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Amendment, CreateAmendmentRequest};
use crate::shared::entitlements::check_entitlement;

impl CheckRequest<CreateAmendmentRequest> for Amendment {
    async fn check_request(call: &Call, _: Option<&Self>, request: &CreateAmendmentRequest) -> Result<()> {
        check_entitlement(call, call.owner(), &request.entitlement_id, "entitlement_id").await
    }
}
