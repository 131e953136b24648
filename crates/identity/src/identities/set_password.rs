//! Sets a password for a program that holds the permission, as a migration does, whatever it was before.

use pavise_kernel::{Call, Result};

use super::support::passwords::store_password;
use crate::contract::v1::{Credential, Identity, PasswordChange, SetPasswordRequest};
use crate::shared::grants;
use crate::shared::password::policy;
use crate::shared::tools::Tools as _;

pub(crate) async fn set_password(call: &Call, request: SetPasswordRequest) -> Result<PasswordChange> {
    let service = call.identities()?;
    let identity: Identity = call.get(&request.user_id).await?;
    grants::check_sign_in_change(call, &identity)?;
    let credential = call.find_unscoped::<Credential>(&identity.id).await?;
    policy::check_password("password", &request.password, identity.names())?;
    store_password(&service, call, credential, &identity, ("password", request.password)).await
}
