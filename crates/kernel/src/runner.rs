//! Runs workers: takes the lease, reads the feed, hands out the entries, sets aside what fails.

use std::collections::{BTreeMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _};
use pavise_contract::common::v1::{JournalEntry, ReadJournalRequest};
use prost::Message as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::store::{Cursor, SetAside};
use crate::time::{MINUTE, Micros, micros};
use crate::worker::{Feed, Work, Worker};

/// How long a lease lasts: another process takes over within this time.
const LEASE: Micros = 15_000_000;
/// How often a lease is renewed while its holder works or sleeps.
const RENEWAL: Duration = Duration::from_secs(5);
/// How long a read of the feed waits, well within the lease.
const WAIT: i32 = 4;
/// Pause before a lease that another process holds, or a feed that does not answer, is asked for again.
const PAUSE: Duration = Duration::from_secs(2);
/// Entries read at once.
const PAGE: i32 = 200;
/// Entities handled at once.
const AT_ONCE: usize = 16;
/// Entries that were set aside and are tried again at once.
const AGAIN: u32 = 64;
/// Tries before an entry that might succeed later is parked.
const TRIES: i32 = 20;
/// Tries before an entry that was refused is parked.
const REFUSALS: i32 = 3;

/// Runs workers until `stop`, then gives their leases back.
pub async fn run(kernel: Kernel, workers: Vec<Arc<dyn Worker>>, stop: CancellationToken) {
    let mut running = JoinSet::new();
    for worker in workers {
        let runner =
            Runner { kernel: kernel.clone(), worker, holder: kernel.ids().next(kernel.clock().now()), stop: stop.clone() };
        running.spawn(runner.run());
    }
    while let Some(ended) = running.join_next().await {
        if let Err(error) = ended {
            tracing::error!(cause = %error, "a worker panicked");
        }
    }
}

struct Runner {
    kernel: Kernel,
    worker: Arc<dyn Worker>,
    holder: String,
    stop: CancellationToken,
}

impl Runner {
    async fn run(self) {
        let name = self.worker.name();
        while !self.stop.is_cancelled() {
            let outcome = tokio::select! {
                outcome = self.turn() => outcome,
                () = self.stop.cancelled() => break,
            };
            match outcome {
                Ok(true) => {}
                Ok(false) => self.pause().await,
                Err(error) => {
                    tracing::warn!(worker = name, cause = %error, "worker stumbled; it goes on");
                    self.pause().await;
                }
            }
        }
        if let Err(error) = self.kernel.store().release(name, &self.holder).await {
            tracing::warn!(worker = name, cause = %error, "lease not given back; it runs out by itself");
        }
    }

    async fn pause(&self) {
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = self.stop.cancelled() => {}
        }
    }

    /// One turn under the lease; `false` when another process has it. The lease is renewed for as long as the turn takes;
    /// a turn that loses it is broken off, and whoever has it now repeats what was not finished.
    async fn turn(&self) -> Result<bool> {
        if !self.lease().await? {
            return Ok(false);
        }
        tokio::select! {
            outcome = self.work() => outcome.map(|()| true),
            () = self.lost() => Ok(false),
        }
    }

    async fn lease(&self) -> Result<bool> {
        let now = self.kernel.clock().now();
        Ok(self.kernel.store().lease(self.worker.name(), &self.holder, now, now.saturating_add(LEASE)).await?)
    }

    /// Renews the lease; ends when another process has it.
    async fn lost(&self) {
        loop {
            tokio::time::sleep(RENEWAL).await;
            match self.lease().await {
                Ok(true) => {}
                Ok(false) => return tracing::info!(worker = self.worker.name(), "another process took over"),
                // It may answer again before the lease runs out.
                Err(error) => tracing::warn!(worker = self.worker.name(), cause = %error, "lease not renewed"),
            }
        }
    }

    async fn work(&self) -> Result<()> {
        match self.worker.feed() {
            Feed::Every(period) => {
                let work = Work::new(&self.kernel, self.worker.name(), self.kernel.clock().now().to_string(), "");
                if let Err(error) = unpanicked(self.worker.tick(&work)).await {
                    tracing::warn!(worker = self.worker.name(), cause = %error, "tick failed; it is done again next time");
                }
                self.kernel.clock().sleep(period).await;
            }
            Feed::Journal { domain, service, path } => {
                self.again().await?;
                self.forward(domain, service, path).await?;
            }
        }
        Ok(())
    }

    /// Handles the next entries of the feed.
    async fn forward(&self, domain: &str, service: &'static str, path: &'static str) -> Result<()> {
        let (store, name) = (self.kernel.store(), self.worker.name());
        let cursor = store.cursor(name).await?;
        let epoch = cursor.epoch.clone();
        let ask = ReadJournalRequest { clock: cursor.clock, limit: PAGE, wait: WAIT, epoch, ..ReadJournalRequest::default() };
        let page = match self.kernel.feed_page(domain, service, path, ask).await {
            Err(error) if error.is(Common::JournalEpochChanged) => return self.rewind(&cursor, &error).await,
            other => other?,
        };
        if page.entries.is_empty() {
            return Ok(());
        }
        // Entries of one entity stay in order; entities do not wait for each other.
        let mut lines: BTreeMap<String, Vec<JournalEntry>> = BTreeMap::new();
        for entry in page.entries {
            lines.entry(entry.entity_id.clone()).or_default().push(entry);
        }
        let entities: Vec<String> = lines.keys().cloned().collect();
        let blocked: HashSet<String> = store.blocked(name, &entities).await?.into_iter().collect();
        let blocked = &blocked;
        let asides: Vec<Vec<SetAside>> = futures::stream::iter(lines)
            .map(|(entity, entries)| async move { self.line(blocked.contains(&entity), entries).await })
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        let mut asides: Vec<SetAside> = asides.into_iter().flatten().collect();
        asides.sort_by_key(|aside| aside.clock);
        let cursor = Cursor { clock: page.clock, epoch: page.epoch };
        if !store.advance(name, &self.holder, &cursor, &asides).await? {
            tracing::info!(worker = name, "another process took over");
        }
        Ok(())
    }

    /// Goes on after the journal was restored from an older backup: from the last entry that is still the one it was.
    async fn rewind(&self, cursor: &Cursor, changed: &Error) -> Result<()> {
        let shared = changed.fact("clock").and_then(|clock| clock.parse().ok()).unwrap_or(0);
        let epoch = changed.fact("epoch").unwrap_or_default().to_owned();
        let name = self.worker.name();
        let to = Cursor { clock: cursor.clock.min(shared), epoch };
        tracing::warn!(worker = name, from = cursor.clock, to = to.clock, "the journal was restored from an older backup");
        self.kernel.store().rewind(name, &self.holder, &to).await?;
        Ok(())
    }

    /// Handles the entries of one entity; from the first that fails on, they are set aside.
    async fn line(&self, mut blocked: bool, entries: Vec<JournalEntry>) -> Vec<SetAside> {
        let mut asides = Vec::new();
        for entry in entries {
            let mut cause = "waits behind an earlier entry".to_owned();
            let mut attempts = 0;
            if !blocked {
                match self.handle(&entry).await {
                    Ok(()) => continue,
                    Err(error) => {
                        tracing::warn!(worker = self.worker.name(), clock = entry.clock, cause = %error, "entry set aside");
                        (cause, attempts, blocked) = (error.to_string(), 1, true);
                    }
                }
            }
            let next_at = self.kernel.clock().now().saturating_add(backoff(attempts, self.kernel.ids().bits()));
            let worker = self.worker.name().to_owned();
            let encoded = entry.encode_to_vec();
            asides.push(SetAside {
                worker,
                clock: entry.clock,
                entity_id: entry.entity_id,
                attempts,
                next_at,
                cause,
                parked: false,
                entry: encoded,
            });
        }
        asides
    }

    async fn handle(&self, entry: &JournalEntry) -> Result<()> {
        let work = Work::new(&self.kernel, self.worker.name(), occasion(entry), &entry.request_id);
        unpanicked(self.worker.handle(&work, entry)).await
    }

    /// Tries entries that were set aside and are due, the earliest of each entity. Each time some, so that the feed does
    /// not wait for a heap of them.
    async fn again(&self) -> Result<()> {
        let now = self.kernel.clock().now();
        let due = self.kernel.store().due(self.worker.name(), now, AGAIN).await?;
        let tried = futures::stream::iter(due).map(|aside| self.once_more(aside, now)).buffer_unordered(AT_ONCE);
        tried.collect::<Vec<_>>().await.into_iter().collect()
    }

    async fn once_more(&self, mut aside: SetAside, now: Micros) -> Result<()> {
        let (store, name) = (self.kernel.store(), self.worker.name());
        let entry = JournalEntry::decode(aside.entry.as_slice()).map_err(Error::internal)?;
        let Err(error) = self.handle(&entry).await else { return Ok(store.settle(name, aside.clock).await?) };
        aside.attempts = aside.attempts.saturating_add(1);
        aside.parked = aside.attempts >= if error.is_transient() { TRIES } else { REFUSALS };
        aside.next_at = now.saturating_add(backoff(aside.attempts, self.kernel.ids().bits()));
        aside.cause = error.to_string();
        if aside.parked {
            tracing::error!(worker = name, clock = aside.clock, cause = %error, "entry parked until somebody replays it");
        }
        Ok(store.retry(&aside).await?)
    }
}

/// What names an entry for good: after a restore another one may have its clock.
fn occasion(entry: &JournalEntry) -> String {
    let at = entry.at.as_ref().map_or(0, micros);
    format!("{}@{at}", entry.clock)
}

/// A panic is a failure like another: it must not end the worker.
async fn unpanicked(work: impl Future<Output = Result<()>>) -> Result<()> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(Error::internal("the worker panicked")))
}

/// How long to wait after so many failures: a second, doubled each time, five minutes at most, with jitter.
fn backoff(attempts: i32, random: u64) -> Micros {
    let doublings = u32::try_from(attempts.clamp(1, 10) - 1).unwrap_or(0);
    let base = (1_000_000_i64 << doublings).min(5 * MINUTE);
    let jitter = i64::try_from(random % 250_000).unwrap_or(0);
    base + jitter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_a_failure_that_may_pass() {
        let failed = unpanicked(async { panic!("a handler's mistake") }).await;
        assert!(failed.is_err_and(|error| error.is_transient()));
    }
}
