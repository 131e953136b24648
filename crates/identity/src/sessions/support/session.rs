//! The end of a session: by its own time, or because it was revoked.

use pavise_kernel::time::{Micros, to_micros};

use crate::contract::v1::{Session, SessionStatus};

/// Whether the time of the session is over, by either of its two clocks.
pub(crate) fn is_over(session: &Session, now: Micros) -> bool {
    let over = |end: Option<&prost_types::Timestamp>| end.is_none_or(|end| now >= to_micros(end));
    over(session.expires_at.as_ref()) || over(session.idle_expires_at.as_ref())
}

/// The revoked session, without the hashes of its refresh tokens.
pub(crate) fn into_revoked(session: Session) -> Session {
    Session {
        status: SessionStatus::Revoked.into(),
        family_hash: String::new(),
        refresh_hash: String::new(),
        previous_hash: String::new(),
        ..session
    }
}
