//! DeleteIdentity: removes an identity and its password in one commit.

use pavise_kernel::{Call, Result};

use crate::contract::v1::{Credential, DeleteIdentityRequest, Identity};
use crate::{factors, merges};

pub(super) async fn delete_identity(call: &Call, request: &DeleteIdentityRequest) -> Result<Identity> {
    let identity: Identity = call.get(&request.identity_id).await?;
    call.permit(&identity)?;
    merges::free(call, std::slice::from_ref(&identity.id), "").await?;
    let mut unit = call.unit();
    if let Some(credential) = call.find::<Credential>(&identity.id).await? {
        unit.remove(credential)?;
    }
    factors::remove_all(call, &mut unit, &identity.id).await?;
    let identity = unit.remove(identity)?;
    unit.answer(identity).await
}
