//! Sessions that ended before their tokens expire, and identities and applications whose access ended or changed.
//!
//! Every process keeps the set and checks it whenever it reads a token. The set is fed from the journals of identities and
//! of applications. It drops a session as soon as none of its tokens can still be valid. It therefore holds the sessions
//! that ended within [`LONGEST`].
//!
//! The set is bounded. When it is full, every token from before that moment becomes invalid. Its bearer exchanges it
//! for a new one, which costs one call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::call::caller::Caller;
use crate::time::Micros;

/// The longest lifetime of any token, whatever is configured or asked for.
pub const LONGEST: Duration = Duration::from_secs(3600);
/// The longest lifetime of a token of a person, which every realm but Machine is for.
pub const LONGEST_OF_PEOPLE: Duration = Duration::from_secs(15 * 60);
/// Sessions that are kept at most.
const BOUND: usize = 200_000;

/// The sessions that ended. Clones are cheap and share one set.
#[derive(Debug, Clone, Default)]
pub struct RevokedTokens(Arc<Mutex<Ended>>);

#[derive(Debug, Default)]
struct Ended {
    /// For each session, the time until which its tokens might be valid.
    sessions: HashMap<String, Micros>,
    /// For each identity whose rights changed, the version and the time that tokens must be of, and the time until which
    /// older ones might be valid.
    versions: HashMap<String, (i64, Micros, Micros)>,
    /// For each identity or application whose access ended, the time from which tokens without a session must be, and the
    /// time until which older ones might be valid.
    programs: HashMap<String, (Micros, Micros)>,
    /// Session tokens that were made before this time are invalid.
    floor: Micros,
}

impl RevokedTokens {
    /// Records that a session ended at `at`.
    pub fn add(&self, session: &str, at: Micros, now: Micros) {
        let until = expiry(at);
        if session.is_empty() || until <= now {
            return;
        }
        let mut ended = self.lock();
        let Ended { sessions, floor, .. } = &mut *ended;
        make_room(sessions, floor, now, |until| *until);
        sessions.insert(session.to_owned(), until);
    }

    /// Records that the rights of an identity changed at `at` with that version of it. Its older tokens become invalid,
    /// and its sessions, if they go on, renew them.
    pub fn record_change(&self, identity: &str, version: i64, at: Micros, now: Micros) {
        let until = expiry(at);
        if until <= now {
            return;
        }
        let mut ended = self.lock();
        let Ended { versions, floor, .. } = &mut *ended;
        make_room(versions, floor, now, |(_, _, until)| *until);
        let known = versions.entry(identity.to_owned()).or_default();
        *known = (known.0.max(version), known.1.max(at), known.2.max(until));
    }

    /// Records that a password, a session or a key ended at `at`: the tokens without a session that the identity or the
    /// application got before become invalid.
    pub fn end_programs(&self, identity_or_application: &str, at: Micros, now: Micros) {
        let until = expiry(at);
        if identity_or_application.is_empty() || until <= now {
            return;
        }
        let mut ended = self.lock();
        let Ended { programs, floor, .. } = &mut *ended;
        make_room(programs, floor, now, |(_, until)| *until);
        let known = programs.entry(identity_or_application.to_owned()).or_default();
        *known = (known.0.max(at), known.1.max(until));
    }

    /// Whether a token of `caller` from `made` is invalid: its session or its impersonator's session ended, its identity
    /// has other rights since, or, without a session, what gave it ended.
    #[must_use]
    pub fn is_revoked(&self, caller: &Caller, made: Micros) -> bool {
        let own = caller.session.as_str();
        let actors = caller.actor.as_ref().map_or("", |actor| actor.session.as_str());
        let ended = self.lock();
        // A token that does not say its version is one of its time.
        let is_outdated = || {
            let now = ended.versions.get(&caller.identity);
            now.is_some_and(|(version, at, _)| if caller.version > 0 { caller.version < *version } else { made < *at })
        };
        let is_before = |of: &str| ended.programs.get(of).is_some_and(|(from, _)| made < *from);
        made < ended.floor
            || ended.sessions.contains_key(own)
            || ended.sessions.contains_key(actors)
            || is_outdated()
            || (own.is_empty() && (is_before(&caller.identity) || is_before(&caller.application)))
    }

    fn lock(&self) -> MutexGuard<'_, Ended> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time until which a token from before `at` might be valid.
fn expiry(at: Micros) -> Micros {
    at.saturating_add(Micros::try_from(LONGEST.as_micros()).unwrap_or(Micros::MAX))
}

/// Makes room for one more: drops what can no longer matter, or everything with all tokens from before now.
fn make_room<V>(map: &mut HashMap<String, V>, floor: &mut Micros, now: Micros, until: impl Fn(&V) -> Micros) {
    if map.len() >= BOUND {
        map.retain(|_, value| now < until(value));
    }
    if map.len() >= BOUND {
        tracing::warn!("the access of very many ended within an hour: all tokens are to be renewed");
        map.clear();
        *floor = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::caller::{Impersonator, Realm};

    const SECOND: Micros = 1_000_000;
    const NOW: Micros = 1_800_000_000 * SECOND;

    fn of(session: &str) -> Caller {
        Caller { identity: "ada".into(), session: session.into(), ..Caller::default() }
    }

    #[test]
    fn an_ended_session_and_what_is_done_from_it_is_refused() {
        let revoked = RevokedTokens::default();
        revoked.add("s1", NOW, NOW);
        assert!(revoked.is_revoked(&of("s1"), NOW));
        assert!(!revoked.is_revoked(&of("s2"), NOW) && !revoked.is_revoked(&of(""), NOW));
        let actor = Impersonator { identity: "staff".into(), may_write: false, session: "s1".into() };
        assert!(revoked.is_revoked(&Caller { actor: Some(actor), ..of("an impersonation") }, NOW));
    }

    #[test]
    fn a_change_of_rights_refuses_the_tokens_from_before_and_no_others() {
        let revoked = RevokedTokens::default();
        let at = |realm: Realm, version: i64| Caller { realm, version, ..of("s1") };
        revoked.record_change("ada", 7, NOW, NOW);
        revoked.record_change("ada", 5, NOW, NOW);
        for realm in [Realm::GroupAdmin, Realm::Partner, Realm::User, Realm::Internal, Realm::Machine] {
            assert!(revoked.is_revoked(&at(realm, 6), NOW) && revoked.is_revoked(&at(realm, 0), NOW - 1));
            assert!(!revoked.is_revoked(&at(realm, 0), NOW), "its version is not said, and it is of the same time");
            assert!(!revoked.is_revoked(&at(realm, 7), NOW) && !revoked.is_revoked(&at(realm, 8), NOW));
            assert!(
                revoked.is_revoked(&Caller { session: String::new(), ..at(realm, 6) }, NOW),
                "a program has no session"
            );
        }
        assert!(!revoked.is_revoked(&Caller { identity: "bob".into(), ..at(Realm::Partner, 1) }, NOW));
        revoked.record_change("old", 7, NOW - 3600 * SECOND, NOW);
        assert!(!revoked.is_revoked(&Caller { identity: "old".into(), ..at(Realm::Partner, 6) }, NOW));
    }

    #[test]
    fn what_was_ended_so_long_ago_that_no_token_is_left_is_not_kept() {
        let revoked = RevokedTokens::default();
        revoked.add("old", NOW - 3600 * SECOND, NOW);
        revoked.add("", NOW, NOW);
        assert!(revoked.lock().sessions.is_empty());
    }

    #[test]
    fn a_full_set_refuses_more_rather_than_less() {
        let revoked = RevokedTokens::default();
        for n in 0..=BOUND {
            revoked.add(&n.to_string(), NOW, NOW);
        }
        assert!(revoked.lock().sessions.len() <= BOUND);
        assert!(revoked.is_revoked(&of("0"), NOW - SECOND), "its token was made before the set was full");
        assert!(revoked.is_revoked(&of("somebody"), NOW - SECOND) && !revoked.is_revoked(&of("somebody"), NOW));
        assert!(
            revoked.is_revoked(&of(""), NOW - SECOND) && !revoked.is_revoked(&of(""), NOW),
            "tokens without a session, too"
        );
    }

    #[test]
    fn what_ended_ends_the_tokens_without_a_session_from_before() {
        let revoked = RevokedTokens::default();
        revoked.end_programs("ada", NOW + 1, NOW + 1);
        revoked.end_programs("app", NOW + 1, NOW + 1);
        revoked.end_programs("", NOW + 1, NOW + 1);
        assert!(
            revoked.is_revoked(&of(""), NOW)
                && !revoked.is_revoked(&of(""), NOW + 1)
                && !revoked.is_revoked(&of("s1"), NOW)
        );
        let of_app = Caller { identity: "bob".into(), application: "app".into(), ..Caller::default() };
        assert!(revoked.is_revoked(&of_app, NOW) && !revoked.is_revoked(&of_app, NOW + 1));
        let other = Caller { application: String::new(), ..of_app };
        assert!(!revoked.is_revoked(&other, NOW));
    }
}
