//! The database of a simulation: leases, cursors, failed entries and orders, kept as the engines keep them.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::store::{
    Command, CountChange, Cursor, DueEntries, Entry, FailedCount, FailedEntry, Filter, IdempotencyRecord, JournalHead,
    JournalPart, LONGEST_WAIT, Outcome, Range, RangePage, SharedCount, Store, StoreError, StoreResult, StoredRow,
    TimerRun, WorkerOrderKind, WorkerState,
};
use pavise_kernel::table::{Lookup, Table};
use tokio::sync::broadcast;

use crate::cluster::{At, Cluster, Place, Reach};

/// How long an engine waits for a silent server.
const PATIENCE: Duration = Duration::from_secs(20);

/// The stored state, and the history that the checks read.
#[derive(Debug, Default)]
pub(crate) struct Database {
    pub(crate) leases: BTreeMap<String, (String, i64)>,
    pub(crate) cursors: BTreeMap<String, Cursor>,
    pub(crate) failed: BTreeMap<(String, i64), FailedEntry>,
    /// How many times a lease went from one holder to another.
    pub(crate) takeovers: usize,
    /// How many stale updates were refused.
    pub(crate) refused: usize,
    /// The entries of a journal that is kept here.
    pub(crate) entries: Vec<Entry>,
    /// Each advance that counted: the holder, and the clocks before and after.
    pub(crate) advances: Vec<(String, i64, i64)>,
    /// The states of workers.
    pub(crate) states: BTreeMap<String, WorkerState>,
}

impl Database {
    /// The lease's time runs by the database's clock, which shows `now`.
    fn lease(&mut self, name: &str, holder: &str, now: At, lasts: At) -> bool {
        match self.leases.get(name) {
            // As in the engines: a lease that ends later than this clock could grant comes from a wrong clock.
            Some((other, end)) if other != holder && *end > now && end.saturating_sub(now) <= 2 * lasts => false,
            before => {
                self.takeovers += usize::from(before.is_some_and(|(other, _)| other != holder));
                self.leases.insert(name.to_owned(), (holder.to_owned(), now + lasts));
                true
            }
        }
    }

    fn advance(&mut self, worker: &str, holder: &str, to: &Cursor, aside: &[FailedEntry]) -> bool {
        let from = self.cursors.get(worker).map_or(0, |cursor| cursor.clock);
        let late = from > to.clock || (from == to.clock && !aside.is_empty());
        if late || self.leases.get(worker).is_none_or(|(other, _)| other != holder) {
            self.refused += 1;
            return false;
        }
        self.advances.push((holder.to_owned(), from, to.clock));
        self.cursors.insert(worker.to_owned(), to.clone());
        self.failed.extend(aside.iter().map(|entry| ((worker.to_owned(), entry.clock), entry.clone())));
        true
    }

    pub(crate) fn order(&mut self, worker: &str, kind: WorkerOrderKind, now: At) {
        let state = self.states.entry(worker.to_owned()).or_default();
        state.worker = worker.to_owned();
        match kind {
            WorkerOrderKind::Pause => (state.is_paused, state.triggered_at) = (true, 0),
            WorkerOrderKind::Activate => state.is_paused = false,
            WorkerOrderKind::Trigger if state.triggered_at == 0 && !state.is_paused => state.triggered_at = now,
            WorkerOrderKind::Trigger => {}
        }
    }

    fn record_run(&mut self, worker: &str, holder: &str, run: TimerRun, takes_trigger: bool) -> bool {
        if self.leases.get(worker).is_none_or(|(other, _)| other != holder) {
            return false;
        }
        let state = self.states.entry(worker.to_owned()).or_default();
        (state.worker, state.run) = (worker.to_owned(), run);
        if takes_trigger {
            state.triggered_at = 0;
        }
        true
    }

    fn due(&self, worker: &str, now: i64, limit: u32) -> Vec<FailedEntry> {
        let of_worker = || self.failed.values().filter(|aside| aside.worker == worker);
        let first = |aside: &&FailedEntry| {
            !of_worker().any(|other| other.entity_id == aside.entity_id && other.clock < aside.clock)
        };
        let mut due: Vec<FailedEntry> = of_worker()
            .filter(|aside| !aside.parked && (aside.next_at <= now || aside.next_at > now + LONGEST_WAIT))
            .filter(first)
            .cloned()
            .collect();
        due.sort_by_key(|aside| (aside.next_at, aside.clock));
        due.truncate(usize::try_from(limit).unwrap());
        due
    }
}

/// The database, reached over the simulated network.
pub(crate) struct Engine(pub(crate) Reach);

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({})", self.0.process)
    }
}

impl Engine {
    async fn ask<T: Send + 'static>(&self, what: impl FnOnce(&mut Database) -> T + Send + 'static) -> StoreResult<T> {
        self.ask_cluster(|cluster| what(&mut cluster.database)).await
    }

    async fn ask_cluster<T: Send + 'static>(
        &self,
        what: impl FnOnce(&mut Cluster) -> T + Send + 'static,
    ) -> StoreResult<T> {
        let answer = self.0.ask(Place::Database, PATIENCE, what).await;
        answer.ok_or_else(|| StoreError { cause: "no answer".to_owned(), unknown: true })
    }
}

#[async_trait]
impl Store for Engine {
    fn lane(&self, _: &'static str) -> &'static str {
        "one"
    }

    fn hints(&self) -> Option<broadcast::Receiver<String>> {
        None
    }

    async fn lease(&self, name: &str, holder: &str, lasts: Duration) -> StoreResult<bool> {
        let (name, holder, lasts) = (name.to_owned(), holder.to_owned(), At::try_from(lasts.as_micros()).unwrap());
        self.ask_cluster(move |cluster| cluster.database.lease(&name, &holder, cluster.now, lasts)).await
    }

    async fn release(&self, name: &str, holder: &str) -> StoreResult<()> {
        let (name, holder) = (name.to_owned(), holder.to_owned());
        self.ask(move |database| {
            if database.leases.get(&name).is_some_and(|(other, _)| *other == holder) {
                database.leases.remove(&name);
            }
        })
        .await
    }

    async fn cursor(&self, worker: &str) -> StoreResult<Cursor> {
        let worker = worker.to_owned();
        self.ask(move |database| database.cursors.get(&worker).cloned().unwrap_or_default()).await
    }

    async fn advance(&self, worker: &str, holder: &str, to: &Cursor, aside: &[FailedEntry]) -> StoreResult<bool> {
        let (worker, holder, to, aside) = (worker.to_owned(), holder.to_owned(), to.clone(), aside.to_vec());
        self.ask(move |database| database.advance(&worker, &holder, &to, &aside)).await
    }

    async fn due(&self, worker: &str, limit: u32) -> StoreResult<DueEntries> {
        let worker = worker.to_owned();
        let due = move |cluster: &mut Cluster| DueEntries {
            now: cluster.now,
            entries: cluster.database.due(&worker, cluster.now, limit),
        };
        self.ask_cluster(due).await
    }

    async fn blocked(&self, worker: &str, entities: &[String]) -> StoreResult<Vec<String>> {
        let (worker, entities) = (worker.to_owned(), entities.to_vec());
        self.ask(move |database| {
            let blocks = |entity: &String| {
                database.failed.values().any(|aside| aside.worker == worker && aside.entity_id == *entity)
            };
            entities.into_iter().filter(blocks).collect()
        })
        .await
    }

    async fn retry(&self, entry: &FailedEntry) -> StoreResult<()> {
        let entry = entry.clone();
        self.ask(move |database| {
            if let Some(kept) = database.failed.get_mut(&(entry.worker.clone(), entry.clock))
                && (kept.attempts <= entry.attempts || entry.attempts == 0)
            {
                *kept = entry;
            }
        })
        .await
    }

    async fn remove_failed(&self, worker: &str, clock: i64) -> StoreResult<()> {
        let worker = worker.to_owned();
        self.ask(move |database| _ = database.failed.remove(&(worker, clock))).await
    }

    /// Read without a message: who reads it so often would hide what else goes on.
    async fn worker_states(&self) -> StoreResult<Vec<WorkerState>> {
        Ok(self.0.lock().database.states.values().cloned().collect())
    }

    async fn record_run(&self, worker: &str, holder: &str, run: &TimerRun, takes_trigger: bool) -> StoreResult<bool> {
        let (worker, holder, run) = (worker.to_owned(), holder.to_owned(), run.clone());
        self.ask(move |database| database.record_run(&worker, &holder, run, takes_trigger)).await
    }

    async fn commit(&self, _: &[Command]) -> StoreResult<Vec<Outcome>> {
        unasked()
    }

    async fn get(&self, _: &'static Table, _: &str) -> StoreResult<Option<StoredRow>> {
        unasked()
    }

    async fn get_many(&self, _: &'static Table, _: &[String]) -> StoreResult<Vec<StoredRow>> {
        unasked()
    }

    async fn find(&self, _: &'static Table, _: &'static Lookup, _: &str) -> StoreResult<Option<StoredRow>> {
        unasked()
    }

    async fn find_id(&self, _: &'static Table, _: &'static Lookup, _: &str) -> StoreResult<Option<String>> {
        unasked()
    }

    async fn list(&self, _: &'static Table, _: &Filter) -> StoreResult<Vec<StoredRow>> {
        unasked()
    }

    async fn find_many(
        &self,
        _: &'static Table,
        _: &'static Lookup,
        _: &[String],
    ) -> StoreResult<Vec<(String, StoredRow)>> {
        unasked()
    }

    async fn count(&self, _: &'static Table, _: &Filter) -> StoreResult<u32> {
        unasked()
    }

    async fn journal(&self, _: &str, _: &str, after: i64, _: u32) -> StoreResult<(Vec<Entry>, JournalHead)> {
        self.ask(move |database| {
            let entries: Vec<Entry> = database.entries.iter().filter(|entry| entry.clock > after).cloned().collect();
            let clock = database.entries.last().map_or(0, |entry| entry.clock);
            (entries, JournalHead { clock, epoch: "one".to_owned() })
        })
        .await
    }

    async fn journal_of(
        &self,
        _: &str,
        _: &JournalPart,
        _: i64,
        _: i64,
        _: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        unasked()
    }

    async fn head(&self, _: &str) -> StoreResult<JournalHead> {
        unasked()
    }

    async fn range(&self, _: &'static Table, _: &Range) -> StoreResult<RangePage> {
        unasked()
    }

    async fn count_ranges(&self, _: &'static Table, _: &[Range]) -> StoreResult<Vec<u32>> {
        unasked()
    }

    async fn idempotency_record(&self, _: &str, _: &str) -> StoreResult<Option<IdempotencyRecord>> {
        unasked()
    }

    async fn rewind(&self, _: &str, _: &str, _: &Cursor) -> StoreResult<bool> {
        unasked()
    }

    async fn renew_epoch(&self, _: &str) -> StoreResult<JournalHead> {
        unasked()
    }

    async fn shared_until(&self, _: &str, _: &str) -> StoreResult<i64> {
        unasked()
    }

    async fn failed_entries(&self, _: &str, _: u32) -> StoreResult<Vec<FailedEntry>> {
        unasked()
    }

    async fn count_failed(&self) -> StoreResult<Vec<FailedCount>> {
        unasked()
    }

    async fn share_counts(&self, _: &[CountChange]) -> StoreResult<Vec<SharedCount>> {
        unasked()
    }

    async fn forget(&self, _: &str, _: i64) -> StoreResult<u64> {
        unasked()
    }

    async fn ping(&self) -> StoreResult<()> {
        unasked()
    }

    async fn check_writable(&self) -> StoreResult<()> {
        unasked()
    }

    async fn scan(&self, _: &'static Table, _: &str, _: u32) -> StoreResult<Vec<StoredRow>> {
        unasked()
    }
}

/// The error of a call that no runner makes.
fn unasked<T>() -> StoreResult<T> {
    Err(StoreError { cause: "a runner does not ask for that".to_owned(), unknown: false })
}
