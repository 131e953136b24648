//! Runs workers: takes the lease, reads the feed, hands out the entries, and sets failed entries aside. A worker that
//! staff paused does nothing, and keeps its lease and its place.

mod timer;

use std::collections::{BTreeMap, HashSet};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::{FutureExt as _, StreamExt as _};
use pavise_contract::common::v1::{JournalEntry, ReadJournalRequest};
use prost::Message as _;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::error::{Common, Error, Result};
use crate::kernel::Kernel;
use crate::port::store::{Cursor, FailedEntry};
use crate::time::{MINUTE, Micros, shorten, to_micros};
use crate::work::cause::cause_of;
use crate::work::runner::timer::Ticks;
use crate::work::steering::OrdersOf;
use crate::work::worker::{JournalFeed, Work, Worker};
use crate::work::{gauges, steering};

/// How long a lease lasts. Its holder stops working after this time. Another process takes over within it, or at once
/// if the engine notices that the holder is gone.
const LEASE: Duration = Duration::from_secs(15);
/// Time between two renewals of a lease while its holder works or sleeps.
const RENEWAL: Duration = Duration::from_secs(5);
/// Seconds that a read of the feed waits; well below the lease.
const WAIT: i32 = 4;
/// Pause before the next request of a lease that another process holds, or of a feed that does not answer.
const PAUSE: Duration = Duration::from_secs(1);
/// Entries read at once.
const PAGE: i32 = 200;
/// Entities handled at once.
const AT_ONCE: usize = 16;
/// Failed entries that one turn tries again.
const AGAIN: u32 = 64;
/// Tries before an entry is parked that might still succeed.
const TRIES: i32 = 20;
/// Tries before a refused entry is parked.
const REFUSALS: i32 = 3;
/// The cause of a failed entry that has no entity.
const UNREADABLE: &str = "the document cannot be read of entry";

/// Runs workers until `stop`, then releases their leases.
pub async fn run(kernel: Kernel, workers: Vec<Arc<dyn Worker>>, stop: CancellationToken) {
    let mut running = JoinSet::new();
    let names = workers.iter().map(|worker| worker.name()).collect();
    running.spawn(gauges::watch(kernel.clone(), names, stop.clone()));
    let (sender, known) = watch::channel(None);
    running.spawn(steering::watch(kernel.clone(), sender, stop.clone()));
    for worker in workers {
        let orders = OrdersOf { worker: worker.name(), known: known.clone() };
        let (ticks, holder) = (Ticks::default(), String::new());
        let runner = Runner { kernel: kernel.clone(), worker, orders, ticks, holder, stop: stop.clone() };
        running.spawn(runner.run());
    }
    while let Some(ended) = running.join_next().await {
        if let Err(error) = ended {
            tracing::error!(cause = %error, "a worker panicked");
        }
    }
}

/// The engine's clock, as it was read at the beginning of a turn. The next tries run by it, because the clocks of
/// processes may disagree.
#[derive(Debug, Clone, Copy)]
struct EngineClock {
    shown: Micros,
    asked: Instant,
}

impl EngineClock {
    fn now(self) -> Micros {
        self.shown.saturating_add(i64::try_from(self.asked.elapsed().as_micros()).unwrap_or(i64::MAX))
    }
}

struct Runner {
    kernel: Kernel,
    worker: Arc<dyn Worker>,
    orders: OrdersOf,
    ticks: Ticks,
    /// The lease's holder, which gets a new name after each loss of the lease. A late write under the old name is
    /// refused.
    holder: String,
    stop: CancellationToken,
}

impl Runner {
    async fn run(mut self) {
        let name = self.worker.name();
        self.holder = self.kernel.ids().next(self.kernel.machine_clock().now());
        while !self.stop.is_cancelled() {
            let outcome = tokio::select! {
                outcome = self.turn() => outcome,
                () = self.stop.cancelled() => break,
            };
            match outcome {
                Ok(true) => {}
                Ok(false) => {
                    // Only the lease's holder reports the worker's lag.
                    metrics::gauge!("pavise_worker_lag", "worker" => name).set(0);
                    self.holder = self.kernel.ids().next(self.kernel.machine_clock().now());
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

    /// The pause is partly random, so that processes do not ask for the lease all at once.
    async fn pause(&self) {
        let jitter = Duration::from_micros(self.kernel.ids().bits() % 500_000);
        tokio::select! {
            () = tokio::time::sleep(PAUSE + jitter) => {}
            () = self.stop.cancelled() => {}
        }
    }

    /// One turn under the lease; `false` when another process has it, or took it meanwhile. The lease is renewed during
    /// the turn. A turn that loses the lease is aborted, and the new holder repeats the unfinished work.
    async fn turn(&self) -> Result<bool> {
        let asked = Instant::now();
        if !self.lease().await? || asked.elapsed() >= LEASE {
            return Ok(false);
        }
        tokio::select! {
            // Polled first: a process that stood still must notice the end of its lease before it does anything more.
            biased;
            () = self.lost(asked) => Ok(false),
            outcome = self.work() => outcome,
        }
    }

    async fn lease(&self) -> Result<bool> {
        Ok(self.kernel.store().lease(self.worker.name(), &self.holder, LEASE).await?)
    }

    /// Renews the lease, which was last requested at `asked`. Returns when another process has the lease, or may have
    /// it.
    async fn lost(&self, mut asked: Instant) {
        let worker = self.worker.name();
        loop {
            tokio::time::sleep(shorten(RENEWAL, self.kernel.ids().bits())).await;
            let (until, now) = (asked + LEASE, Instant::now());
            match tokio::time::timeout_at(until, self.lease()).await {
                Ok(Ok(true)) if Instant::now() < until => asked = now,
                Ok(Ok(false)) => return tracing::info!(worker, "another process took over"),
                // The engine may answer again before the lease runs out.
                Ok(Err(error)) if Instant::now() < until => tracing::warn!(worker, cause = %error, "lease not renewed"),
                _ => return tracing::warn!(worker, "the lease ran out before it was renewed"),
            }
        }
    }

    /// Does the due work; `false` when it did not count, because another process has the lease.
    async fn work(&self) -> Result<bool> {
        match self.worker.feed() {
            JournalFeed::Every(_) | JournalFeed::Calendar { .. } => self.timer().await,
            JournalFeed::Journal { domain, service, path } => {
                let orders = self.orders.read().await;
                if orders.is_paused {
                    self.orders.change(orders).await;
                    return Ok(true);
                }
                let clock = self.again().await?;
                self.forward(clock, domain, service, path).await
            }
        }
    }

    /// Handles the next entries of the feed; `false` when another process has moved the cursor.
    async fn forward(
        &self,
        clock: EngineClock,
        domain: &str,
        service: &'static str,
        path: &'static str,
    ) -> Result<bool> {
        let (store, name) = (self.kernel.store(), self.worker.name());
        let cursor = store.cursor(name).await?;
        let epoch = cursor.epoch.clone();
        let ask =
            ReadJournalRequest { clock: cursor.clock, limit: PAGE, wait: WAIT, epoch, ..ReadJournalRequest::default() };
        let page = match self.kernel.feed_page(domain, service, path, ask).await {
            Err(error) if error.is(Common::JournalEpochChanged) => {
                self.rewind(&cursor, &error).await?;
                return Ok(true);
            }
            other => other?,
        };
        let lag = page.max_clock.saturating_sub(page.clock);
        metrics::gauge!("pavise_worker_lag", "worker" => name).set(lag as f64);
        // The wait for the page was long enough to be paused meanwhile.
        if page.entries.is_empty() || self.orders.read().await.is_paused {
            return Ok(true);
        }
        let entities: HashSet<String> = page.entries.iter().map(|entry| entry.entity_id.clone()).collect();
        let entities: Vec<String> = entities.into_iter().collect();
        let blocked: HashSet<String> = store.blocked(name, &entities).await?.into_iter().collect();
        let blocked = &blocked;
        let failed: Vec<Vec<FailedEntry>> =
            futures::stream::iter(split_into_lines(page.entries, self.worker.keeps_owners_in_order()))
                .map(|entries| async move { self.line(clock, blocked, entries).await })
                .buffer_unordered(AT_ONCE)
                .collect()
                .await;
        let mut failed: Vec<FailedEntry> = failed.into_iter().flatten().collect();
        failed.sort_by_key(|aside| aside.clock);
        let cursor = Cursor { clock: page.clock, epoch: page.epoch };
        let counts = store.advance(name, &self.holder, &cursor, &failed).await?;
        if !counts {
            tracing::info!(worker = name, "another process took over");
        }
        Ok(counts)
    }

    /// Moves the cursor back after the journal was restored from an older backup, to the last clock that both epochs
    /// share.
    async fn rewind(&self, cursor: &Cursor, changed: &Error) -> Result<()> {
        let shared = changed.find_fact("clock").and_then(|clock| clock.parse().ok()).unwrap_or(0);
        let epoch = changed.find_fact("epoch").unwrap_or_default().to_owned();
        let name = self.worker.name();
        let to = Cursor { clock: cursor.clock.min(shared), epoch };
        tracing::warn!(
            worker = name,
            from = cursor.clock,
            to = to.clock,
            "the journal was restored from an older backup"
        );
        self.kernel.store().rewind(name, &self.holder, &to).await?;
        Ok(())
    }

    /// Handles the entries of a line. From the first failure of an entity on, its entries are set aside.
    async fn line(
        &self,
        clock: EngineClock,
        blocked: &HashSet<String>,
        entries: Vec<JournalEntry>,
    ) -> Vec<FailedEntry> {
        let mut failed: Vec<FailedEntry> = Vec::new();
        for entry in entries {
            let mut cause = "waits behind an earlier entry".to_owned();
            let mut attempts = 0;
            let mut parked = false;
            let is_blocked =
                blocked.contains(&entry.entity_id) || failed.iter().any(|earlier| earlier.entity_id == entry.entity_id);
            if !is_blocked {
                match self.handle(&entry).await {
                    Ok(()) => continue,
                    Err(error) => {
                        tracing::warn!(worker = self.worker.name(), clock = entry.clock, cause = %error, "entry set aside");
                        (cause, attempts) = (cause_of(&error), 1);
                        parked = entry.entity.is_none();
                    }
                }
            }
            let next_at = clock.now().saturating_add(backoff(attempts, self.kernel.ids().bits()));
            let worker = self.worker.name().to_owned();
            // The entity stays in the journal only: what is set aside keeps nobody's data.
            let encoded = JournalEntry { entity: None, ..entry.clone() }.encode_to_vec();
            failed.push(FailedEntry {
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
        failed
    }

    async fn handle(&self, entry: &JournalEntry) -> Result<()> {
        if entry.entity.is_none() {
            return Err(Error::internal(format!(
                "{UNREADABLE} {}: repair it or run a version that reads it",
                entry.clock
            )));
        }
        let work = Work::of_worker(&self.kernel, &*self.worker, occasion(entry), &entry.request_id);
        unpanicked(self.worker.handle(&work, entry)).await
    }

    /// Tries failed entries that are due, the earliest of each entity. Each turn takes a portion, so that many failures
    /// do not delay the feed. Answers the engine's clock.
    async fn again(&self) -> Result<EngineClock> {
        let asked = Instant::now();
        let due = self.kernel.store().due(self.worker.name(), AGAIN).await?;
        let clock = EngineClock { shown: due.now, asked };
        let tried =
            futures::stream::iter(due.entries).map(|aside| self.once_more(aside, clock)).buffer_unordered(AT_ONCE);
        tried.collect::<Vec<_>>().await.into_iter().collect::<Result<()>>()?;
        Ok(clock)
    }

    async fn once_more(&self, mut aside: FailedEntry, clock: EngineClock) -> Result<()> {
        let (store, name) = (self.kernel.store(), self.worker.name());
        let entry = self.entry_of(&aside).await;
        let unreadable = entry.as_ref().is_ok_and(|entry| entry.entity.is_none());
        let handled = match &entry {
            Ok(entry) => self.handle(entry).await,
            Err(error) => Err(Error::unavailable("the journal", error)),
        };
        let Err(error) = handled else { return Ok(store.remove_failed(name, aside.clock).await?) };
        aside.attempts = aside.attempts.saturating_add(1);
        let tries = match (error.is_transient(), self.worker.gives_up()) {
            (true, true) => TRIES,
            (true, false) => i32::MAX,
            (false, _) => REFUSALS,
        };
        aside.parked = unreadable || aside.attempts >= tries;
        aside.next_at = clock.now().saturating_add(backoff(aside.attempts, self.kernel.ids().bits()));
        aside.cause = cause_of(&error);
        if aside.parked {
            tracing::error!(worker = name, clock = aside.clock, cause = %error, "entry parked until somebody replays it");
        }
        Ok(store.retry(&aside).await?)
    }

    /// The entry as it was set aside. If it was unreadable then, it is read from the journal again.
    async fn entry_of(&self, aside: &FailedEntry) -> Result<JournalEntry> {
        let kept = JournalEntry::decode(aside.entry.as_slice()).map_err(Error::internal);
        let (JournalFeed::Journal { domain, service, path }, false) =
            (self.worker.feed(), kept.as_ref().is_ok_and(|entry| entry.entity.is_some()))
        else {
            return kept;
        };
        let ask = ReadJournalRequest { clock: aside.clock - 1, limit: 1, ..ReadJournalRequest::default() };
        let page = self.kernel.feed_page(domain, service, path, ask).await?;
        page.entries
            .into_iter()
            .find(|entry| entry.clock == aside.clock && entry.entity_id == aside.entity_id)
            .map_or(kept, Ok)
    }
}

/// The entries in lines that do not wait for each other. Those of one entity are in one line, in order, and those of one
/// owner as well if `by_owner`.
fn split_into_lines(entries: Vec<JournalEntry>, by_owner: bool) -> Vec<Vec<JournalEntry>> {
    let mut lines: BTreeMap<String, Vec<JournalEntry>> = BTreeMap::new();
    for entry in entries {
        let name = if by_owner && !entry.owner_id.is_empty() { &entry.owner_id } else { &entry.entity_id };
        lines.entry(name.clone()).or_default().push(entry);
    }
    lines.into_values().collect()
}

/// The lasting name of an entry. The clock alone does not suffice, because after a restore another entry may have it.
fn occasion(entry: &JournalEntry) -> String {
    let at = entry.at.as_ref().map_or(0, to_micros);
    format!("{}@{at}", entry.clock)
}

/// Turns a panic into an error, so that it does not end the worker.
async fn unpanicked(work: impl Future<Output = Result<()>>) -> Result<()> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| Err(Error::internal("the worker panicked")))
}

/// The back-off after so many failures: one second, doubled each time, at most five minutes, with jitter.
fn backoff(attempts: i32, random: u64) -> Micros {
    let doublings = u32::try_from(attempts.clamp(1, 10) - 1).unwrap_or(0);
    let base = (1_000_000_i64 << doublings).min(5 * MINUTE);
    let jitter = i64::try_from(random % 250_000).unwrap_or(0);
    base + jitter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_one_line_follow_each_other() {
        let entry = |clock: i64, entity: &str, owner: &str| {
            let (entity_id, owner_id) = (entity.to_owned(), owner.to_owned());
            JournalEntry { clock, entity_id, owner_id, ..JournalEntry::default() }
        };
        let entries = vec![
            entry(1, "a", "ada"),
            entry(2, "b", "ben"),
            entry(3, "c", "ada"),
            entry(4, "d", ""),
            entry(5, "e", ""),
            entry(6, "a", "ada"),
        ];
        let clocks = |by_owner: bool| {
            let lines = split_into_lines(entries.clone(), by_owner).into_iter();
            lines.map(|line| line.iter().map(|entry| entry.clock).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        assert_eq!(clocks(false), [vec![1, 6], vec![2], vec![3], vec![4], vec![5]]);
        assert_eq!(clocks(true), [vec![1, 3, 6], vec![2], vec![4], vec![5]]);
    }

    #[tokio::test]
    async fn a_panic_is_a_failure_that_may_pass() {
        let failed = unpanicked(async { panic!("a handler's mistake") }).await;
        assert!(failed.is_err_and(|error| error.is_transient()));
    }
}
