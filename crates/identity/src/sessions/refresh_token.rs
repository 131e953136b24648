//! Gives new tokens for a refresh token that was not used before.

use pavise_kernel::time::{Micros, to_micros, to_timestamp};
use pavise_kernel::{Call, Error, Result};

use super::Sessions;
use super::support::cookie;
use super::support::open::mask_address;
use super::support::session::{into_revoked, is_over};
use super::support::state::duration_to_micros;
use super::support::token::RefreshToken;
use crate::contract::actions;
use crate::contract::v1::{
    AccessToken, ErrorReason, Identity, IdentityStatus, RefreshTokenRequest, Session, SessionStatus,
};
use crate::shared::tools::Tools as _;

/// For how long a browser's former refresh token counts as that of a second page, and not of a thief. It gives out no
/// tokens either.
const SECOND_PAGE: Micros = 10_000_000;

pub(crate) async fn refresh_token(call: &Call, request: RefreshTokenRequest) -> Result<AccessToken> {
    let service = call.sessions()?;
    forget_ended_impersonation(&service, call).await;
    let text = if request.refresh_token.is_empty() {
        call.find_cookie(cookie::REFRESH)
    } else {
        Some(&*request.refresh_token)
    };
    let presented = text.and_then(RefreshToken::read).ok_or_else(invalid_token_error)?;
    let session = call.find_unscoped::<Session>(presented.session()).await?.ok_or_else(invalid_token_error)?;
    if session.status() != SessionStatus::Active
        || session.family_hash != presented.family_hash()
        || is_over(&session, call.machine_now())
    {
        return Err(invalid_token_error());
    }
    if session.refresh_hash != presented.hash() {
        return Err(refuse_former(call, session, &presented).await?);
    }
    let identity = call.find_unscoped::<Identity>(&session.owner_id).await?;
    let identity =
        identity.filter(|identity| identity.status() == IdentityStatus::Active).ok_or_else(invalid_token_error)?;
    let next = presented.next(&service.ids);
    let (_, idle) = service.session_lifetimes(identity.realm());
    let ends = session.expires_at.as_ref().map_or(0, to_micros);
    let renewed = Session {
        refresh_hash: next.hash(),
        previous_hash: session.refresh_hash.clone(),
        last_used_at: Some(call.machine_timestamp()),
        idle_expires_at: Some(to_timestamp(call.machine_now().saturating_add(duration_to_micros(idle)).min(ends))),
        user_agent: call.user_agent().to_owned(),
        address: mask_address(call.address()),
        cookie: session.cookie || request.cookie,
        method: service.method_now(call, &identity, &session).await?,
        ..session.clone()
    };
    let mut unit = call.unit();
    let renewed = unit.update(&session, renewed)?;
    let answer = service.give_tokens(call, &identity, &renewed, &next).await?;
    // One of two concurrent calls with the same token commits; the other gets nothing.
    unit.commit().await?;
    Ok(answer)
}

/// Clears the cookie of an impersonation that is over: it would be used before the session.
async fn forget_ended_impersonation(service: &Sessions, call: &Call) {
    let Some(token) = call.find_cookie(cookie::ACTING) else { return };
    if call.kernel().verifier().verify(token, call.machine_now()).await.is_err_and(|error| !error.is_transient()) {
        call.set_cookie(cookie::no_acting(service.config.secure_cookies));
    }
}

/// Handles a former token of the session: the session ends.
async fn refuse_former(call: &Call, session: Session, presented: &RefreshToken) -> Result<Error> {
    let since = call.machine_now().saturating_sub(session.last_used_at.as_ref().map_or(0, to_micros));
    if session.cookie && session.previous_hash == presented.hash() && since <= SECOND_PAGE {
        let message = "the browser has newer tokens already; go on with those";
        return Ok(Error::new(ErrorReason::RefreshTokenSuperseded, message));
    }
    let mut unit = call.unit();
    unit.update_as(&session, into_revoked(session.clone()), actions::identity_audit::REFRESH_TOKEN_REUSED)?;
    unit.commit().await?;
    tracing::warn!(
        session = session.id,
        identity = session.owner_id,
        "a refresh token came again; its session was ended"
    );
    Ok(Error::new(ErrorReason::RefreshTokenReused, "the refresh token was used before; its session was ended"))
}

fn invalid_token_error() -> Error {
    Error::new(ErrorReason::RefreshTokenInvalid, "the refresh token is not valid; sign in again")
}
