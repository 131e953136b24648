//! Ends every session that the caller shows a token of.

use pavise_kernel::{Call, Caller, Common, Result};

use super::support::cookie;
use super::support::impersonation::into_ended;
use super::support::session::into_revoked;
use super::support::token::RefreshToken;
use crate::contract::actions;
use crate::contract::v1::{
    Impersonation, ImpersonationStatus, Session, SessionStatus, SignOutRequest, SignOutResponse,
};
use crate::shared::tools::Tools as _;

/// How often the end is retried after a conflict, mostly with a page that renews the session.
const ATTEMPTS: u32 = 5;

pub(crate) async fn sign_out(call: &Call, request: SignOutRequest) -> Result<SignOutResponse> {
    let service = call.sessions()?;
    let shown = find_shown(call, &request).await?;
    let mut attempt = 1;
    let ended = loop {
        match end(call, &shown).await {
            Err(error) if error.is(Common::Contention) && attempt < ATTEMPTS => attempt += 1,
            other => break other?,
        }
    };
    if cookie::ALL.iter().any(|name| call.find_cookie(name).is_some()) {
        cookie::build_none(service.config.secure_cookies).into_iter().for_each(|cookie| call.set_cookie(cookie));
    }
    Ok(SignOutResponse { ended })
}

/// The sessions that the call has a good token of. A token that is over ends nothing.
async fn find_shown(call: &Call, request: &SignOutRequest) -> Result<Vec<ShownToken>> {
    let mut shown: Vec<ShownToken> = ShownToken::of(call.caller()).into_iter().collect();
    for name in [cookie::ACCESS, cookie::ACTING] {
        if let Some(token) = call.find_cookie(name)
            && let Ok(caller) = call.kernel().verifier().verify(token, call.machine_now()).await
        {
            shown.extend(ShownToken::of(&caller));
        }
    }
    let cookie = call.find_cookie(cookie::REFRESH).filter(|_| request.refresh_token.is_empty());
    for text in [Some(request.refresh_token.as_str()), cookie].into_iter().flatten() {
        let Some(token) = RefreshToken::read(text) else { continue };
        let session = call.find_unscoped::<Session>(token.session()).await?;
        if session.is_some_and(|session| session.family_hash == token.family_hash()) {
            shown.push(ShownToken::Session(token.session().to_owned()));
        }
    }
    shown.sort();
    shown.dedup();
    Ok(shown)
}

/// The subject of a token.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ShownToken {
    Session(String),
    Impersonation(String),
}

impl ShownToken {
    fn of(caller: &Caller) -> Option<Self> {
        let id = Some(caller.session.clone()).filter(|id| !id.is_empty())?;
        Some(if caller.actor.is_some() { Self::Impersonation(id) } else { Self::Session(id) })
    }
}

async fn end(call: &Call, shown: &[ShownToken]) -> Result<Vec<String>> {
    let (mut unit, mut done) = (call.unit(), Vec::new());
    for one in shown {
        match one {
            ShownToken::Session(id) => {
                if let Some(session) =
                    call.find_unscoped::<Session>(id).await?.filter(|one| one.status() == SessionStatus::Active)
                {
                    unit.update(&session, into_revoked(session.clone()))?;
                    done.push(session.id);
                }
            }
            ShownToken::Impersonation(id) => {
                let found = call.find_unscoped::<Impersonation>(id).await?;
                if let Some(found) = found.filter(|one| one.status() == ImpersonationStatus::Active) {
                    unit.update_as(&found, into_ended(found.clone()), actions::identity_audit::IMPERSONATION_ENDED)?;
                    done.push(found.id);
                }
            }
        }
    }
    unit.commit().await?;
    Ok(done)
}
