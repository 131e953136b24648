//! Callers that drop their futures, lanes that are full, engines that fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use pavise_contract::table::{Lookup, Table};
use tokio::sync::{Mutex, broadcast};
use tokio::time::timeout;

use super::Fixture;
use super::tables::THING;
use super::things::{SampleEntity, journal_of, new_command};
use crate::port::committer::{CommitError, Committer, Options};
use crate::port::store::{
    Command, CountChange, Cursor, DueEntries, Entry, FailedCount, FailedEntry, Filter, IdempotencyRecord, JournalHead,
    JournalPart, Outcome, Range, RangePage, SharedCount, Store, StoreError, StoreResult, StoredRow, TimerRun,
    WorkerOrder, WorkerState,
};
use crate::read::heads::Heads;

const SOON: Duration = Duration::from_secs(30);
/// The time of a lease that does not expire during a test.
const HELD: Duration = Duration::from_secs(600);

/// 2,000 callers are aborted at any point of their call. Nothing blocks, every acknowledged command is stored, and no
/// clock is missing.
pub async fn aborted_callers_lose_nothing(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let committer = Committer::start(store.clone(), Options::default());
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let mut calls = Vec::new();
    for number in 0..2_000_u64 {
        let (committer, acknowledged) = (committer.clone(), acknowledged.clone());
        let call = tokio::spawn(async move {
            let id = format!("{number:04}");
            let outcome = committer.submit(new_command(vec![SampleEntity::new(id.clone()).create()])).await.unwrap();
            assert!(matches!(outcome, Outcome::Committed(_)), "{outcome:?}");
            acknowledged.lock().await.push(id);
        });
        let aborted = tokio::spawn(async move {
            // Every tenth caller waits for its answer.
            if number % 10 > 0 {
                tokio::time::sleep(Duration::from_micros(number % 17 * 300)).await;
                call.abort();
            }
            call.await.is_err_and(|error| error.is_cancelled())
        });
        calls.push(aborted);
        if number % 20 == 0 {
            tokio::time::sleep(Duration::from_micros(number % 7 * 400)).await;
        }
    }
    let mut aborted = 0;
    for call in calls {
        aborted += usize::from(call.await.unwrap());
    }
    let last =
        timeout(SOON, committer.submit(new_command(vec![SampleEntity::new("last").create()]))).await.unwrap().unwrap();
    assert!(matches!(last, Outcome::Committed(_)), "the lane goes on");
    timeout(SOON, committer.shut_down()).await.unwrap();
    let acknowledged = acknowledged.lock().await;
    let rows = store.get_many(&THING, &acknowledged).await.unwrap();
    assert_eq!(rows.len(), acknowledged.len(), "what was acknowledged is durable");
    assert!(aborted > 100 && acknowledged.len() >= 200, "{aborted} aborted, {} acknowledged", acknowledged.len());
    let entries = journal_of(&store, "things").await.len();
    println!("2000 calls, {aborted} aborted, {} acknowledged, {entries} entries, 0 gaps, 0 wedged", acknowledged.len());
}

/// Reads, leases and commits whose futures are dropped half-way leave no lock behind.
pub async fn aborted_reads_and_work_wedge_nothing(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    for number in 0..500_u64 {
        let store = store.clone();
        let work = tokio::spawn(async move {
            let name = format!("w-{number}");
            store.lease(&name, "here", HELD).await.unwrap();
            store.advance(&name, "here", &Cursor { clock: 1, epoch: "e".into() }, &[]).await.unwrap();
            store.commit(&[new_command(vec![SampleEntity::new(name.clone()).create()])]).await.unwrap();
            store.journal("things", "", 0, 50).await.unwrap();
            store.list(&THING, &Filter { limit: 50, ..Filter::default() }).await.unwrap();
        });
        tokio::time::sleep(Duration::from_micros(number % 23 * 200)).await;
        work.abort();
    }
    timeout(SOON, store.ping()).await.unwrap().unwrap();
    timeout(SOON, store.check_writable()).await.unwrap().unwrap();
    let outcomes =
        timeout(SOON, store.commit(&[new_command(vec![SampleEntity::new("last").create()])])).await.unwrap().unwrap();
    assert!(matches!(outcomes[..], [Outcome::Committed(_)]), "{outcomes:?}");
    assert!(timeout(SOON, store.lease("last", "here", HELD)).await.unwrap().unwrap());
    let entries = journal_of(&store, "things").await.len();
    println!("500 aborted, {entries} entries, 0 gaps");
}

/// Commands that wait at the shutdown are committed; later commands are refused.
pub async fn shutdown_commits_what_waits(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let store = database.store.clone();
    let committer = Committer::start(store.clone(), Options::default());
    let calls: Vec<_> = (0..500)
        .map(|number| {
            let (committer, thing) = (committer.clone(), SampleEntity::new(format!("{number:03}")));
            tokio::spawn(async move { committer.submit(new_command(vec![thing.create()])).await })
        })
        .collect();
    while store.head("things").await.unwrap().clock == 0 {
        tokio::task::yield_now().await;
    }
    timeout(SOON, committer.shut_down()).await.unwrap();
    let mut committed = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(Outcome::Committed(_)) => committed += 1,
            Err(CommitError::Closed) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(journal_of(&store, "things").await.len(), committed);
    let late = committer.submit(new_command(vec![SampleEntity::new("late").create()])).await;
    assert_eq!(late, Err(CommitError::Closed));
}

/// A lane takes commands up to its capacity and refuses the rest at once.
pub async fn a_full_lane_refuses(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let faulty = Arc::new(Faulty::around(database.store.clone()));
    let committer = Committer::start(faulty.clone(), Options { capacity: 10, batch: 4 });
    let held = faulty.gate.lock().await;
    let mut calls = Vec::new();
    for number in 0..40 {
        let (committer, thing) = (committer.clone(), SampleEntity::new(format!("{number}")));
        calls.push(tokio::spawn(async move { committer.submit(new_command(vec![thing.create()])).await }));
    }
    // While nothing moves, all of the 40 are refused but a batch at the gate and a full queue.
    let refusals = timeout(SOON, async {
        while calls.iter().filter(|call| call.is_finished()).count() < 40 - 4 - 10 {
            tokio::task::yield_now().await;
        }
    });
    refusals.await.unwrap();
    drop(held);
    let (mut committed, mut refused) = (0, 0);
    for call in calls {
        match timeout(SOON, call).await.unwrap().unwrap() {
            Ok(Outcome::Committed(_)) => committed += 1,
            Err(CommitError::Overloaded) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(committed + refused == 40 && refused >= 26, "{committed} committed, {refused} refused");
    println!("{committed} committed, {refused} refused");
}

/// An engine that fails or panics fails the callers of that batch only; the lane goes on.
pub async fn a_failing_engine_fails_its_callers_only(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let faulty = Arc::new(Faulty::around(database.store.clone()));
    let committer = Committer::start(faulty.clone(), Options::default());
    let submit = |id: &str| committer.submit(new_command(vec![SampleEntity::new(id).create()]));
    for round in 0..3 {
        faulty.fault.store(1, Ordering::SeqCst);
        assert_eq!(submit("a").await, Err(CommitError::Failed("it broke".into())));
        faulty.fault.store(2, Ordering::SeqCst);
        assert_eq!(submit("b").await, Err(CommitError::Unknown("it broke".into())));
        faulty.fault.store(3, Ordering::SeqCst);
        assert!(matches!(submit("c").await, Err(CommitError::Unknown(_))));
        faulty.fault.store(4, Ordering::SeqCst);
        assert!(matches!(submit("d").await, Err(CommitError::Unknown(_))));
        faulty.fault.store(0, Ordering::SeqCst);
        assert_eq!(submit(&format!("e-{round}")).await, Ok(Outcome::Committed(round + 1)));
    }
    assert_eq!(faulty.commits.load(Ordering::SeqCst), 15);
}

/// However many wait for a journal's entries, one task asks for its head.
pub async fn all_who_wait_ask_once(fixture: &dyn Fixture) {
    let database = fixture.fresh().await;
    let counted = Arc::new(Faulty::around(database.store.clone()));
    let (store, heads): (Arc<dyn Store>, _) = (counted.clone(), Arc::new(Heads::default()));
    let wait = |is_eager: bool| {
        let mut follower = heads.follow(&store, "things", is_eager);
        tokio::spawn(async move {
            match is_eager {
                true => follower.reaches(3).await,
                false => follower.moves_beyond(&JournalHead::default()).await,
            }
        })
    };
    let waits: Vec<_> = (0..500).map(|number| wait(number % 2 == 0)).collect();
    for number in 0..3 {
        store.commit(&[new_command(vec![SampleEntity::new(format!("{number}")).create()])]).await.unwrap();
    }
    for wait in waits {
        timeout(SOON, wait).await.unwrap().unwrap();
    }
    let asked = counted.heads.load(Ordering::SeqCst);
    assert!(asked < 100, "500 who wait ask {asked} times");
}

/// An engine that fails on demand.
#[derive(Debug)]
struct Faulty {
    inner: Arc<dyn Store>,
    /// Commits pass it.
    gate: Mutex<()>,
    /// 1 fails, 2 fails with an unknown result, 3 panics, 4 answers too few outcomes.
    fault: AtomicI64,
    commits: AtomicUsize,
    /// The questions for a head.
    heads: AtomicUsize,
}

impl Faulty {
    fn around(inner: Arc<dyn Store>) -> Self {
        Self {
            inner,
            gate: Mutex::new(()),
            fault: AtomicI64::new(0),
            commits: AtomicUsize::new(0),
            heads: AtomicUsize::new(0),
        }
    }
}

#[async_trait]
impl Store for Faulty {
    fn lane(&self, journal: &'static str) -> &'static str {
        self.inner.lane(journal)
    }

    async fn commit(&self, batch: &[Command]) -> StoreResult<Vec<Outcome>> {
        self.commits.fetch_add(1, Ordering::SeqCst);
        let _passed = self.gate.lock().await;
        match self.fault.load(Ordering::SeqCst) {
            1 => Err(StoreError { cause: "it broke".into(), unknown: false }),
            2 => Err(StoreError { cause: "it broke".into(), unknown: true }),
            3 => panic!("on demand"),
            4 => Ok(Vec::new()),
            _ => self.inner.commit(batch).await,
        }
    }

    async fn get(&self, table: &'static Table, id: &str) -> StoreResult<Option<StoredRow>> {
        self.inner.get(table, id).await
    }

    async fn get_many(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<StoredRow>> {
        self.inner.get_many(table, ids).await
    }

    async fn find(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        value: &str,
    ) -> StoreResult<Option<StoredRow>> {
        self.inner.find(table, lookup, value).await
    }

    async fn find_id(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        value: &str,
    ) -> StoreResult<Option<String>> {
        self.inner.find_id(table, lookup, value).await
    }

    async fn find_many(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        values: &[String],
    ) -> StoreResult<Vec<(String, StoredRow)>> {
        self.inner.find_many(table, lookup, values).await
    }

    async fn count(&self, table: &'static Table, filter: &Filter) -> StoreResult<u32> {
        self.inner.count(table, filter).await
    }

    async fn list(&self, table: &'static Table, filter: &Filter) -> StoreResult<Vec<StoredRow>> {
        self.inner.list(table, filter).await
    }

    async fn range(&self, table: &'static Table, range: &Range) -> StoreResult<RangePage> {
        self.inner.range(table, range).await
    }

    async fn count_ranges(&self, table: &'static Table, ranges: &[Range]) -> StoreResult<Vec<u32>> {
        self.inner.count_ranges(table, ranges).await
    }

    async fn journal(
        &self,
        journal: &str,
        entity: &str,
        after: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        self.inner.journal(journal, entity, after, limit).await
    }

    async fn journal_of(
        &self,
        journal: &str,
        part: &JournalPart,
        after: i64,
        through: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        self.inner.journal_of(journal, part, after, through, limit).await
    }

    async fn head(&self, journal: &str) -> StoreResult<JournalHead> {
        self.heads.fetch_add(1, Ordering::SeqCst);
        self.inner.head(journal).await
    }

    async fn idempotency_record(&self, journal: &str, key: &str) -> StoreResult<Option<IdempotencyRecord>> {
        self.inner.idempotency_record(journal, key).await
    }

    fn hints(&self) -> Option<broadcast::Receiver<String>> {
        self.inner.hints()
    }

    async fn lease(&self, name: &str, holder: &str, lasts: Duration) -> StoreResult<bool> {
        self.inner.lease(name, holder, lasts).await
    }

    async fn release(&self, name: &str, holder: &str) -> StoreResult<()> {
        self.inner.release(name, holder).await
    }

    async fn cursor(&self, worker: &str) -> StoreResult<Cursor> {
        self.inner.cursor(worker).await
    }

    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, aside: &[FailedEntry]) -> StoreResult<bool> {
        self.inner.advance(worker, holder, cursor, aside).await
    }

    async fn rewind(&self, worker: &str, holder: &str, cursor: &Cursor) -> StoreResult<bool> {
        self.inner.rewind(worker, holder, cursor).await
    }

    async fn renew_epoch(&self, journal: &str) -> StoreResult<JournalHead> {
        self.inner.renew_epoch(journal).await
    }

    async fn shared_until(&self, journal: &str, epoch: &str) -> StoreResult<i64> {
        self.inner.shared_until(journal, epoch).await
    }

    async fn due(&self, worker: &str, limit: u32) -> StoreResult<DueEntries> {
        self.inner.due(worker, limit).await
    }

    async fn blocked(&self, worker: &str, entities: &[String]) -> StoreResult<Vec<String>> {
        self.inner.blocked(worker, entities).await
    }

    async fn failed_entries(&self, worker: &str, limit: u32) -> StoreResult<Vec<FailedEntry>> {
        self.inner.failed_entries(worker, limit).await
    }

    async fn count_failed(&self) -> StoreResult<Vec<FailedCount>> {
        self.inner.count_failed().await
    }

    async fn retry(&self, entry: &FailedEntry) -> StoreResult<()> {
        self.inner.retry(entry).await
    }

    async fn remove_failed(&self, worker: &str, clock: i64) -> StoreResult<()> {
        self.inner.remove_failed(worker, clock).await
    }

    async fn failed_page(&self, worker: &str, after: i64, limit: u32) -> StoreResult<Vec<FailedEntry>> {
        self.inner.failed_page(worker, after, limit).await
    }

    async fn replay_failed(&self, worker: &str, clock: Option<i64>) -> StoreResult<u64> {
        self.inner.replay_failed(worker, clock).await
    }

    async fn worker_states(&self) -> StoreResult<Vec<WorkerState>> {
        self.inner.worker_states().await
    }

    async fn order_worker(&self, worker: &str, order: &WorkerOrder) -> StoreResult<bool> {
        self.inner.order_worker(worker, order).await
    }

    async fn record_run(&self, worker: &str, holder: &str, run: &TimerRun, takes_trigger: bool) -> StoreResult<bool> {
        self.inner.record_run(worker, holder, run, takes_trigger).await
    }

    async fn share_counts(&self, changes: &[CountChange]) -> StoreResult<Vec<SharedCount>> {
        self.inner.share_counts(changes).await
    }

    async fn forget(&self, journal: &str, before: i64) -> StoreResult<u64> {
        self.inner.forget(journal, before).await
    }

    async fn ping(&self) -> StoreResult<()> {
        self.inner.ping().await
    }

    async fn check_writable(&self) -> StoreResult<()> {
        self.inner.check_writable().await
    }

    async fn scan(&self, table: &'static Table, after: &str, limit: u32) -> StoreResult<Vec<StoredRow>> {
        self.inner.scan(table, after, limit).await
    }
}
