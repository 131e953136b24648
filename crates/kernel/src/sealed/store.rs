//! A store whose rows, entries and kept answers are opened when they are read.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pavise_contract::table::{Lookup, Table};
use tokio::sync::broadcast;

use super::answer;
use super::sealer::{FieldSealer, to_store_error};
use super::walk::Place;
use crate::port::store::{
    ClockDay, ClockRow, Command, CountChange, Cursor, DueEntries, Entry, ErasedTraces, FailedCount, FailedEntry,
    Filter, IdempotencyRecord, JournalHead, JournalPart, Outcome, PersonTraces, Range, RangePage, RowRewrite,
    SharedCount, Store, StoreResult, StoredRow, TimerRun, WorkerOrder, WorkerState, WorkerTick,
};

/// The engine's store, read through the seal. Commands come to it sealed.
#[derive(Debug)]
pub(crate) struct SealedStore {
    inner: Arc<dyn Store>,
    sealer: Arc<FieldSealer>,
}

impl SealedStore {
    pub(crate) fn new(inner: Arc<dyn Store>, sealer: Arc<FieldSealer>) -> Self {
        Self { inner, sealer }
    }

    async fn rows<'r>(&self, table: &Table, rows: impl IntoIterator<Item = &'r mut StoredRow>) -> StoreResult<()> {
        let Some(plan) = self.sealer.plans.of_message(table.message) else { return Ok(()) };
        let docs = rows.into_iter().map(|row| {
            let place = Place::new(table.name, &row.id, &row.owner_id);
            (plan, &mut row.doc, place)
        });
        self.sealer.open(docs.collect()).await.map_err(to_store_error)
    }

    async fn entries(&self, entries: &mut [Entry]) -> StoreResult<()> {
        let docs = entries.iter_mut().filter_map(|entry| {
            let plan = self.sealer.plans.of_table(&entry.table)?;
            Some((plan, &mut entry.doc, Place::new(&entry.table, &entry.entity_id, &entry.owner_id)))
        });
        self.sealer.open(docs.collect()).await.map_err(to_store_error)
    }

    /// The value of a lookup as the engine has it.
    async fn value(&self, table: &Table, lookup: &Lookup, value: &str) -> StoreResult<String> {
        if lookup.blind {
            return self.sealer.blind(table, lookup, value).await.map_err(to_store_error);
        }
        Ok(value.to_owned())
    }

    /// The filter with the lookups' values as the engine has them; `None` where they are the same.
    async fn filter(&self, table: &Table, filter: &Filter) -> StoreResult<Option<Filter>> {
        if !filter.lookups.iter().any(|(lookup, _)| lookup.blind) {
            return Ok(None);
        }
        let mut blinded = filter.clone();
        for (lookup, value) in &mut blinded.lookups {
            *value = self.value(table, lookup, value).await?;
        }
        Ok(Some(blinded))
    }
}

#[async_trait]
impl Store for SealedStore {
    fn lane(&self, journal: &'static str) -> &'static str {
        self.inner.lane(journal)
    }

    async fn get(&self, table: &'static Table, id: &str) -> StoreResult<Option<StoredRow>> {
        let mut row = self.inner.get(table, id).await?;
        self.rows(table, &mut row).await?;
        Ok(row)
    }

    async fn get_many(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<StoredRow>> {
        let mut rows = self.inner.get_many(table, ids).await?;
        self.rows(table, &mut rows).await?;
        Ok(rows)
    }

    async fn find(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        value: &str,
    ) -> StoreResult<Option<StoredRow>> {
        let value = self.value(table, lookup, value).await?;
        let mut row = self.inner.find(table, lookup, &value).await?;
        self.rows(table, &mut row).await?;
        Ok(row)
    }

    async fn find_id(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        value: &str,
    ) -> StoreResult<Option<String>> {
        let value = self.value(table, lookup, value).await?;
        self.inner.find_id(table, lookup, &value).await
    }

    async fn find_many(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        values: &[String],
    ) -> StoreResult<Vec<(String, StoredRow)>> {
        let mut asked = Vec::with_capacity(values.len());
        for value in values {
            asked.push(self.value(table, lookup, value).await?);
        }
        let mut found = self.inner.find_many(table, lookup, &asked).await?;
        self.rows(table, found.iter_mut().map(|(_, row)| row)).await?;
        for (value, _) in &mut found {
            let plain = asked.iter().zip(values).find(|(asked, _)| *asked == value);
            if let Some((_, plain)) = plain {
                value.clone_from(plain);
            }
        }
        Ok(found)
    }

    async fn count(&self, table: &'static Table, filter: &Filter) -> StoreResult<u32> {
        let blinded = self.filter(table, filter).await?;
        self.inner.count(table, blinded.as_ref().unwrap_or(filter)).await
    }

    async fn list(&self, table: &'static Table, filter: &Filter) -> StoreResult<Vec<StoredRow>> {
        let blinded = self.filter(table, filter).await?;
        let mut rows = self.inner.list(table, blinded.as_ref().unwrap_or(filter)).await?;
        self.rows(table, &mut rows).await?;
        Ok(rows)
    }

    async fn range(&self, table: &'static Table, range: &Range) -> StoreResult<RangePage> {
        let mut page = match self.filter(table, &range.filter).await? {
            Some(filter) => self.inner.range(table, &Range { filter, ..range.clone() }).await?,
            None => self.inner.range(table, range).await?,
        };
        self.rows(table, page.matches.iter_mut().map(|found| &mut found.row)).await?;
        Ok(page)
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
        let (mut entries, head) = self.inner.journal(journal, entity, after, limit).await?;
        self.entries(&mut entries).await?;
        Ok((entries, head))
    }

    async fn journal_of(
        &self,
        journal: &str,
        part: &JournalPart,
        after: i64,
        through: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        let (mut entries, head) = self.inner.journal_of(journal, part, after, through, limit).await?;
        self.entries(&mut entries).await?;
        Ok((entries, head))
    }

    async fn head(&self, journal: &str) -> StoreResult<JournalHead> {
        self.inner.head(journal).await
    }

    async fn idempotency_record(&self, journal: &str, key: &str) -> StoreResult<Option<IdempotencyRecord>> {
        match self.inner.idempotency_record(journal, key).await? {
            Some(record) => answer::open_answer(&self.sealer, record).await.map(Some).map_err(to_store_error),
            None => Ok(None),
        }
    }

    async fn commit(&self, batch: &[Command]) -> StoreResult<Vec<Outcome>> {
        self.inner.commit(batch).await
    }

    async fn lookup_values(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<(String, String, String)>> {
        self.inner.lookup_values(table, ids).await
    }

    async fn rewrite(&self, journal: &str, rows: &[RowRewrite], entries: &[(i64, String)]) -> StoreResult<()> {
        self.inner.rewrite(journal, rows, entries).await
    }

    async fn erase_traces(&self, traces: &PersonTraces) -> StoreResult<ErasedTraces> {
        self.inner.erase_traces(traces).await
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

    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, failed: &[FailedEntry]) -> StoreResult<bool> {
        self.inner.advance(worker, holder, cursor, failed).await
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

    async fn clock_row(&self) -> StoreResult<Option<ClockRow>> {
        self.inner.clock_row().await
    }

    async fn put_clock_row(&self, row: &ClockRow, day: Option<&ClockDay>) -> StoreResult<bool> {
        self.inner.put_clock_row(row, day).await
    }

    async fn clock_days(&self, after: i64) -> StoreResult<Vec<ClockDay>> {
        self.inner.clock_days(after).await
    }

    async fn is_unused(&self) -> StoreResult<bool> {
        self.inner.is_unused().await
    }

    async fn worker_ticks(&self) -> StoreResult<Vec<WorkerTick>> {
        self.inner.worker_ticks().await
    }

    async fn set_workers(&self, domains: &[String], workers: &[WorkerTick]) -> StoreResult<()> {
        self.inner.set_workers(domains, workers).await
    }

    async fn record_tick(&self, worker: &str, offset: i64) -> StoreResult<()> {
        self.inner.record_tick(worker, offset).await
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
        let mut rows = self.inner.scan(table, after, limit).await?;
        self.rows(table, &mut rows).await?;
        Ok(rows)
    }

    async fn close(&self) -> StoreResult<()> {
        self.sealer.close_keys().await;
        self.inner.close().await
    }
}
