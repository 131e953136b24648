//! The end of sessions, and the removal of those that ended long ago.

use pavise_kernel::store::{Filter, StoredRow};
use pavise_kernel::time::{HOUR, Micros, to_micros};
use pavise_kernel::{Aggregate as _, Call, Result, Unit};

use super::session::{into_revoked, is_over};
use crate::contract::actions;
use crate::contract::v1::{Session, SessionStatus};

/// How many sessions an identity has at most. One more ends the oldest.
const MOST: usize = 50;
/// How many are looked through at once.
const PAGE: u32 = 500;
/// How long a session that is over is still shown to its owner.
const SHOWN: Micros = 24 * HOUR;
/// Ends every session of `owner` but `except` in a commit; answers the ended ones. The call declares the action
/// SESSION_REVOKED. Add this before the answered entity: an answer's version is that of the last entity of its commit.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn revoke_all(
    call: &Call,
    unit: &mut Unit<'_>,
    owner: &str,
    except: Option<&str>,
) -> Result<Vec<String>> {
    let mut ended = Vec::new();
    for session in active(call, owner).await? {
        if Some(session.id.as_str()) != except {
            ended.push(session.id.clone());
            unit.update_as(&session, into_revoked(session.clone()), actions::identity_audit::SESSION_REVOKED)?;
        }
    }
    Ok(ended)
}

/// Ends the oldest sessions above the limit, and removes sessions that were over a day ago. A failure does not refuse
/// the sign-in. The call declares SESSION_REVOKED and SESSION_FORGOTTEN.
pub(crate) async fn remove_old(call: &Call, owner: &str) {
    let tidied = async {
        let active = active(call, owner).await?;
        let mut unit = call.unit();
        for session in active.iter().filter(|session| !is_over(session, call.machine_now())).skip(MOST) {
            unit.update_as(session, into_revoked(session.clone()), actions::identity_audit::SESSION_REVOKED)?;
        }
        let (shown, changed) = (call.machine_now().saturating_sub(SHOWN), call.now().saturating_sub(SHOWN));
        let old = made_before(call, owner, changed).await?.into_iter();
        for session in old.filter(|session| was_over(session, shown, changed)) {
            unit.remove_as(session, actions::identity_audit::SESSION_FORGOTTEN)?;
        }
        unit.commit().await
    };
    if let Err(error) = tidied.await {
        tracing::info!(reason = error.reason(), "old sessions are left for the next sign-in");
    }
}

/// Whether it was over then by its own time, which is the machine's, or was ended by `changed` in business time.
fn was_over(session: &Session, then: Micros, changed: Micros) -> bool {
    let ended = session.updated_at.as_ref().map_or(0, to_micros);
    is_over(session, then) || (session.status() == SessionStatus::Revoked && ended <= changed)
}

/// All active sessions of `owner`, newest first.
async fn active(call: &Call, owner: &str) -> Result<Vec<Session>> {
    let statuses = vec![SessionStatus::Active.spelling().to_owned()];
    let mut filter = Filter { owner: Some(owner.to_owned()), statuses, limit: PAGE, ..Filter::default() };
    let mut sessions = Vec::new();
    loop {
        let rows = call.kernel().store().list(Session::TABLE, &filter).await?;
        filter.before = rows.last().map(|row| row.id.clone());
        let is_last = rows.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
        sessions
            .extend(read(call, rows).await?.into_iter().filter(|session| session.status() == SessionStatus::Active));
        if is_last {
            return Ok(sessions);
        }
    }
}

/// The newest sessions of `owner` made before `then`, one page of them. A later sign-in finds the rest.
async fn made_before(call: &Call, owner: &str, then: Micros) -> Result<Vec<Session>> {
    let filter =
        Filter { owner: Some(owner.to_owned()), before: Some(least_id(then)), limit: PAGE, ..Filter::default() };
    read(call, call.kernel().store().list(Session::TABLE, &filter).await?).await
}

async fn read(call: &Call, rows: Vec<StoredRow>) -> Result<Vec<Session>> {
    call.find_many(&rows.into_iter().map(|row| row.id).collect::<Vec<_>>()).await
}

/// The least id of that time: a UUIDv7 begins with the milliseconds.
fn least_id(at: Micros) -> String {
    let millis = u64::try_from(at).unwrap_or(0) / 1000;
    format!("{:08x}-{:04x}-", millis >> 16, millis & 0xffff)
}

#[cfg(test)]
mod tests {
    use pavise_kernel::time::Ids;

    use super::*;

    #[test]
    fn ids_are_told_apart_by_when_they_were_made() {
        let (ids, at) = (Ids::from_seed(1), 1_800_000_000_000_000);
        let (earlier, then) = (ids.next(at - 1000), ids.next(at));
        assert!(earlier < least_id(at) && then > least_id(at), "{earlier} {then} {}", least_id(at));
    }
}
