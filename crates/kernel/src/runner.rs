//! Runs workers: takes the lease, reads the feed, hands out the entries, sets aside what fails.

use std::collections::{BTreeMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _};
use pavise_contract::common::v1::{JournalEntry, ReadJournalRequest};
use prost::Message as _;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::error::{Common, Error, Result};
use crate::gauges;
use crate::kernel::Kernel;
use crate::store::{Cursor, SetAside};
use crate::time::{MINUTE, Micros, micros};
use crate::worker::{Feed, Work, Worker};

/// How long a lease lasts: another process takes over within this time, at once where the engine sees that the holder is
/// gone, and the holder stops working after it.
const LEASE: Duration = Duration::from_secs(15);
/// How often a lease is renewed while its holder works or sleeps.
const RENEWAL: Duration = Duration::from_secs(5);
/// How long a read of the feed waits, well within the lease.
const WAIT: i32 = 4;
/// Pause before a lease that another process holds, or a feed that does not answer, is asked for again.
const PAUSE: Duration = Duration::from_secs(1);
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
/// What is said of an entry that has no entity.
const UNREADABLE: &str = "the document cannot be read of entry";

/// Runs workers until `stop`, then gives their leases back.
pub async fn run(kernel: Kernel, workers: Vec<Arc<dyn Worker>>, stop: CancellationToken) {
    let mut running = JoinSet::new();
    let names = workers.iter().map(|worker| worker.name()).collect();
    running.spawn(gauges::watch(kernel.clone(), names, stop.clone()));
    for worker in workers {
        let runner = Runner { kernel: kernel.clone(), worker, holder: String::new(), stop: stop.clone() };
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
    /// Another one after each loss of the lease: what was sent under an earlier one and arrives late is refused.
    holder: String,
    stop: CancellationToken,
}

impl Runner {
    async fn run(mut self) {
        let name = self.worker.name();
        self.holder = self.kernel.ids().next(self.kernel.clock().now());
        while !self.stop.is_cancelled() {
            let outcome = tokio::select! {
                outcome = self.turn() => outcome,
                () = self.stop.cancelled() => break,
            };
            match outcome {
                Ok(true) => {}
                Ok(false) => {
                    // Who has the lease says how far behind the worker is.
                    metrics::gauge!("pavise_worker_lag", "worker" => name).set(0);
                    self.holder = self.kernel.ids().next(self.kernel.clock().now());
                    self.pause().await;
                }
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

    /// Of chance in part, so that those whose clocks do not agree do not take the lease from each other for ever.
    async fn pause(&self) {
        let jitter = Duration::from_micros(self.kernel.ids().bits() % 500_000);
        tokio::select! {
            () = tokio::time::sleep(PAUSE + jitter) => {}
            () = self.stop.cancelled() => {}
        }
    }

    /// One turn under the lease; `false` when another process has it, or took it meanwhile. The lease is renewed for as long
    /// as the turn takes; a turn that loses it is broken off, and whoever has it now repeats what was not finished.
    async fn turn(&self) -> Result<bool> {
        let asked = Instant::now();
        if !self.lease().await? || asked.elapsed() >= LEASE {
            return Ok(false);
        }
        tokio::select! {
            // First, so that a process that stood still does nothing more before it knows that its time is over.
            biased;
            () = self.lost(asked) => Ok(false),
            outcome = self.work() => outcome,
        }
    }

    async fn lease(&self) -> Result<bool> {
        let now = self.kernel.clock().now();
        let until = now.saturating_add(i64::try_from(LEASE.as_micros()).unwrap_or(i64::MAX));
        Ok(self.kernel.store().lease(self.worker.name(), &self.holder, now, until).await?)
    }

    /// Renews the lease, which was asked for last at `asked`; ends when another process has it, or may have it.
    async fn lost(&self, mut asked: Instant) {
        let worker = self.worker.name();
        loop {
            tokio::time::sleep(RENEWAL).await;
            let (until, now) = (asked + LEASE, Instant::now());
            match tokio::time::timeout_at(until, self.lease()).await {
                Ok(Ok(true)) if Instant::now() < until => asked = now,
                Ok(Ok(false)) => return tracing::info!(worker, "another process took over"),
                // It may answer again before the lease runs out.
                Ok(Err(error)) if Instant::now() < until => tracing::warn!(worker, cause = %error, "lease not renewed"),
                _ => return tracing::warn!(worker, "the lease ran out before it was renewed"),
            }
        }
    }

    /// Does what there is to do; `false` when it did not count because another process has the lease.
    async fn work(&self) -> Result<bool> {
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
                return self.forward(domain, service, path).await;
            }
        }
        Ok(true)
    }

    /// Handles the next entries of the feed; `false` when another process has got on with them.
    async fn forward(&self, domain: &str, service: &'static str, path: &'static str) -> Result<bool> {
        let (store, name) = (self.kernel.store(), self.worker.name());
        let cursor = store.cursor(name).await?;
        let epoch = cursor.epoch.clone();
        let ask = ReadJournalRequest { clock: cursor.clock, limit: PAGE, wait: WAIT, epoch, ..ReadJournalRequest::default() };
        let page = match self.kernel.feed_page(domain, service, path, ask).await {
            Err(error) if error.is(Common::JournalEpochChanged) => {
                self.rewind(&cursor, &error).await?;
                return Ok(true);
            }
            other => other?,
        };
        let lag = page.max_clock.saturating_sub(page.clock);
        metrics::gauge!("pavise_worker_lag", "worker" => name).set(lag as f64);
        if page.entries.is_empty() {
            return Ok(true);
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
        let counts = store.advance(name, &self.holder, &cursor, &asides).await?;
        if !counts {
            tracing::info!(worker = name, "another process took over");
        }
        Ok(counts)
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
            let mut parked = false;
            if !blocked {
                match self.handle(&entry).await {
                    Ok(()) => continue,
                    Err(error) => {
                        tracing::warn!(worker = self.worker.name(), clock = entry.clock, cause = %error, "entry set aside");
                        (cause, attempts, blocked) = (error.to_string(), 1, true);
                        parked = entry.entity.is_none();
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
                parked,
                entry: encoded,
            });
        }
        asides
    }

    async fn handle(&self, entry: &JournalEntry) -> Result<()> {
        if entry.entity.is_none() {
            return Err(Error::internal(format!("{UNREADABLE} {}: repair it or run a version that reads it", entry.clock)));
        }
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
        let entry = self.entry_of(&aside).await;
        let unreadable = entry.as_ref().is_ok_and(|entry| entry.entity.is_none());
        let handled = match &entry {
            Ok(entry) => self.handle(entry).await,
            Err(error) => Err(Error::unavailable("the journal", error)),
        };
        let Err(error) = handled else { return Ok(store.settle(name, aside.clock).await?) };
        aside.attempts = aside.attempts.saturating_add(1);
        aside.parked = unreadable || aside.attempts >= if error.is_transient() { TRIES } else { REFUSALS };
        aside.next_at = now.saturating_add(backoff(aside.attempts, self.kernel.ids().bits()));
        aside.cause = error.to_string();
        if aside.parked {
            tracing::error!(worker = name, clock = aside.clock, cause = %error, "entry parked until somebody replays it");
        }
        Ok(store.retry(&aside).await?)
    }

    /// The entry as it was set aside; where it could not be read then, as the journal has it now.
    async fn entry_of(&self, aside: &SetAside) -> Result<JournalEntry> {
        let kept = JournalEntry::decode(aside.entry.as_slice()).map_err(Error::internal);
        let (Feed::Journal { domain, service, path }, false) =
            (self.worker.feed(), kept.as_ref().is_ok_and(|entry| entry.entity.is_some()))
        else {
            return kept;
        };
        let ask = ReadJournalRequest { clock: aside.clock - 1, limit: 1, ..ReadJournalRequest::default() };
        let page = self.kernel.feed_page(domain, service, path, ask).await?;
        page.entries.into_iter().find(|entry| entry.clock == aside.clock && entry.entity_id == aside.entity_id).map_or(kept, Ok)
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
