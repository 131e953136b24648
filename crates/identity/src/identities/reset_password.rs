//! ResetPassword: a new password for who has the code. Whether the identity exists, whether it asked for a code and
//! whether the code is wrong, old or used: all are refused alike.

use pavise_kernel::time::micros;
use pavise_kernel::{Call, Error, Result};

use super::Identities;
use super::passwords::{Change, store_in};
use super::read::EMAIL;
use crate::contract::v1::{
    Credential, ErrorReason, Identity, PasswordChange, PasswordReset, PasswordResetStatus, ResetPasswordRequest,
};
use crate::password::policy;
use crate::resets;
use crate::throttle::{Kind, Throttle};

/// How many wrong codes a code survives.
const MOST_ATTEMPTS: i32 = 5;

pub(super) async fn reset_password(service: &Identities, call: &Call, request: ResetPasswordRequest) -> Result<PasswordChange> {
    policy::check("password", &request.password, [])?;
    let account = Throttle::key(Kind::Account, &format!("reset {} {}", request.user_id, request.email));
    let address = Throttle::key(Kind::Address, call.address());
    service.questions.admit(&address, call.now())?;
    service.questions.attempt(&account, call.now())?;
    let identity = target(call, &request).await?;
    let id = identity.as_ref().map_or(request.user_id.as_str(), |identity| identity.id.as_str());
    let reset = resets::good(call, id).await?.into_iter().next();
    let right = resets::is_code(reset.as_ref(), &request.code);
    let (Some(identity), Some(reset)) = (identity, reset) else { return refuse(service, call, &address, None).await };
    let fresh = reset.expires_at.as_ref().is_some_and(|at| call.now() < micros(at));
    if !right || !fresh {
        return refuse(service, call, &address, Some(reset)).await;
    }
    service.questions.forgive(&account);
    policy::check("password", &request.password, identity.names())?;
    let credential = call.find::<Credential>(&identity.id).await?;
    let password_hash = service.passwords.hash(request.password).await?;
    let mut unit = call.unit();
    let change = Change { identity: &identity, before: credential, password_hash, stays: None };
    let changed_at = store_in(service, call, &mut unit, change).await?;
    unit.update(&reset, resets::closed(&reset, PasswordResetStatus::Used))?;
    unit.answer(PasswordChange { identity_id: identity.id, changed_at }).await
}

async fn target(call: &Call, request: &ResetPasswordRequest) -> Result<Option<Identity>> {
    match (request.user_id.as_str(), request.email.as_str()) {
        ("-", "") => Err(Error::field("email", "name the e-mail address, or the identity in the path")),
        ("-", email) => call.find_by::<Identity>(EMAIL, email).await,
        (id, "") => call.find::<Identity>(id).await,
        _ => Err(Error::field("email", "name the e-mail address or the identity, not both")),
    }
}

/// Counts a wrong code; the fifth ends the code.
async fn refuse(
    service: &Identities,
    call: &Call,
    address: &crate::throttle::Key,
    reset: Option<PasswordReset>,
) -> Result<PasswordChange> {
    if !call.address().is_empty() {
        service.questions.failed(Kind::Address, address, call.now());
    }
    if let Some(before) = reset {
        let attempts = before.attempts.saturating_add(1);
        let mut after = PasswordReset { attempts, ..before.clone() };
        if attempts >= MOST_ATTEMPTS {
            after = resets::closed(&after, PasswordResetStatus::Void);
        }
        let mut unit = call.unit();
        unit.update_as(&before, after, "PASSWORD_RESET_REFUSED")?;
        unit.commit().await?;
    }
    Err(Error::new(ErrorReason::ResetCodeNotGood, "the code is not good, or not any more; ask for another one"))
}
