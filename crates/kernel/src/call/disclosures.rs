//! Reads of people's personal data by others than their owner: who read whose data, by which call, and when.
//!
//! [`Kernel::serve`] notes such a read after it has run, and before its answer leaves. A note waits in memory for the next
//! group, which the process hands over within a second. A process that stops hands over all of them; one that is
//! killed loses a second's notes at most. When so many notes wait that the record must be out of reach, such reads are
//! refused: nobody reads unseen.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pavise_contract::table::Realm;
use tokio::sync::Notify;

use crate::error::{Error, Result};
use crate::time::{Ids, MINUTE, Micros};

pub use crate::entity::disclosed_owners::DisclosedOwners;

/// The time within which a caller's further reads of one owner in one service are the same read.
const SAME: Micros = 5 * MINUTE;
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
    /// The reason of a call that reveals; empty for others.
    pub reason: String,
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
    pub fn take_oldest(&self, most: usize) -> Vec<Disclosure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let count = state.notes.len().min(most);
        state.notes.drain(..count).collect()
    }

    /// The number of notes that wait.
    #[must_use]
    pub fn count_waiting(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).notes.len()
    }

    /// Waits until there is a note.
    pub async fn wait_for_more(&self) {
        loop {
            let more = self.more.notified();
            if self.count_waiting() > 0 {
                return;
            }
            more.await;
        }
    }

    /// Adds the reads of one answer, but those that are noted already.
    pub(crate) fn add(&self, reads: impl Iterator<Item = Disclosure>, ids: &Ids) -> Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for one in reads {
            let read = (one.reader.clone(), one.impersonated, one.owner.clone(), one.service);
            // Each call that reveals is noted.
            if !state.is_new(read.clone(), one.at) && one.reason.is_empty() {
                continue;
            }
            if state.notes.len() >= WAITING {
                state.known.remove(&read);
                return Err(Error::unavailable("the record of reads", "too many notes of reads wait"));
            }
            state.notes.push(Disclosure { id: ids.next(one.at), ..one });
        }
        drop(state);
        self.more.notify_one();
        Ok(())
    }
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
}
