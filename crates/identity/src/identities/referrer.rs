//! UpdateReferrer: recorded and removed are two actions of the journal.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Identity, UpdateReferrerRequest};

pub(super) async fn update_referrer(call: &Call, request: &UpdateReferrerRequest) -> Result<Identity> {
    let action = if request.referrer.is_empty() { "REFERRER_REMOVED" } else { "REFERRER_ADDED" };
    let edit = |identity: &mut Identity| {
        identity.referrer.clone_from(&request.referrer);
        Ok(())
    };
    call.change_as(&request.identity_id, action, edit).await
}
