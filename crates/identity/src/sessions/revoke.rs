//! Ending sessions.

use pavise_kernel::store::Filter;
use pavise_kernel::{Aggregate as _, Call, Result, Unit};

use crate::contract::v1::{Session, SessionStatus};

/// How many sessions one commit ends. Nobody has so many that are still good: see `forget`.
const MOST: u32 = 1000;

/// Adds to a commit that every session of `owner` ends, but for `except`; answers which. The call declares the action
/// SESSION_REVOKED. Add it before what the call answers: an answer's version is that of the last entity of its commit.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn revoke_all(call: &Call, unit: &mut Unit<'_>, owner: &str, except: Option<&str>) -> Result<Vec<String>> {
    let mut ended = Vec::new();
    for session in active(call, owner, MOST).await? {
        if Some(session.id.as_str()) != except {
            ended.push(session.id.clone());
            unit.update_as(&session, revoked(session.clone()), "SESSION_REVOKED")?;
        }
    }
    Ok(ended)
}

/// The sessions of `owner` that nobody ended, newest first.
pub(super) async fn active(call: &Call, owner: &str, limit: u32) -> Result<Vec<Session>> {
    let statuses = vec![Session::status_spelling(SessionStatus::Active.into()).to_owned()];
    let filter = Filter { owner: Some(owner.to_owned()), statuses, limit, ..Filter::default() };
    let rows = call.kernel().store().list(Session::TABLE, &filter).await?;
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
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
