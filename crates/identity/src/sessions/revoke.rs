//! Ending sessions, and forgetting those that ended long ago.

use pavise_kernel::store::Filter;
use pavise_kernel::time::{HOUR, Micros, micros};
use pavise_kernel::{Aggregate as _, Call, Common, Result, Unit};

use super::open::is_over;
use crate::contract::v1::{RevokeAllSessionsRequest, RevokeAllSessionsResponse, Session, SessionStatus};

/// How many sessions an identity has at the most; the oldest ends where one more is opened.
const MOST: usize = 50;
/// How many are looked through at once.
const PAGE: u32 = 500;
/// How long a session that is over is still shown to its owner.
const SHOWN: Micros = 24 * HOUR;
/// How often it is tried again because somebody else changed a session at the same time.
const ATTEMPTS: u32 = 5;

/// Adds to a commit that every session of `owner` ends, but for `except`; answers which. The call declares the action
/// SESSION_REVOKED. Add it before what the call answers: an answer's version is that of the last entity of its commit.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn revoke_all(call: &Call, unit: &mut Unit<'_>, owner: &str, except: Option<&str>) -> Result<Vec<String>> {
    let mut ended = Vec::new();
    for session in of(call, owner).await?.into_iter().filter(|one| one.status() == SessionStatus::Active) {
        if Some(session.id.as_str()) != except {
            ended.push(session.id.clone());
            unit.update_as(&session, revoked(session.clone()), "SESSION_REVOKED")?;
        }
    }
    Ok(ended)
}

pub(super) async fn revoke_all_sessions(call: &Call, request: &RevokeAllSessionsRequest) -> Result<RevokeAllSessionsResponse> {
    let except = Some(call.caller().session.as_str()).filter(|_| request.except_current);
    let mut attempt = 1;
    loop {
        let mut unit = call.unit();
        let ended = revoke_all(call, &mut unit, &request.identity_id, except).await?;
        match unit.answer(RevokeAllSessionsResponse { ended }).await {
            Err(error) if error.is(Common::Contention) && attempt < ATTEMPTS => attempt += 1,
            other => return other,
        }
    }
}

/// The session as it is when it was ended: nothing is left that a refresh token could be compared with.
pub(super) fn revoked(session: Session) -> Session {
    Session {
        status: SessionStatus::Revoked.into(),
        family_hash: String::new(),
        refresh_hash: String::new(),
        previous_hash: String::new(),
        ..session
    }
}

/// Ends the oldest sessions of somebody who has too many, and forgets those that were over a day ago. It happens beside
/// a sign-in, which does not fail because of it. The call declares SESSION_REVOKED and SESSION_FORGOTTEN.
pub(crate) async fn tidy(call: &Call, owner: &str) {
    let tidied = async {
        let sessions = of(call, owner).await?;
        let mut unit = call.unit();
        let mut good = 0;
        for session in sessions {
            let active = session.status() == SessionStatus::Active;
            if was_over(&session, call.now().saturating_sub(SHOWN)) {
                unit.remove_as(session, "SESSION_FORGOTTEN")?;
            } else if active && !is_over(&session, call.now()) {
                good += 1;
                if good > MOST {
                    unit.update_as(&session, revoked(session.clone()), "SESSION_REVOKED")?;
                }
            }
        }
        unit.commit().await
    };
    if let Err(error) = tidied.await {
        tracing::info!(reason = error.reason(), "old sessions are left for the next sign-in");
    }
}

/// Whether it was over then, by its own time or because it was ended.
fn was_over(session: &Session, then: Micros) -> bool {
    let changed = session.updated_at.as_ref().map_or(0, micros);
    is_over(session, then) || (session.status() == SessionStatus::Revoked && changed <= then)
}

/// The sessions of `owner`, newest first.
async fn of(call: &Call, owner: &str) -> Result<Vec<Session>> {
    let filter = Filter { owner: Some(owner.to_owned()), limit: PAGE, ..Filter::default() };
    let rows = call.kernel().store().list(Session::TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}
