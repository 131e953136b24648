//! The storage port on PostgreSQL: each operation as a job on one of the connections.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pavise_contract::table::{Lookup, Table};
use pavise_kernel::store::{
    ClockDay, ClockRow, Command, CountChange, Cursor, DueEntries, Entry, ErasedTraces, FailedCount, FailedEntry,
    Filter, IdempotencyRecord, JournalHead, JournalPart, Outcome, PersonTraces, Range, RangePage, RowRewrite,
    SharedCount, Store, StoreError, StoreResult, StoredRow, TimerRun, WorkerOrder, WorkerState, WorkerTick,
};
use sqlx::Connection as _;
use tokio::sync::broadcast;

use crate::{PostgresStore, clock, commit, counts, part, read, rewrite, several, work};

#[async_trait]
impl Store for PostgresStore {
    fn lane(&self, journal: &'static str) -> &'static str {
        journal
    }

    async fn get(&self, table: &'static Table, id: &str) -> StoreResult<Option<StoredRow>> {
        let id = id.to_owned();
        self.readers
            .read(move |connection| {
                let id = id.clone();
                Box::pin(async move { Ok(read::get(connection, table, &id).await?) })
            })
            .await
    }

    async fn get_many(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<StoredRow>> {
        let ids = ids.to_vec();
        self.readers
            .read(move |connection| {
                let ids = ids.clone();
                Box::pin(async move { Ok(read::get_many(connection, table, &ids).await?) })
            })
            .await
    }

    async fn find(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        value: &str,
    ) -> StoreResult<Option<StoredRow>> {
        let filter = Filter { lookups: vec![(lookup, value.to_owned())], limit: 1, ..Filter::default() };
        Ok(self.list(table, &filter).await?.pop())
    }

    async fn find_id(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        value: &str,
    ) -> StoreResult<Option<String>> {
        let value = value.to_owned();
        self.readers
            .read(move |connection| {
                let value = value.clone();
                Box::pin(async move { Ok(read::find_id(connection, table, lookup, &value).await?) })
            })
            .await
    }

    async fn find_many(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        values: &[String],
    ) -> StoreResult<Vec<(String, StoredRow)>> {
        let values = values.to_vec();
        self.readers
            .read(move |connection| {
                let values = values.clone();
                Box::pin(async move { Ok(several::find_many(connection, table, lookup, &values).await?) })
            })
            .await
    }

    async fn count(&self, table: &'static Table, filter: &Filter) -> StoreResult<u32> {
        let filter = filter.clone();
        self.readers
            .read(move |connection| {
                let filter = filter.clone();
                Box::pin(async move { Ok(several::count(connection, table, &filter).await?) })
            })
            .await
    }

    async fn list(&self, table: &'static Table, filter: &Filter) -> StoreResult<Vec<StoredRow>> {
        let filter = filter.clone();
        self.readers
            .read(move |connection| {
                let filter = filter.clone();
                Box::pin(async move { Ok(read::list(connection, table, &filter).await?) })
            })
            .await
    }

    async fn range(&self, table: &'static Table, range: &Range) -> StoreResult<RangePage> {
        let range = range.clone();
        self.readers
            .read(move |connection| {
                let range = range.clone();
                Box::pin(async move { Ok(read::range(connection, table, &range).await?) })
            })
            .await
    }

    async fn count_ranges(&self, table: &'static Table, ranges: &[Range]) -> StoreResult<Vec<u32>> {
        let ranges = ranges.to_vec();
        self.readers
            .read(move |connection| {
                let ranges = ranges.clone();
                Box::pin(async move { Ok(several::count_ranges(connection, table, &ranges).await?) })
            })
            .await
    }

    async fn journal(
        &self,
        journal: &str,
        entity: &str,
        after: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        let page = || {
            let (name, entity) = (journal.to_owned(), entity.to_owned());
            self.readers.read(move |connection| {
                let (name, entity) = (name.clone(), entity.clone());
                Box::pin(async move { Ok(read::journal(connection, &name, &entity, after, limit).await?) })
            })
        };
        if let Some(page) = page().await? {
            return Ok(page);
        }
        self.begin_journal(journal).await?;
        Ok(page().await?.unwrap_or_default())
    }

    async fn journal_of(
        &self,
        journal: &str,
        part: &JournalPart,
        after: i64,
        through: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        let page = || {
            let (name, part) = (journal.to_owned(), part.clone());
            self.readers.read(move |connection| {
                let (name, part) = (name.clone(), part.clone());
                Box::pin(async move { Ok(part::journal(connection, &name, &part, (after, through), limit).await?) })
            })
        };
        if let Some(page) = page().await? {
            return Ok(page);
        }
        self.begin_journal(journal).await?;
        Ok(page().await?.unwrap_or_default())
    }

    async fn head(&self, journal: &str) -> StoreResult<JournalHead> {
        let head = || {
            let name = journal.to_owned();
            self.readers.read(move |connection| {
                let name = name.clone();
                Box::pin(async move { Ok(read::head(connection, &name).await?) })
            })
        };
        if let Some(head) = head().await? {
            return Ok(head);
        }
        self.begin_journal(journal).await?;
        Ok(head().await?.unwrap_or_default())
    }

    async fn idempotency_record(&self, journal: &str, key: &str) -> StoreResult<Option<IdempotencyRecord>> {
        let (journal, key) = (journal.to_owned(), key.to_owned());
        self.readers
            .read(move |connection| {
                let (journal, key) = (journal.clone(), key.clone());
                Box::pin(async move { Ok(read::idempotency_record(connection, &journal, &key).await?) })
            })
            .await
    }

    async fn commit(&self, batch: &[Command]) -> StoreResult<Vec<Outcome>> {
        let mut outcomes: Vec<Option<Outcome>> =
            batch.iter().map(|command| command.problem().map(Outcome::Refused)).collect();
        let mut journals: Vec<(&'static str, Vec<usize>)> = Vec::new();
        for (place, command) in batch.iter().enumerate().filter(|(place, _)| matches!(outcomes.get(*place), Some(None)))
        {
            match journals.iter_mut().find(|(journal, _)| *journal == command.journal) {
                Some((_, places)) => places.push(place),
                None => journals.push((command.journal, vec![place])),
            }
        }
        let mut some_committed = false;
        for (journal, places) in journals {
            let commands: Vec<Command> = places.iter().filter_map(|place| batch.get(*place).cloned()).collect();
            let told: BTreeSet<&'static str> =
                commands.iter().flat_map(|command| command.other_journals().chain([journal])).collect();
            let caution = Arc::clone(&self.caution);
            let done = self.writers.write(move |connection| {
                Box::pin(async move {
                    let commands: Vec<&Command> = commands.iter().collect();
                    commit::commit(connection, &caution, journal, &commands).await
                })
            });
            let done = done.await.map_err(|error| StoreError { unknown: error.unknown || some_committed, ..error })?;
            some_committed = true;
            if done.iter().any(|outcome| outcome.clock().is_some()) {
                told.into_iter().for_each(|journal| self.hints.tell(journal));
            }
            for (place, outcome) in places.into_iter().zip(done) {
                if let Some(open) = outcomes.get_mut(place) {
                    *open = Some(outcome);
                }
            }
        }
        Ok(outcomes.into_iter().map(|outcome| outcome.unwrap_or(Outcome::Conflict)).collect())
    }

    fn hints(&self) -> Option<broadcast::Receiver<String>> {
        Some(self.hints.subscribe())
    }

    async fn lease(&self, name: &str, holder: &str, lasts: Duration) -> StoreResult<bool> {
        let (name, holder, lock) = (name.to_owned(), holder.to_owned(), self.hints.lock());
        self.writers
            .write(move |connection| {
                Box::pin(async move { work::lease(connection, &name, &holder, lock, lasts).await })
            })
            .await
    }

    async fn release(&self, name: &str, holder: &str) -> StoreResult<()> {
        let (name, holder) = (name.to_owned(), holder.to_owned());
        self.writers
            .write(move |connection| Box::pin(async move { work::release(connection, &name, &holder).await }))
            .await
    }

    async fn cursor(&self, worker: &str) -> StoreResult<Cursor> {
        let worker = worker.to_owned();
        self.readers
            .read(move |connection| {
                let worker = worker.clone();
                Box::pin(async move { Ok(work::cursor(connection, &worker).await?) })
            })
            .await
    }

    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, failed: &[FailedEntry]) -> StoreResult<bool> {
        let (worker, holder, cursor, failed) = (worker.to_owned(), holder.to_owned(), cursor.clone(), failed.to_vec());
        self.writers
            .write(move |connection| {
                Box::pin(async move { work::advance(connection, &worker, &holder, &cursor, &failed).await })
            })
            .await
    }

    async fn rewind(&self, worker: &str, holder: &str, cursor: &Cursor) -> StoreResult<bool> {
        let (worker, holder, cursor) = (worker.to_owned(), holder.to_owned(), cursor.clone());
        self.writers
            .write(move |connection| Box::pin(async move { work::rewind(connection, &worker, &holder, &cursor).await }))
            .await
    }

    async fn renew_epoch(&self, journal: &str) -> StoreResult<JournalHead> {
        let journal = journal.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::renew_epoch(connection, &journal).await }))
            .await
    }

    async fn shared_until(&self, journal: &str, epoch: &str) -> StoreResult<i64> {
        let (journal, epoch) = (journal.to_owned(), epoch.to_owned());
        self.readers
            .read(move |connection| {
                let (journal, epoch) = (journal.clone(), epoch.clone());
                Box::pin(async move { Ok(work::shared_until(connection, &journal, &epoch).await?) })
            })
            .await
    }

    async fn due(&self, worker: &str, limit: u32) -> StoreResult<DueEntries> {
        let worker = worker.to_owned();
        self.readers
            .read(move |connection| {
                let worker = worker.clone();
                Box::pin(async move { Ok(work::due(connection, &worker, limit).await?) })
            })
            .await
    }

    async fn blocked(&self, worker: &str, entities: &[String]) -> StoreResult<Vec<String>> {
        let (worker, entities) = (worker.to_owned(), entities.to_vec());
        self.readers
            .read(move |connection| {
                let (worker, entities) = (worker.clone(), entities.clone());
                Box::pin(async move { Ok(work::blocked(connection, &worker, &entities).await?) })
            })
            .await
    }

    async fn failed_entries(&self, worker: &str, limit: u32) -> StoreResult<Vec<FailedEntry>> {
        let worker = worker.to_owned();
        self.readers
            .read(move |connection| {
                let worker = worker.clone();
                Box::pin(async move { Ok(work::failed_entries(connection, &worker, limit).await?) })
            })
            .await
    }

    async fn count_failed(&self) -> StoreResult<Vec<FailedCount>> {
        self.readers.read(move |connection| Box::pin(async move { Ok(work::count_failed(connection).await?) })).await
    }

    async fn lookup_values(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<(String, String, String)>> {
        let ids = ids.to_vec();
        self.readers
            .read(move |connection| {
                let ids = ids.clone();
                Box::pin(async move { Ok(rewrite::lookup_values(connection, table, &ids).await?) })
            })
            .await
    }

    async fn rewrite(&self, journal: &str, rows: &[RowRewrite], entries: &[(i64, String)]) -> StoreResult<()> {
        let (journal, rows, entries) = (journal.to_owned(), rows.to_vec(), entries.to_vec());
        self.writers
            .write(move |connection| {
                Box::pin(async move { rewrite::rewrite(connection, &journal, &rows, &entries).await })
            })
            .await
    }

    async fn erase_traces(&self, traces: &PersonTraces) -> StoreResult<ErasedTraces> {
        let traces = traces.clone();
        self.writers
            .write(move |connection| Box::pin(async move { rewrite::erase_traces(connection, &traces).await }))
            .await
    }

    async fn retry(&self, entry: &FailedEntry) -> StoreResult<()> {
        let entry = entry.clone();
        self.writers.write(move |connection| Box::pin(async move { work::retry(connection, &entry).await })).await
    }

    async fn remove_failed(&self, worker: &str, clock: i64) -> StoreResult<()> {
        let worker = worker.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::remove_failed(connection, &worker, clock).await }))
            .await
    }

    async fn failed_page(&self, worker: &str, after: i64, limit: u32) -> StoreResult<Vec<FailedEntry>> {
        let worker = worker.to_owned();
        self.readers
            .read(move |connection| {
                let worker = worker.clone();
                Box::pin(async move { Ok(work::failed_page(connection, &worker, after, limit).await?) })
            })
            .await
    }

    async fn replay_failed(&self, worker: &str, clock: Option<i64>) -> StoreResult<u64> {
        let worker = worker.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::replay_failed(connection, &worker, clock).await }))
            .await
    }

    async fn worker_states(&self) -> StoreResult<Vec<WorkerState>> {
        self.readers.read(move |connection| Box::pin(async move { Ok(work::worker_states(connection).await?) })).await
    }

    async fn order_worker(&self, worker: &str, order: &WorkerOrder) -> StoreResult<bool> {
        let (worker, order) = (worker.to_owned(), order.clone());
        self.writers
            .write(move |connection| Box::pin(async move { work::order_worker(connection, &worker, &order).await }))
            .await
    }

    async fn record_run(&self, worker: &str, holder: &str, run: &TimerRun, takes_trigger: bool) -> StoreResult<bool> {
        let (worker, holder, run) = (worker.to_owned(), holder.to_owned(), run.clone());
        self.writers
            .write(move |connection| {
                Box::pin(async move { work::record_run(connection, &worker, &holder, &run, takes_trigger).await })
            })
            .await
    }

    async fn share_counts(&self, changes: &[CountChange]) -> StoreResult<Vec<SharedCount>> {
        let changes = changes.to_vec();
        self.writers.write(move |connection| Box::pin(async move { counts::share(connection, &changes).await })).await
    }

    async fn clock_row(&self) -> StoreResult<Option<ClockRow>> {
        self.readers.read(|connection| Box::pin(async move { Ok(clock::row(connection).await?) })).await
    }

    async fn put_clock_row(&self, row: &ClockRow, day: Option<&ClockDay>) -> StoreResult<bool> {
        let (row, day) = (row.clone(), day.cloned());
        self.writers
            .write(move |connection| Box::pin(async move { clock::put(connection, &row, day.as_ref()).await }))
            .await
    }

    async fn clock_days(&self, after: i64) -> StoreResult<Vec<ClockDay>> {
        self.readers.read(move |connection| Box::pin(async move { Ok(clock::days(connection, after).await?) })).await
    }

    async fn is_unused(&self) -> StoreResult<bool> {
        self.readers.read(|connection| Box::pin(async move { Ok(clock::is_unused(connection).await?) })).await
    }

    async fn worker_ticks(&self) -> StoreResult<Vec<WorkerTick>> {
        self.readers.read(|connection| Box::pin(async move { Ok(clock::ticks(connection).await?) })).await
    }

    async fn set_workers(&self, domains: &[String], workers: &[WorkerTick]) -> StoreResult<()> {
        let (domains, workers) = (domains.to_vec(), workers.to_vec());
        self.writers
            .write(move |connection| Box::pin(async move { clock::set_workers(connection, &domains, &workers).await }))
            .await
    }

    async fn record_tick(&self, worker: &str, offset: i64) -> StoreResult<()> {
        let worker = worker.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { clock::record_tick(connection, &worker, offset).await }))
            .await
    }

    async fn forget(&self, journal: &str, before: i64) -> StoreResult<u64> {
        let journal = journal.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::forget(connection, &journal, before).await }))
            .await
    }

    async fn ping(&self) -> StoreResult<()> {
        self.readers.read(|connection| Box::pin(async move { Ok(connection.ping().await?) })).await
    }

    async fn check_writable(&self) -> StoreResult<()> {
        self.writers.write(|connection| Box::pin(async move { work::probe(connection).await })).await
    }

    async fn scan(&self, table: &'static Table, after: &str, limit: u32) -> StoreResult<Vec<StoredRow>> {
        let after = after.to_owned();
        self.readers
            .read(move |connection| {
                let after = after.clone();
                Box::pin(async move { Ok(read::scan(connection, table, &after, limit).await?) })
            })
            .await
    }
}
