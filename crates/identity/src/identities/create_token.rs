//! Signs in with a name and a password.

use pavise_kernel::{Call, Result};

use super::Identities;
use super::support::name::{EMAIL, one_name};
use super::support::passwords::wrong_password_error;
use crate::contract::v1::{AccessToken, CreateTokenRequest, Credential, EmailAddress, Identity};
use crate::contract::{actions, lookups};
use crate::factors::support::challenge;
use crate::sessions::SignIn;
use crate::shared::addresses;
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

/// Neither the answer nor its time shows whether the name or the password was wrong. Both cases do the same reads and
/// the same hashing. The identity is read only after the password was right, because its size differs.
pub(crate) async fn create_token(call: &Call, request: CreateTokenRequest) -> Result<AccessToken> {
    let service = &*call.identities()?;
    let (lookup, name) = one_name(&request.email, &request.username)?;
    let address = Throttle::key(Kind::Address, call.address());
    // Wrong passwords make the account wait, except at an address that the owner signed in from before.
    let known = Some(Throttle::known_key(name, call.address())).filter(|_| !call.address().is_empty());
    let known = known.filter(|known| service.throttle.is_known(known, call.machine_now()));
    if known.is_none() {
        service.throttle.check_wait(&address, call.machine_now())?;
    }
    let account = known.unwrap_or_else(|| Throttle::key(Kind::Account, name));
    service.throttle.count_attempt(&account, call.machine_now())?;
    match prove(service, call, lookup, name, request.password.clone()).await {
        Ok(Some((identity, credential))) => {
            service.throttle.forgive_failures(&account, call.machine_now());
            remember(service, call, &identity, name);
            renew_hash(service, call, credential, request.password).await;
            let sign_in = SignIn { method: "password", cookie: request.cookie };
            match challenge::create_challenge(call, &identity, sign_in).await? {
                Some(challenge) => Ok(challenge),
                None => service.sessions.open(call, &identity, sign_in).await,
            }
        }
        Ok(None) => {
            // Calls without a known address are not counted together.
            if !call.address().is_empty() {
                service.throttle.count_failure(&address, call.machine_now());
            }
            Err(wrong_password_error("the e-mail address, the username or the password is wrong"))
        }
        Err(error) => {
            service.throttle.withdraw_attempt(&account, call.machine_now());
            Err(error)
        }
    }
}

/// Remembers the address of a sign-in for all names of the account.
fn remember(service: &Identities, call: &Call, identity: &Identity, given: &str) {
    if !call.address().is_empty() {
        for name in identity.names().chain([given]) {
            service.throttle.remember_known(Throttle::known_key(name, call.address()), call.machine_now());
        }
    }
}

/// The identity of that name, if the password is its own.
async fn prove(
    service: &Identities,
    call: &Call,
    lookup: &str,
    name: &str,
    password: String,
) -> Result<Option<(Identity, Credential)>> {
    let proved = call.find_id_by::<Identity>(lookup, name).await?;
    // The maker of a sign-up signs in with its address until somebody has proved it. The claim has the identity's id. It is
    // always looked up, so that the time does not show whether the name is known.
    let claimed = call.find_id_by::<EmailAddress>(lookups::email_address::SIGN_IN_ADDRESS, name).await?;
    let is_claimed = proved.is_none();
    let id = proved.or_else(|| claimed.filter(|_| lookup == EMAIL));
    call.note_identity(id.as_deref().unwrap_or_default());
    let read_by = service.credentials.read_by::<Credential>(call, id.as_deref()).await?;
    let read = call.find_unscoped::<Credential>(&read_by).await?;
    service.credentials.was_there(&read_by, read.is_some());
    let known = id.zip(read);
    let hash = known.as_ref().map(|(_, credential)| credential.password_hash.clone());
    let good = service.passwords.verify_password(password, hash).await?;
    let Some((id, credential)) = known.filter(|_| good) else { return Ok(None) };
    // A claim lapses by its time, and not only when the worker comes to remove it.
    if is_claimed && !addresses::is_waiting(call, &id).await? {
        return Ok(None);
    }
    Ok(call.find_unscoped::<Identity>(&id).await?.map(|identity| (identity, credential)))
}

/// Hashes the password again if the configured parameters have changed. A failure does not refuse the sign-in.
async fn renew_hash(service: &Identities, call: &Call, before: Credential, password: String) {
    if !service.passwords.is_outdated(&before.password_hash) {
        return;
    }
    let renewed = async {
        let password_hash = service.passwords.hash(password).await?;
        let mut unit = call.unit();
        unit.update_as(
            &before,
            Credential { password_hash, ..before.clone() },
            actions::identity_audit::PASSWORD_REHASHED,
        )?;
        unit.commit().await
    };
    if let Err(error) = renewed.await {
        tracing::info!(reason = error.reason(), "a password's hash was not renewed");
    }
}
