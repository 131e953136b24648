//! The ended sessions and the changed rights that a process knows. It reads the journals of identities and of
//! applications, and tells the verifier.

use std::time::Duration;

use pavise_kernel::common::v1::{JournalEntry, JournalPage, ReadJournalRequest};
use pavise_kernel::revoked::{LONGEST, RevokedTokens};
use pavise_kernel::time::{MINUTE, Micros, to_micros};
use pavise_kernel::worker::{JournalFeed, decode_entity};
use pavise_kernel::{Common, Error, Kernel, Result};

use super::state::duration_to_micros;
use crate::contract::actions::{application as of_application, identity_audit as of_identity};
use crate::contract::feeds;
use crate::contract::v1::{
    Application, Credential, Identity, Impersonation, ImpersonationStatus, Session, SessionStatus,
};

/// The journals in which access ends.
const FEEDS: [JournalFeed; 2] = [feeds::IDENTITIES, feeds::APPLICATIONS];
/// The actions after which an identity's older tokens are invalid.
const CHANGES_OF_RIGHTS: [&str; 5] = [
    of_identity::GROUPS_UPDATED,
    of_identity::PERMISSIONS_UPDATED,
    of_identity::DELETED,
    of_identity::MERGED,
    of_identity::UNMERGED,
];
/// The actions after which an application's older tokens are invalid.
const ENDS_OF_KEYS: [&str; 3] = [of_application::KEY_UPDATED, of_application::REMOVED, of_application::OWNER_CHANGED];
const PAGE: i32 = 500;
/// How long a read waits for an entry, in seconds.
const WAIT: i32 = 20;
/// Pause after a read that failed.
const PAUSE: Duration = Duration::from_millis(500);
/// The tolerance of entry times: entries are in commit order, and their times nearly so.
const DISORDER: Micros = 2 * MINUTE;

/// Follows the journals in which access ends.
#[derive(Debug)]
pub struct Revocations(Vec<FollowedJournal>);

impl Revocations {
    /// Ended access is added to `revoked`, which the kernel's verifier reads.
    #[must_use]
    pub fn new(kernel: &Kernel, revoked: &RevokedTokens) -> Self {
        let of = |feed| FollowedJournal {
            kernel: kernel.clone(),
            revoked: revoked.clone(),
            feed,
            clock: 0,
            epoch: String::new(),
        };
        Self(FEEDS.into_iter().map(of).collect())
    }

    /// Reads what ended since the oldest token that may still be good was made.
    ///
    /// # Errors
    /// When a journal cannot be read.
    pub async fn catch_up(&mut self) -> Result<()> {
        for followed in &mut self.0 {
            followed.catch_up().await?;
        }
        Ok(())
    }

    /// Follows until the process stops. While a journal cannot be read, tokens are good until they expire.
    pub async fn follow(self, caught_up: bool) {
        futures::future::join_all(self.0.into_iter().map(|followed| followed.follow(caught_up))).await;
    }
}

/// One journal, up to the last page read.
#[derive(Debug)]
struct FollowedJournal {
    kernel: Kernel,
    revoked: RevokedTokens,
    feed: JournalFeed,
    clock: i64,
    epoch: String,
}

impl FollowedJournal {
    /// Reads what ended since the oldest token that may still be good was made.
    async fn catch_up(&mut self) -> Result<()> {
        let clock = self.kernel.business_clock();
        // Business time may have moved since by any number of days: then the whole journal is read.
        let since = match clock.test_clock() {
            None => clock.now().saturating_sub(duration_to_micros(LONGEST)).saturating_sub(DISORDER),
            Some(_) => Micros::MIN,
        };
        let head = self.read(i64::MAX, 1, 0).await?;
        self.epoch = head.epoch;
        // The journal has no gap and is ordered by time: a binary search finds the first entry.
        let (mut low, mut high) = (0, head.max_clock);
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.read(middle, 1, 0).await?.entries.into_iter().next();
            match entry {
                Some(entry) if entry.at.as_ref().map_or(0, to_micros) < since => low = middle + 1,
                _ => high = middle,
            }
        }
        self.clock = low;
        while self.clock < head.max_clock {
            if self.next(0).await? == 0 {
                break;
            }
        }
        Ok(())
    }

    async fn follow(mut self, caught_up: bool) {
        let stop = self.kernel.stop_token().clone();
        let (mut behind, mut deaf) = (!caught_up, false);
        loop {
            let step = async { if behind { self.catch_up().await.map(|()| 0) } else { self.next(WAIT).await } };
            let outcome = tokio::select! {
                outcome = step => outcome,
                () = stop.cancelled() => return,
            };
            match outcome {
                Ok(_) => {
                    if deaf {
                        tracing::info!("ended sessions are known here again");
                    }
                    (behind, deaf) = (false, false);
                }
                Err(error) => {
                    // A restored journal begins anew.
                    behind |= error.is(Common::JournalEpochChanged);
                    if behind {
                        self.epoch.clear();
                    }
                    // Logged once. Until then a signed-out caller counts as signed in here, while the token is good.
                    if !deaf {
                        tracing::warn!(cause = %error, "ended sessions are not known here for now");
                    }
                    deaf = true;
                    tokio::select! {
                        () = tokio::time::sleep(PAUSE) => {}
                        () = stop.cancelled() => return,
                    }
                }
            }
        }
    }

    /// The next entries; how many.
    async fn next(&mut self, wait: i32) -> Result<usize> {
        let page = self.read(self.clock, PAGE, wait).await?;
        for entry in &page.entries {
            self.note(entry)?;
        }
        self.clock = page.clock;
        self.epoch = page.epoch;
        Ok(page.entries.len())
    }

    /// Tells the verifier what the entry ends.
    fn note(&self, entry: &JournalEntry) -> Result<()> {
        // Tokens live in machine time, and a journal's entries have business time.
        let at = self.kernel.business_clock().machine_time_of(entry.at.as_ref().map_or(0, to_micros), LONGEST);
        let now = self.kernel.machine_clock().now();
        let (action, id) = (entry.action.as_str(), entry.entity_id.as_str());
        if let Some(session) = decode_entity::<Session>(entry)? {
            if session.status() == SessionStatus::Revoked {
                self.revoked.add(id, at, now);
            }
            // The owner who signs out ends that session alone.
            if [of_identity::SESSION_REVOKED, of_identity::REFRESH_TOKEN_REUSED].contains(&action) {
                self.revoked.end_programs(&entry.owner_id, at, now);
            }
        } else if let Some(impersonation) = decode_entity::<Impersonation>(entry)? {
            if impersonation.status() == ImpersonationStatus::Ended {
                self.revoked.add(id, at, now);
            }
        } else if decode_entity::<Credential>(entry)?.is_some() {
            if [of_identity::PASSWORD_UPDATED, of_identity::PASSWORD_INVALIDATED].contains(&action) {
                self.revoked.end_programs(&entry.owner_id, at, now);
            }
        } else if decode_entity::<Identity>(entry)?.is_some() {
            if CHANGES_OF_RIGHTS.contains(&action) {
                self.revoked.record_change(id, entry.version, at, now);
            }
        } else if decode_entity::<Application>(entry)?.is_some() && ENDS_OF_KEYS.contains(&action) {
            self.revoked.end_programs(id, at, now);
        }
        Ok(())
    }

    async fn read(&self, clock: i64, limit: i32, wait: i32) -> Result<JournalPage> {
        let JournalFeed::Journal { domain, service, path } = self.feed else {
            return Err(Error::internal("a feed of time has no journal"));
        };
        let ask = ReadJournalRequest { clock, limit, wait, epoch: self.epoch.clone(), ..ReadJournalRequest::default() };
        self.kernel.feed_page(domain, service, path, ask).await
    }
}
