//! SetPassword and UpdatePassword.

use pavise_kernel::{Call, Error, Result, Unit};
use prost_types::Timestamp;

use super::Identities;
use super::create_token::wrong;
use crate::contract::v1::{Credential, CredentialStatus, Identity, PasswordChange, SetPasswordRequest, UpdatePasswordRequest};
use crate::grants;
use crate::notices::{Letter, Template};
use crate::password::policy;
use crate::sessions::revoke_all;
use crate::throttle::{Kind, Throttle};

pub(super) async fn set_password(service: &Identities, call: &Call, request: SetPasswordRequest) -> Result<PasswordChange> {
    let identity: Identity = call.get(&request.user_id).await?;
    grants::may_change_sign_in(call.caller(), &identity)?;
    let credential = call.find::<Credential>(&identity.id).await?;
    policy::check("password", &request.password, identity.names())?;
    store(service, call, credential, &identity, request.password).await
}

pub(super) async fn update_password(service: &Identities, call: &Call, request: UpdatePasswordRequest) -> Result<PasswordChange> {
    let identity: Identity = call.get(&request.user_id).await?;
    policy::check("new_password", &request.new_password, identity.names())?;
    if request.new_password == request.old_password {
        return Err(Error::field("new_password", "must be another than the old one"));
    }
    // A stolen token must not be a way to guess the password.
    let account = Throttle::key(Kind::Account, &identity.id);
    service.throttle.attempt(&account, call.now())?;
    let credential = call.find::<Credential>(&identity.id).await?;
    let hash = credential.as_ref().map(|credential| credential.password_hash.clone());
    match service.passwords.verify(request.old_password, hash).await {
        Ok(true) => service.throttle.forgive(&account),
        Ok(false) => return Err(wrong("the old password is wrong")),
        Err(error) => {
            service.throttle.withdraw(&account, call.now());
            return Err(error);
        }
    }
    store(service, call, credential, &identity, request.new_password).await
}

async fn store(
    service: &Identities,
    call: &Call,
    before: Option<Credential>,
    identity: &Identity,
    password: String,
) -> Result<PasswordChange> {
    let password_hash = service.passwords.hash(password).await?;
    let mut unit = call.unit();
    let stays = (call.caller().identity == identity.id).then_some(call.caller().session.as_str());
    let changed_at = store_in(service, call, &mut unit, Change { identity, before, password_hash, stays }).await?;
    unit.answer(PasswordChange { identity_id: identity.id.clone(), changed_at }).await
}

/// A new password.
#[derive(Debug)]
pub(super) struct Change<'a> {
    /// Whose it is.
    pub(super) identity: &'a Identity,
    /// What there was.
    pub(super) before: Option<Credential>,
    /// The hash of the new one.
    pub(super) password_hash: String,
    /// The session that does not end.
    pub(super) stays: Option<&'a str>,
}

/// Adds to a commit that a password is stored, every other session ends and the owner is told; answers when.
pub(super) async fn store_in(
    service: &Identities,
    call: &Call,
    unit: &mut Unit<'_>,
    change: Change<'_>,
) -> Result<Option<Timestamp>> {
    let Change { identity, before, password_hash, stays } = change;
    revoke_all(call, unit, &identity.id, stays).await?;
    if let Some(letter) = Letter::to(identity, Template::PasswordChanged) {
        service.notices.enqueue(call, unit, letter)?;
    }
    put(call, unit, before, &identity.id, password_hash, Some(call.timestamp()))?;
    Ok(Some(call.timestamp()))
}

/// Adds a hash to a commit.
pub(super) fn put(
    call: &Call,
    unit: &mut Unit<'_>,
    before: Option<Credential>,
    id: &str,
    password_hash: String,
    password_set_at: Option<Timestamp>,
) -> Result<()> {
    let status = CredentialStatus::Active.into();
    match before {
        Some(before) => {
            let after = Credential { status, password_hash, password_set_at, ..before.clone() };
            unit.update_as(&before, after, call.method().action)?;
        }
        None => {
            let (id, owner_id) = (id.to_owned(), id.to_owned());
            unit.create(Credential { id, owner_id, password_hash, password_set_at, ..Credential::default() })?;
        }
    }
    Ok(())
}
