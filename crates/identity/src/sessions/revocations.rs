//! The ended sessions and the changed roles that a process knows. It reads the journal of identities and tells the
//! verifier.

use std::time::Duration;

use pavise_kernel::common::v1::{JournalEntry, JournalPage, ReadJournalRequest};
use pavise_kernel::revoked::{LONGEST, Revoked};
use pavise_kernel::time::{MINUTE, Micros, micros};
use pavise_kernel::worker::{Feed, entity};
use pavise_kernel::{Common, Kernel, Result};

use super::state::span;
use crate::contract::v1::{Impersonation, ImpersonationStatus, Session, SessionStatus};
use crate::contract::{actions, feeds};

/// The feed.
const READ: &str = match feeds::IDENTITIES {
    Feed::Journal { path, .. } => path,
    Feed::Every(_) => "",
};
const PAGE: i32 = 500;
/// How long a read waits for an entry, in seconds.
const WAIT: i32 = 20;
/// Pause after a read that failed.
const PAUSE: Duration = Duration::from_millis(500);
/// The tolerance of entry times: entries are in commit order, and their times nearly so.
const DISORDER: Micros = 2 * MINUTE;

/// Follows the journal in which sessions end.
#[derive(Debug)]
pub struct Revocations {
    kernel: Kernel,
    revoked: Revoked,
    clock: i64,
    epoch: String,
}

impl Revocations {
    /// Ended sessions are added to `revoked`, which the kernel's verifier reads.
    #[must_use]
    pub fn new(kernel: Kernel, revoked: Revoked) -> Self {
        Self { kernel, revoked, clock: 0, epoch: String::new() }
    }

    /// Reads what ended since the oldest token that may still be good was made.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn catch_up(&mut self) -> Result<()> {
        let since = self.kernel.clock().now().saturating_sub(span(LONGEST)).saturating_sub(DISORDER);
        let head = self.read(i64::MAX, 1, 0).await?;
        self.epoch = head.epoch;
        // The journal has no gap and is ordered by time: a binary search finds the first entry.
        let (mut low, mut high) = (0, head.max_clock);
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.read(middle, 1, 0).await?.entries.into_iter().next();
            match entry {
                Some(entry) if entry.at.as_ref().map_or(0, micros) < since => low = middle + 1,
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

    /// Follows until the process stops. While the journal cannot be read, tokens are good until they expire.
    pub async fn follow(mut self, caught_up: bool) {
        let stop = self.kernel.stopping().clone();
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
            let (at, now) = (entry.at.as_ref().map_or(0, micros), self.kernel.clock().now());
            if is_end(entry)? {
                self.revoked.add(&entry.entity_id, at, now);
            }
            if entry.action == actions::identity_audit::GROUPS_UPDATED {
                self.revoked.renew(&entry.entity_id, entry.version, at, now);
            }
        }
        self.clock = page.clock;
        self.epoch = page.epoch;
        Ok(page.entries.len())
    }

    async fn read(&self, clock: i64, limit: i32, wait: i32) -> Result<JournalPage> {
        let ask = ReadJournalRequest { clock, limit, wait, epoch: self.epoch.clone(), ..ReadJournalRequest::default() };
        self.kernel.feed_page("identity", "identities", READ, ask).await
    }
}

/// Whether the entry says that a session or an impersonation was ended.
fn is_end(entry: &JournalEntry) -> Result<bool> {
    if let Some(session) = entity::<Session>(entry)? {
        return Ok(session.status() == SessionStatus::Revoked);
    }
    Ok(entity::<Impersonation>(entry)?.is_some_and(|one| one.status() == ImpersonationStatus::Ended))
}
