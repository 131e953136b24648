//! Describes the caller as their token does.

use pavise_kernel::table::ScopeKind;
use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Call, Result};

use crate::contract::v1::{CurrentSession, GetCurrentSessionRequest, IdentityRealm, Impersonation, Session};
use crate::shared::tools::Tools as _;
use crate::shared::{grants, scopes};

pub(crate) async fn get_current_session(call: &Call, _request: GetCurrentSessionRequest) -> Result<CurrentSession> {
    let caller = call.caller();
    let mut current = CurrentSession {
        identity_id: caller.identity.clone(),
        realm: IdentityRealm::of_caller(caller.realm).into(),
        sub_type: caller.sub_type.clone(),
        permissions: grants::as_messages(&caller.permissions),
        group_ids: caller.scopes.administered_ids(ScopeKind::Group).map(str::to_owned).collect(),
        scopes: scopes::as_messages(&caller.scopes),
        expires_at: caller.expires_at.map(to_timestamp),
        session_id: caller.session.clone(),
        proved_at: caller.proved_at.map(to_timestamp),
        ..CurrentSession::default()
    };
    if let Some(actor) = &caller.actor {
        current.actor_id.clone_from(&actor.identity);
        current.actor_may_write = actor.may_write;
        current.session_expires_at =
            call.find_unscoped::<Impersonation>(&caller.session).await?.and_then(|one| one.expires_at);
    } else if !caller.session.is_empty()
        && let Some(session) = call.find_unscoped::<Session>(&caller.session).await?
    {
        let service = call.sessions()?;
        current.needs_second_factor =
            service.needs_second_factor(IdentityRealm::of_caller(caller.realm), &session.method);
        current.session_expires_at = session.expires_at;
        current.method = session.method;
        current.cookie = session.cookie;
    }
    Ok(current)
}
