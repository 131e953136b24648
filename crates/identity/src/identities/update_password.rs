//! UpdatePassword: the owner replaces the password, and shows the old one.

use pavise_kernel::{Call, Error, Result};

use super::Identities;
use super::passwords::{store, wrong};
use crate::contract::v1::{Credential, Identity, PasswordChange, UpdatePasswordRequest};
use crate::password::policy;
use crate::throttle::{Kind, Throttle};

pub(crate) async fn update_password(call: &Call, request: UpdatePasswordRequest) -> Result<PasswordChange> {
    let service = call.provided::<Identities>()?;
    let identity: Identity = call.get(&request.user_id).await?;
    policy::check("new_password", &request.new_password, identity.names())?;
    if request.new_password == request.old_password {
        return Err(Error::field("new_password", "must be another than the old one"));
    }
    // A stolen token must not be a way to guess the password.
    let account = Throttle::key(Kind::Account, &identity.id);
    service.throttle.attempt(&account, call.now())?;
    let credential = call.find_unscoped::<Credential>(&identity.id).await?;
    let hash = credential.as_ref().map(|credential| credential.password_hash.clone());
    match service.passwords.verify(request.old_password, hash).await {
        Ok(true) => service.throttle.forgive(&account, call.now()),
        Ok(false) => return Err(wrong("the old password is wrong")),
        Err(error) => {
            service.throttle.withdraw(&account, call.now());
            return Err(error);
        }
    }
    store(&service, call, credential, &identity, ("new_password", request.new_password)).await
}
