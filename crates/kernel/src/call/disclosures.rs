//! Reads of people's personal data by others than their owner: who read whose data, by which call, and when.
//!
//! [`Kernel::serve`] notes such a read after it has run, and before its answer leaves. A note waits in memory for the next
//! group, which the process hands over within a second. A process that stops hands over all of them; one that is
//! killed loses a second's notes at most. When so many notes wait that the record must be out of reach, such reads are
//! refused: nobody reads unseen.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pavise_contract::table::Realm;
use tokio::sync::Notify;

use crate::call::Call;
use crate::call::caller::Caller;
use crate::entity::aggregate::Redact;
use crate::error::{Error, Result};
use crate::time::{MINUTE, Micros};

/// The time within which a caller's further reads of one owner in one service are the same read.
const SAME: Micros = 5 * MINUTE;
/// The owners of one answer that are noted.
const OWNERS: usize = 50;
/// The notes that may wait.
const WAITING: usize = 20_000;
/// The reads that are known as noted, to leave out their repeats.
const KNOWN: usize = 50_000;
/// The longest time that a note waits for a group.
pub const GATHERING: Duration = Duration::from_millis(500);

/// A read of somebody's personal data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disclosure {
    /// Its id.
    pub id: String,
    /// The identity that read.
    pub reader: String,
    /// The realm of its token.
    pub realm: Realm,
    /// Whether the reader acted as the owner (impersonation).
    pub impersonated: bool,
    /// The owner of the data.
    pub owner: String,
    /// The kind of entity: `Order`.
    pub kind: &'static str,
    /// The service of the call.
    pub service: &'static str,
    /// The call.
    pub rpc: &'static str,
    /// The id of the request.
    pub request_id: String,
    /// The time.
    pub at: Micros,
    /// The owners whose data the same answer had.
    pub among: usize,
}

/// The owners whose personal data an answer has.
#[derive(Debug, Default)]
pub struct Disclosed {
    /// The owners, each with the kind of its first entity; the first [`OWNERS`] of them.
    owners: Vec<(&'static str, String)>,
    /// The other owners.
    others: HashSet<String>,
    /// The kind of the data that belong to the owner whom the request names.
    named: Option<&'static str>,
}

impl Disclosed {
    /// For generated code: the answer has an entity of that kind and owner.
    pub fn owned(&mut self, kind: &'static str, owner: &str) {
        if owner.is_empty() || self.owners.iter().any(|(_, known)| known == owner) {
            return;
        }
        if self.owners.len() < OWNERS {
            self.owners.push((kind, owner.to_owned()));
        } else if !self.others.contains(owner) {
            self.others.insert(owner.to_owned());
        }
    }

    /// For generated code: the answer has data of the owner whom the request names.
    pub fn named(&mut self, kind: &'static str) {
        self.named = Some(kind);
    }
}

/// The notes of a process that wait to be handed over.
#[derive(Debug, Default)]
pub struct Disclosures {
    state: Mutex<Waiting>,
    more: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    notes: Vec<Disclosure>,
    known: HashMap<(String, bool, String, &'static str), Micros>,
}

impl Waiting {
    /// Whether the read is none of those that are noted already: by that reader, acting as the owner or not, of that owner's
    /// data in that service.
    fn is_new(&mut self, read: (String, bool, String, &'static str), now: Micros) -> bool {
        if self.known.len() >= KNOWN {
            self.known.retain(|_, at| now.saturating_sub(*at) < SAME);
            if self.known.len() >= KNOWN {
                self.known.clear();
            }
        }
        match self.known.entry(read) {
            // The time of the first read counts, so that steady reading is noted every few minutes.
            Entry::Occupied(known) if now.saturating_sub(*known.get()) < SAME => false,
            Entry::Occupied(mut known) => {
                known.insert(now);
                true
            }
            Entry::Vacant(place) => {
                place.insert(now);
                true
            }
        }
    }
}

impl Disclosures {
    /// The oldest notes, as many as one call takes. They no longer wait: a caller that cannot hand them over keeps them.
    #[must_use]
    pub fn take(&self, most: usize) -> Vec<Disclosure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let count = state.notes.len().min(most);
        state.notes.drain(..count).collect()
    }

    /// The number of notes that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).notes.len()
    }

    /// Waits until there is a note.
    pub async fn more(&self) {
        loop {
            let more = self.more.notified();
            if self.waiting() > 0 {
                return;
            }
            more.await;
        }
    }

    fn add(&self, call: &Call, disclosed: Disclosed) -> Result<()> {
        let (caller, parts) = (call.caller(), call.parts());
        let mut owners = disclosed.owners;
        if let Some(kind) = disclosed.named
            && let Some(owner) = call.owner_of_parent().or_else(|| parts.owner.clone())
            && !owners.iter().any(|(_, of)| *of == owner)
        {
            owners.push((kind, owner));
        }
        let among = owners.len() + disclosed.others.len();
        let (reader, impersonated) = (caller.acting(), caller.actor.is_some());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for (kind, owner) in owners.into_iter().filter(|(_, owner)| owner != reader) {
            let method = call.method();
            let read = (reader.to_owned(), impersonated, owner.clone(), method.service);
            if !state.is_new(read.clone(), parts.now) {
                continue;
            }
            if state.notes.len() >= WAITING {
                state.known.remove(&read);
                return Err(Error::unavailable("the record of reads", "too many notes of reads wait"));
            }
            state.notes.push(Disclosure {
                id: call.kernel().ids().next(parts.now),
                reader: reader.to_owned(),
                realm: caller.realm,
                impersonated,
                owner,
                kind,
                service: method.service,
                rpc: method.rpc,
                request_id: parts.conditions.request_id.clone(),
                at: parts.now,
                among,
            });
        }
        drop(state);
        self.more.notify_one();
        Ok(())
    }
}

/// Whether the caller may be somebody who reads the data of others. Programs are not: they read for their users.
fn is_watched(caller: &Caller) -> bool {
    caller.actor.is_some() || matches!(caller.realm, Realm::Internal | Realm::Partner | Realm::GroupAdmin)
}

/// Notes whose personal data an answer has, if its caller is watched.
///
/// # Errors
/// `UNAVAILABLE` when too many notes wait.
pub(crate) fn note<S: Redact>(call: &Call, answer: &S) -> Result<()> {
    if !is_watched(call.caller()) {
        return Ok(());
    }
    let mut disclosed = Disclosed::default();
    answer.disclose(&mut disclosed);
    if disclosed.owners.is_empty() && disclosed.named.is_none() {
        return Ok(());
    }
    call.kernel().disclosures().add(call, disclosed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_read_is_noted_once_in_some_minutes() {
        let (mut waiting, now) = (Waiting::default(), 1_800_000_000_000_000);
        let mut is_new = |acting: bool, owner: &str, service, now| {
            waiting.is_new(("eve".to_owned(), acting, owner.to_owned(), service), now)
        };
        assert!(is_new(false, "ada", "orders", now));
        assert!(!is_new(false, "ada", "orders", now + SAME - 1));
        assert!(is_new(false, "ada", "identities", now), "another service");
        assert!(is_new(false, "bob", "orders", now), "another owner");
        assert!(is_new(true, "ada", "orders", now), "as the owner");
        assert!(is_new(false, "ada", "orders", now + SAME), "steady reading is noted again");
    }

    #[test]
    fn many_reads_are_not_forgotten_for_room() {
        let mut waiting = Waiting::default();
        for owner in 0..=KNOWN {
            assert!(waiting.is_new(("eve".to_owned(), false, owner.to_string(), "orders"), 1));
        }
        assert!(waiting.known.len() <= KNOWN);
    }

    #[test]
    fn an_answer_names_fifty_owners_and_counts_all() {
        let mut disclosed = Disclosed::default();
        for owner in 0..80 {
            disclosed.owned("Order", &owner.to_string());
            disclosed.owned("Order", &owner.to_string());
        }
        disclosed.owned("Order", "");
        assert_eq!((disclosed.owners.len(), disclosed.others.len()), (50, 30));
    }
}
