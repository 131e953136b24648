//! Gives an amendment to the member who holds its entitlement now.

use std::slice::from_ref;

use pavise_kernel::{Call, CheckRequest, Result};

use crate::contract::v1::{Amendment, ChangeAmendmentOwnerRequest};
use crate::shared::entitlements::check_moved;

impl CheckRequest<ChangeAmendmentOwnerRequest> for Amendment {
    async fn check_request(call: &Call, entity: Option<&Self>, request: &ChangeAmendmentOwnerRequest) -> Result<()> {
        let Some(amendment) = entity else { return Ok(()) };
        check_moved(call, &amendment.owner_id, &request.new_owner_id, from_ref(&amendment.entitlement_id)).await
    }
}
