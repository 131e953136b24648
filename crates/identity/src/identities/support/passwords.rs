//! Passwords as they are stored: with the end of other sessions, and a notice.

use pavise_kernel::{Call, Error, Result, Unit};
use prost_types::Timestamp;

use crate::contract::v1::{Credential, CredentialStatus, ErrorReason, Identity, PasswordChange};
use crate::identities::Identities;
use crate::sessions::revoke_all;
use crate::shared::addresses;
use crate::shared::notices::Template;
use crate::shared::throttle::{Kind, Throttle};

/// Stores the password of an identity in a commit of its own; `field` is where the caller sent it. The caller's own session does not end.
///
/// # Errors
/// When the password is a leaked one or cannot be hashed now, or the commit fails.
pub(crate) async fn store_password(
    service: &Identities,
    call: &Call,
    before: Option<Credential>,
    identity: &Identity,
    (field, password): (&str, String),
) -> Result<PasswordChange> {
    let password_hash = service.passwords.hash_chosen(field, password).await?;
    let mut unit = call.unit();
    let stays = (call.caller().identity == identity.id).then_some(call.caller().session.as_str());
    let changed_at = store_in(service, call, &mut unit, Change { identity, before, password_hash, stays }).await?;
    unit.commit_answer(PasswordChange { identity_id: identity.id.clone(), changed_at }).await
}

/// A new password.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    /// The owner.
    pub(crate) identity: &'a Identity,
    /// The credential before the change.
    pub(crate) before: Option<Credential>,
    /// The hash of the new one.
    pub(crate) password_hash: String,
    /// The session that does not end.
    pub(crate) stays: Option<&'a str>,
}

/// Adds a new password to a commit. Every other session ends, and the owner gets a notice. Answers the time of the
/// change.
pub(crate) async fn store_in(
    service: &Identities,
    call: &Call,
    unit: &mut Unit<'_>,
    change: Change<'_>,
) -> Result<Option<Timestamp>> {
    let Change { identity, before, password_hash, stays } = change;
    revoke_all(call, unit, &identity.id, stays).await?;
    for letter in addresses::build_letters(call, identity, Template::PasswordChanged).await? {
        service.notices.enqueue_letter(call, unit, letter)?;
    }
    put_hash(call, unit, before, &identity.id, password_hash, Some(call.timestamp()))?;
    Ok(Some(call.timestamp()))
}

/// Checks that the caller knows the password of the identity, and counts wrong ones: a stolen token must not be a way to
/// guess it. Answers the credential.
///
/// # Errors
/// `WRONG_CREDENTIALS` with that message, `SIGN_IN_THROTTLED`.
pub(crate) async fn check_own_password(
    service: &Identities,
    call: &Call,
    identity_id: &str,
    password: String,
    message: &str,
) -> Result<Option<Credential>> {
    let account = Throttle::key(Kind::Account, identity_id);
    service.throttle.count_attempt(&account, call.machine_now())?;
    let credential = call.find_unscoped::<Credential>(identity_id).await?;
    let hash = credential.as_ref().map(|credential| credential.password_hash.clone());
    match service.passwords.verify_password(password, hash).await {
        Ok(true) => {
            service.throttle.forgive_failures(&account, call.machine_now());
            Ok(credential)
        }
        Ok(false) => Err(wrong_password_error(message)),
        Err(error) => {
            service.throttle.withdraw_attempt(&account, call.machine_now());
            Err(error)
        }
    }
}

/// Adds a hash to a commit.
pub(crate) fn put_hash(
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

/// The refusal of a wrong name or password.
pub(crate) fn wrong_password_error(message: &str) -> Error {
    Error::new(ErrorReason::WrongCredentials, message)
}
