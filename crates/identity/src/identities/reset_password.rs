//! Sets a new password with the code of a letter.

use pavise_kernel::time::to_micros;
use pavise_kernel::{Call, Common, Error, Result, Unit};

use super::Identities;
use super::support::name::EMAIL;
use super::support::passwords::{Change, store_in};
use crate::contract::actions;
use crate::contract::v1::{
    Credential, EmailAddress, ErrorReason, Identity, PasswordChange, PasswordReset, PasswordResetStatus,
    ResetPasswordRequest,
};
use crate::shared::addresses;
use crate::shared::password::policy;
use crate::shared::resets;
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

/// How many wrong codes end a code. One address alone cannot send so many while the code is good.
const MOST_ATTEMPTS: i32 = 20;
/// How often the change is retried after a conflict.
const ATTEMPTS: u32 = 5;
/// How often the count of a wrong code is retried.
const GUESSES: u32 = 40;

/// A wrong, old or used code and an unknown identity are refused alike.
pub(crate) async fn reset_password(call: &Call, request: ResetPasswordRequest) -> Result<PasswordChange> {
    let service = &*call.identities()?;
    policy::check_password("password", &request.password, [])?;
    // The count belongs to the account at this address: guesses elsewhere do not make the owner wait.
    let account = Throttle::known_key(&format!("reset {} {}", request.user_id, request.email), call.address());
    let address = Throttle::key(Kind::Address, call.address());
    service.questions.check_wait(&address, call.machine_now())?;
    service.questions.count_attempt(&account, call.machine_now())?;
    let id = target(call, &request).await?;
    let mut attempt = 1;
    loop {
        match choose(service, call, &request, id.as_deref()).await {
            // A wrong code from just before is being counted.
            Err(error) if error.is(Common::Contention) && attempt < ATTEMPTS => attempt += 1,
            Ok(changed) => {
                service.questions.forgive_failures(&account, call.machine_now());
                return Ok(changed);
            }
            Err(error) => {
                if error.is(ErrorReason::PasswordNotAllowed) {
                    service.questions.forgive_failures(&account, call.machine_now());
                }
                // Calls without a known address are not counted together.
                if error.is(ErrorReason::ResetCodeNotGood) && !call.address().is_empty() {
                    service.questions.count_failure(&address, call.machine_now());
                }
                return Err(error);
            }
        }
    }
}

/// Sets the new password if the code is good. The identity is read only after that.
async fn choose(
    service: &Identities,
    call: &Call,
    request: &ResetPasswordRequest,
    id: Option<&str>,
) -> Result<PasswordChange> {
    let read_by = service.asked.read_by::<PasswordReset>(call, id).await?;
    let reset = resets::find_good(call, &read_by).await?.into_iter().next();
    service.asked.was_there(&read_by, reset.is_some());
    let right = resets::is_code(reset.as_ref(), &request.code);
    let (Some(id), Some(reset)) = (id, reset) else { return Err(invalid_code_error()) };
    let fresh = reset.expires_at.as_ref().is_some_and(|at| call.machine_now() < to_micros(at));
    if !right || !fresh {
        count_later(call, reset);
        return Err(invalid_code_error());
    }
    let identity: Identity = call.find_unscoped(id).await?.ok_or_else(invalid_code_error)?;
    policy::check_password("password", &request.password, identity.names())?;
    let credential = call.find_unscoped::<Credential>(&identity.id).await?;
    let password_hash = service.passwords.hash_chosen("password", request.password.clone()).await?;
    let mut unit = call.unit();
    prove_address(call, &mut unit, &identity, &reset).await?;
    let change = Change { identity: &identity, before: credential, password_hash, stays: None };
    let changed_at = store_in(service, call, &mut unit, change).await?;
    unit.update(&reset, resets::close_reset(&reset, PasswordResetStatus::Used))?;
    unit.commit_answer(PasswordChange { identity_id: identity.id, changed_at }).await
}

/// A code that was sent to one address alone proves it: a claim becomes a name, and a former address the primary one.
async fn prove_address(call: &Call, unit: &mut Unit<'_>, identity: &Identity, reset: &PasswordReset) -> Result<()> {
    if reset.email_address_id.is_empty() {
        return Ok(());
    }
    let address = call.find_unscoped::<EmailAddress>(&reset.email_address_id).await?;
    let address = address.filter(|address| address.owner_id == identity.id).ok_or_else(invalid_code_error)?;
    if address.former {
        addresses::restore_former(call, unit, identity, &address).await.map(drop)
    } else {
        addresses::prove_claim(call, unit, identity, &address).await.map(drop)
    }
}

/// The identity whose code it should be.
async fn target(call: &Call, request: &ResetPasswordRequest) -> Result<Option<String>> {
    match (request.user_id.as_str(), request.email.as_str()) {
        ("-", "") => Err(Error::field("email", "name the e-mail address, or the identity in the path")),
        ("-", email) => find_by_address(call, email).await,
        (id, "") => Ok(Some(id.to_owned())),
        _ => Err(Error::field("email", "name the e-mail address or the identity, not both")),
    }
}

/// The identity with that address; else the one that a code was sent to at it alone. Both are always looked up, so that
/// the time does not show whether the address is known.
async fn find_by_address(call: &Call, email: &str) -> Result<Option<String>> {
    let known = call.find_id_by::<Identity>(EMAIL, email).await?;
    let holders = addresses::load_holders(call, email).await?;
    if known.is_some() {
        return Ok(known);
    }
    for holder in holders {
        let good = resets::find_good(call, &holder.owner_id).await?;
        if good.first().is_some_and(|reset| reset.email_address_id == holder.id) {
            return Ok(Some(holder.owner_id));
        }
    }
    Ok(None)
}

/// Counts a wrong code; the twentieth ends the code. The count is stored after the answer, so that its time does not
/// show whether a code was asked for.
fn count_later(call: &Call, before: PasswordReset) {
    let call = call.clone();
    tokio::spawn(async move {
        if let Err(error) = count(&call, &before).await {
            tracing::info!(reason = error.reason(), "a wrong code was not counted");
        }
    });
}

/// Concurrent wrong codes are counted one by one: the reset is read again after a conflict.
async fn count(call: &Call, before: &PasswordReset) -> Result<()> {
    let mut before = before.clone();
    let mut attempt = 1;
    loop {
        let attempts = before.attempts.saturating_add(1);
        let mut after = PasswordReset { attempts, ..before.clone() };
        if attempts >= MOST_ATTEMPTS {
            after = resets::close_reset(&after, PasswordResetStatus::Void);
        }
        let mut unit = call.unit();
        unit.update_as(&before, after, actions::identity_audit::PASSWORD_RESET_REFUSED)?;
        match unit.commit().await {
            Err(error) if error.is(Common::Contention) && attempt < GUESSES => attempt += 1,
            done => return done.map(drop),
        }
        let now = call.find_unscoped::<PasswordReset>(&before.id).await?;
        let Some(now) = now.filter(|reset| reset.status == PasswordResetStatus::Sent as i32) else { return Ok(()) };
        before = now;
    }
}

fn invalid_code_error() -> Error {
    Error::new(ErrorReason::ResetCodeNotGood, "the code is not good, or not any more; ask for another one")
}
