//! The proof of a session: when its owner last showed that they are still there.

use pavise_kernel::{Call, Result, Unit};

use crate::contract::actions;
use crate::contract::v1::{Session, SessionStatus};

/// The session of the caller, if it is theirs and goes on.
///
/// # Errors
/// When the database does not answer.
pub(crate) async fn own_session(call: &Call) -> Result<Option<Session>> {
    let caller = call.caller();
    if caller.session.is_empty() || caller.actor.is_some() {
        return Ok(None);
    }
    let session = call.find_unscoped::<Session>(&caller.session).await?;
    Ok(session.filter(|session| session.status() == SessionStatus::Active && session.owner_id == caller.identity))
}

/// Adds to a commit that the owner of the session proved themselves. The call declares the action SESSION_PROVED.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn mark_proved(call: &Call, unit: &mut Unit<'_>, session: &Session) -> Result<Session> {
    let proved = Session { proved_at: Some(call.machine_timestamp()), ..session.clone() };
    unit.update_as(session, proved, actions::identity_audit::SESSION_PROVED)
}
