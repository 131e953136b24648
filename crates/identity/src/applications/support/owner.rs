//! The identities that can own applications.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{Identity, IdentityRealm};

/// The identity that shall own an application.
///
/// # Errors
/// `NOT_FOUND`, `NOT_IN_THIS_REALM`.
pub(crate) async fn load_owner(call: &Call, id: &str) -> Result<Identity> {
    let identity = call.find_unscoped::<Identity>(id).await?.ok_or_else(|| Error::not_found("identity", id))?;
    if may_have_applications(&identity) { Ok(identity) } else { Err(identity.realm().lacks_error("applications")) }
}

pub(crate) fn may_have_applications(identity: &Identity) -> bool {
    matches!(identity.realm(), IdentityRealm::Machine | IdentityRealm::Internal)
}
