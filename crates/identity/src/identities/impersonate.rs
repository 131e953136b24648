//! Gives staff a token to act for a member or a group administrator.

use std::time::Duration;

use pavise_kernel::caller::Impersonator;
use pavise_kernel::token::AUDIENCE;
use pavise_kernel::{Call, Caller, Error, Result};

use crate::contract::roles;
use crate::contract::v1::{AccessToken, ErrorReason, Identity, IdentityRealm, ImpersonateRequest, Impersonation};
use crate::sessions::support::cookie;
use crate::shared::issue::Terms;
use crate::shared::tools::Tools as _;

/// The longest impersonation, whatever is configured: as long as any token of a person.
const LONGEST: Duration = Duration::from_secs(15 * 60);

pub(crate) async fn impersonate(call: &Call, request: ImpersonateRequest) -> Result<AccessToken> {
    let service = &*call.identities()?;
    let identity: Identity = call.get(&request.identity_id).await?;
    if !matches!(identity.realm(), IdentityRealm::User | IdentityRealm::GroupAdmin) {
        let message = format!("an identity of realm {} cannot be acted for", identity.realm().spelling());
        return Err(Error::new(ErrorReason::NotImpersonable, message));
    }
    if request.write {
        call.require_role(roles::WRITER)?;
    }
    let lifetime = service.config.impersonation_lifetime.min(LONGEST);
    // An impersonation ends with the session that it began in.
    let session = call.caller().session.clone();
    let actor =
        Impersonator { identity: call.caller().identity.clone(), may_write: request.write, session: session.clone() };
    let id = call.new_id();
    // The impersonation is the token's session: it ends with it.
    let caller = Caller { actor: Some(actor), session: id.clone(), ..identity.caller() };
    let terms = Terms { id: &id, audience: AUDIENCE, lifetime, from: call.machine_now() };
    let issued = service.issuer.issue_token(&caller, terms, call.machine_now()).await?;
    let mut unit = call.unit();
    unit.create(Impersonation {
        id: id.clone(),
        owner_id: identity.id.clone(),
        actor_id: call.caller().identity.clone(),
        reason: request.reason,
        may_write: request.write,
        expires_at: Some(issued.expires_at),
        session_id: session,
        ..Impersonation::default()
    })?;
    // No answer is stored for a repeat: it would hold the token.
    unit.commit().await?;
    if request.cookie {
        call.set_cookie(cookie::build_acting(&issued.token, lifetime, service.config.secure_cookies));
    }
    Ok(AccessToken {
        access_token: if call.validate_only() || request.cookie { String::new() } else { issued.token },
        token_type: "Bearer".to_owned(),
        expires_at: Some(issued.expires_at),
        identity_id: identity.id,
        realm: identity.realm,
        session_id: id,
        key_id: issued.key_id,
        ..AccessToken::default()
    })
}
