//! Sessions that ended before their tokens expire, and identities whose roles in scopes changed.
//!
//! Every process keeps the set and checks it whenever it reads a token. The set is fed from the journal of sessions. It
//! drops a session as soon as none of its tokens can still be valid. It therefore holds the sessions that ended within
//! [`LONGEST`].
//!
//! The set is bounded. When it is full, every token from before that moment becomes invalid. Its bearer exchanges it
//! for a new one, which costs one call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::caller::{Caller, Realm};
use crate::time::Micros;

/// The longest lifetime of a session's token, whatever is configured.
pub const LONGEST: Duration = Duration::from_secs(3600);
/// Sessions that are kept at most.
const BOUND: usize = 200_000;

/// The sessions that ended. Clones are cheap and share one set.
#[derive(Debug, Clone, Default)]
pub struct Revoked(Arc<Mutex<Ended>>);

#[derive(Debug, Default)]
struct Ended {
    /// For each session, the time until which its tokens might be valid.
    sessions: HashMap<String, Micros>,
    /// For each identity whose roles changed, the version that tokens must be of, and the time until which older ones
    /// might be valid.
    roles: HashMap<String, (i64, Micros)>,
    /// Session tokens that were made before this time are invalid.
    floor: Micros,
}

impl Revoked {
    /// Records that a session ended at `at`.
    pub fn add(&self, session: &str, at: Micros, now: Micros) {
        let until = at.saturating_add(Micros::try_from(LONGEST.as_micros()).unwrap_or(Micros::MAX));
        if session.is_empty() || until <= now {
            return;
        }
        let mut ended = self.lock();
        if ended.sessions.len() >= BOUND {
            ended.sessions.retain(|_, until| now < *until);
        }
        if ended.sessions.len() >= BOUND {
            tracing::warn!("very many sessions were ended within an hour: all tokens are to be renewed");
            ended.sessions.clear();
            ended.floor = now;
        }
        ended.sessions.insert(session.to_owned(), until);
    }

    /// Records that the roles of an identity changed at `at` with that version of it. Its older tokens become invalid,
    /// and its sessions go on: they renew their tokens.
    pub fn renew(&self, identity: &str, version: i64, at: Micros, now: Micros) {
        let until = at.saturating_add(Micros::try_from(LONGEST.as_micros()).unwrap_or(Micros::MAX));
        if until <= now {
            return;
        }
        let mut ended = self.lock();
        if ended.roles.len() >= BOUND {
            ended.roles.retain(|_, (_, until)| now < *until);
        }
        if ended.roles.len() >= BOUND {
            tracing::warn!("the roles of very many identities changed within an hour: all tokens are to be renewed");
            ended.roles.clear();
            ended.floor = now;
        }
        let known = ended.roles.entry(identity.to_owned()).or_default();
        *known = (known.0.max(version), known.1.max(until));
    }

    /// Whether a token of `caller` from `made` is invalid: its session or its impersonator's session ended, or it has
    /// roles that changed since.
    #[must_use]
    pub fn holds(&self, caller: &Caller, made: Micros) -> bool {
        let own = caller.session.as_str();
        let actors = caller.actor.as_ref().map_or("", |actor| actor.session.as_str());
        let roles = matches!(caller.realm, Realm::GroupAdmin | Realm::Partner);
        if own.is_empty() && actors.is_empty() && !roles {
            return false;
        }
        let ended = self.lock();
        let outdated = || ended.roles.get(&caller.identity).is_some_and(|(version, _)| caller.version < *version);
        made < ended.floor
            || ended.sessions.contains_key(own)
            || ended.sessions.contains_key(actors)
            || (roles && outdated())
    }

    fn lock(&self) -> MutexGuard<'_, Ended> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caller::Impersonator;

    const SECOND: Micros = 1_000_000;
    const NOW: Micros = 1_800_000_000 * SECOND;

    fn of(session: &str) -> Caller {
        Caller { identity: "ada".into(), session: session.into(), ..Caller::default() }
    }

    #[test]
    fn an_ended_session_and_what_is_done_from_it_is_refused() {
        let revoked = Revoked::default();
        revoked.add("s1", NOW, NOW);
        assert!(revoked.holds(&of("s1"), NOW));
        assert!(!revoked.holds(&of("s2"), NOW) && !revoked.holds(&of(""), NOW));
        let actor = Impersonator { identity: "staff".into(), may_write: false, session: "s1".into() };
        assert!(revoked.holds(&Caller { actor: Some(actor), ..of("an impersonation") }, NOW));
    }

    #[test]
    fn a_change_of_roles_refuses_the_tokens_from_before_and_no_others() {
        let revoked = Revoked::default();
        let at = |realm: Realm, version: i64| Caller { realm, version, ..of("s1") };
        revoked.renew("ada", 7, NOW, NOW);
        revoked.renew("ada", 5, NOW, NOW);
        for realm in [Realm::GroupAdmin, Realm::Partner] {
            assert!(revoked.holds(&at(realm, 6), NOW) && revoked.holds(&at(realm, 0), NOW));
            assert!(!revoked.holds(&at(realm, 7), NOW) && !revoked.holds(&at(realm, 8), NOW));
            assert!(revoked.holds(&Caller { session: String::new(), ..at(realm, 6) }, NOW), "a program has no session");
        }
        assert!(!revoked.holds(&Caller { identity: "bob".into(), ..at(Realm::Partner, 1) }, NOW));
        revoked.renew("old", 7, NOW - 3600 * SECOND, NOW);
        assert!(!revoked.holds(&Caller { identity: "old".into(), ..at(Realm::Partner, 6) }, NOW));
    }

    #[test]
    fn what_was_ended_so_long_ago_that_no_token_is_left_is_not_kept() {
        let revoked = Revoked::default();
        revoked.add("old", NOW - 3600 * SECOND, NOW);
        revoked.add("", NOW, NOW);
        assert!(revoked.lock().sessions.is_empty());
    }

    #[test]
    fn a_full_set_refuses_more_rather_than_less() {
        let revoked = Revoked::default();
        for n in 0..=BOUND {
            revoked.add(&n.to_string(), NOW, NOW);
        }
        assert!(revoked.lock().sessions.len() <= BOUND);
        assert!(revoked.holds(&of("0"), NOW - SECOND), "its token was made before the set was full");
        assert!(revoked.holds(&of("somebody"), NOW - SECOND) && !revoked.holds(&of("somebody"), NOW));
        assert!(!revoked.holds(&of(""), NOW - SECOND), "programs have no session");
    }
}
