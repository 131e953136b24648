//! Replaces a password when its owner shows the old one.

use pavise_kernel::{Call, Error, Result};

use super::support::passwords::{check_own_password, store_password};
use crate::contract::v1::{Identity, PasswordChange, UpdatePasswordRequest};
use crate::shared::password::policy;
use crate::shared::tools::Tools as _;

pub(crate) async fn update_password(call: &Call, request: UpdatePasswordRequest) -> Result<PasswordChange> {
    let service = call.identities()?;
    let identity: Identity = call.get(&request.user_id).await?;
    policy::check_password("new_password", &request.new_password, identity.names())?;
    if request.new_password == request.old_password {
        return Err(Error::field("new_password", "must be another than the old one"));
    }
    let credential =
        check_own_password(&service, call, &identity.id, request.old_password, "the old password is wrong").await?;
    store_password(&service, call, credential, &identity, ("new_password", request.new_password)).await
}
