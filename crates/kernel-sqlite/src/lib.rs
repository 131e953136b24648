//! The storage engine that needs no installation: one SQLite file, WAL, synchronous FULL.
//!
//! Invariants: one connection writes, and only the engine's own tasks use it, so that a dropped caller leaves no
//! transaction open. Reads have connections of their own and never wait for the writer. One lane serves all journals,
//! because the file has one writer anyway.

mod clock;
mod commit;
mod condition;
mod counts;
mod fault;
mod keys;
mod leases;
mod part;
mod presence;
mod read;
mod rewrite;
mod script;
mod several;
mod sort_range;
mod work;
mod write;
mod writer;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pavise_contract::table::{Lookup, Table};
use pavise_kernel::migrations::{Migration, Migrations};
use pavise_kernel::store::{
    ClockDay, ClockRow, Command, CountChange, Cursor, DueEntries, Entry, ErasedTraces, FailedCount, FailedEntry,
    Filter, IdempotencyRecord, JournalHead, JournalPart, Outcome, PersonTraces, Range, RangePage, RowRewrite,
    SharedCount, Store, StoreError, StoreResult, StoredRow, TimerRun, WorkerOrder, WorkerState, WorkerTick,
};
use pavise_kernel::tables::Dialect;
use sqlx::migrate::{MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, SqlSafeStr};
use tempfile::TempDir;
use tokio::sync::broadcast;
use tokio::time::timeout;

pub use keys::SqliteKeys;
use leases::Leases;
use presence::Presence;
use writer::Writer;

/// The engine's own tables.
pub const MIGRATIONS: Migrations = Migrations {
    domain: "kernel",
    sqlite: &[
        Migration { number: 1, name: "kernel", sql: include_str!("../../../migrations/sqlite/kernel/0001_kernel.sql") },
        Migration { number: 2, name: "epochs", sql: include_str!("../../../migrations/sqlite/kernel/0002_epochs.sql") },
        Migration {
            number: 3,
            name: "shared_count",
            sql: include_str!("../../../migrations/sqlite/kernel/0003_shared_count.sql"),
        },
        Migration { number: 4, name: "series", sql: include_str!("../../../migrations/sqlite/kernel/0004_series.sql") },
        Migration {
            number: 5,
            name: "worker_names",
            sql: include_str!("../../../migrations/sqlite/kernel/0005_worker_names.sql"),
        },
        Migration {
            number: 6,
            name: "test_clock",
            sql: include_str!("../../../migrations/sqlite/kernel/0006_test_clock.sql"),
        },
        Migration {
            number: 7,
            name: "worker_state",
            sql: include_str!("../../../migrations/sqlite/kernel/0007_worker_state.sql"),
        },
    ],
    postgres: &[],
};

/// SQLite's terms for the tables of an aggregate.
pub const DIALECT: Dialect = Dialect {
    engine: "sqlite",
    id: "TEXT",
    doc: "TEXT NOT NULL CHECK (json_valid(doc))",
    past: "TEXT",
    clock: "INTEGER",
    bytes: "BLOB",
    rows: "",
    sides: " WITHOUT ROWID",
    beginnings: None,
    bytewise: "",
};

/// Reads at once.
const READERS: u32 = 8;
/// The writer's page cache in SQLite's notation: 32 MiB.
const CACHE: &str = "-32768";
/// The page cache of a reader: 4 MiB, for the upper pages of large indexes.
const READER_CACHE: &str = "-4096";
/// Pages in the write-ahead log after which they are copied into the file.
const CHECKPOINT: &str = "4000";
/// How long closing waits for readers, and for the writer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Prepared statements that a connection keeps.
const STATEMENTS: usize = 256;

/// The whole platform in one file.
pub struct SqliteStore {
    readers: SqlitePool,
    writer: Arc<Writer>,
    presence: Arc<Presence>,
    leases: Arc<Leases>,
    /// Removes the file of an in-memory database.
    _folder: Option<TempDir>,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("file", &self.writer.file()).finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the file at `path`, creates it if it is missing, and brings its tables up to date. `:memory:` is a
    /// temporary file that is removed with the store.
    ///
    /// # Errors
    /// When the file cannot be opened, or a migration fails or was changed after it had landed.
    pub async fn open(path: impl AsRef<Path>, migrations: &[&Migrations]) -> Result<Self, StoreError> {
        let mut path = path.as_ref().to_owned();
        let mut folder = None;
        if path.as_os_str() == ":memory:" {
            let fresh = tempfile::tempdir().map_err(|error| StoreError { cause: error.to_string(), unknown: false })?;
            path = fresh.path().join("pavise.sqlite");
            folder = Some(fresh);
        }
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .pragma("temp_store", "memory")
            .busy_timeout(Duration::from_secs(10))
            .statement_cache_capacity(STATEMENTS)
            .disable_statement_logging();
        // Scattered keys touch the same pages again. A larger cache and fewer checkpoints write each page less often.
        let writing = options.clone().pragma("cache_size", CACHE).pragma("wal_autocheckpoint", CHECKPOINT);
        let alone = alone(&path).await?;
        make(&path).map_err(|error| StoreError { cause: error.to_string(), unknown: false })?;
        let mut connection = writing.connect().await.map_err(failed)?;
        // The engine's own tables come first: a domain's migration may write to journals.
        for steps in [migrator(&[]), migrator(migrations)] {
            let migrated = steps.run_direct(None, &mut connection, false).await;
            migrated.map_err(|error| StoreError { cause: error.to_string(), unknown: false })?;
        }
        drop(alone);
        let writer = Writer::new(writing, connection);
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .test_before_acquire(false)
            .acquire_timeout(Duration::from_secs(5))
            .connect_with(options.read_only(true).pragma("cache_size", READER_CACHE))
            .await
            .map_err(failed)?;
        let presence = Arc::new(Presence::new(&path));
        Ok(Self { readers, writer: Arc::new(writer), presence, leases: Arc::default(), _folder: folder })
    }

    /// The domains among `domains` whose tables exist.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub async fn present(&self, domains: &[&Migrations]) -> Result<Vec<&'static str>, StoreError> {
        let applied = "SELECT version FROM _sqlx_migrations WHERE success";
        let applied: BTreeSet<i64> =
            sqlx::query_scalar(applied).fetch_all(&self.readers).await.map_err(failed)?.into_iter().collect();
        let there =
            |domain: &&&Migrations| domain.sqlite.iter().any(|step| applied.contains(&domain.version(step.number)));
        Ok(domains.iter().filter(there).map(|domain| domain.domain).collect())
    }
}

/// Waits until no other process migrates a database of the folder, because SQLite has no lock for that. The folder is
/// locked, not the file: closing any handle of the file would release SQLite's own locks.
async fn alone(path: &Path) -> Result<File, StoreError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
    let locked = tokio::task::spawn_blocking(move || {
        let folder = File::open(folder)?;
        folder.lock()?;
        Ok::<_, std::io::Error>(folder)
    });
    let locked = locked.await.map_err(std::io::Error::other).and_then(|locked| locked);
    locked.map_err(|error| StoreError { cause: error.to_string(), unknown: false })
}

/// Creates a missing file, readable for its owner alone, because it holds personal data. SQLite gives its other files
/// the same mode. An existing file keeps its mode.
fn make(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The migrations of the engine and of the domains. Those of domains that this process does not run are ignored.
fn migrator(domains: &[&Migrations]) -> Migrator {
    let mut steps = Vec::new();
    for domain in std::iter::once(&&MIGRATIONS).chain(domains) {
        for step in domain.sqlite {
            let name = format!("{} {}", domain.domain, step.name);
            let version = domain.version(step.number);
            steps.push(sqlx::migrate::Migration::new(
                version,
                name.into(),
                MigrationType::Simple,
                step.sql.into_sql_str(),
                false,
            ));
        }
    }
    let mut migrator = Migrator::with_migrations(steps);
    migrator.set_ignore_missing(true);
    migrator
}

/// The error of a failure after which nothing was written.
#[expect(clippy::needless_pass_by_value, reason = "it is what map_err hands over")]
fn failed(error: sqlx::Error) -> StoreError {
    StoreError { cause: error.to_string(), unknown: false }
}

#[async_trait]
impl Store for SqliteStore {
    fn lane(&self, _: &'static str) -> &'static str {
        "sqlite"
    }

    async fn get(&self, table: &'static Table, id: &str) -> StoreResult<Option<StoredRow>> {
        read::get(&self.readers, table, id).await.map_err(failed)
    }

    async fn get_many(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<StoredRow>> {
        read::get_many(&self.readers, table, ids).await.map_err(failed)
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
        read::find_id(&self.readers, table, lookup, value).await.map_err(failed)
    }

    async fn find_many(
        &self,
        table: &'static Table,
        lookup: &'static Lookup,
        values: &[String],
    ) -> StoreResult<Vec<(String, StoredRow)>> {
        several::find_many(&self.readers, table, lookup, values).await.map_err(failed)
    }

    async fn count(&self, table: &'static Table, filter: &Filter) -> StoreResult<u32> {
        several::count(&self.readers, table, filter).await.map_err(failed)
    }

    async fn list(&self, table: &'static Table, filter: &Filter) -> StoreResult<Vec<StoredRow>> {
        read::list(&self.readers, table, filter).await.map_err(failed)
    }

    async fn range(&self, table: &'static Table, range: &Range) -> StoreResult<RangePage> {
        read::range(&self.readers, table, range).await.map_err(failed)
    }

    async fn count_ranges(&self, table: &'static Table, ranges: &[Range]) -> StoreResult<Vec<u32>> {
        several::count_ranges(&self.readers, table, ranges).await.map_err(failed)
    }

    async fn journal(
        &self,
        journal: &str,
        entity: &str,
        after: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        if let Some(page) = read::journal(&self.readers, journal, entity, after, limit).await.map_err(failed)? {
            return Ok(page);
        }
        self.writer.begin_journal(journal).await?;
        Ok(read::journal(&self.readers, journal, entity, after, limit).await.map_err(failed)?.unwrap_or_default())
    }

    async fn journal_of(
        &self,
        journal: &str,
        part: &JournalPart,
        after: i64,
        through: i64,
        limit: u32,
    ) -> StoreResult<(Vec<Entry>, JournalHead)> {
        let page = || part::journal(&self.readers, journal, part, (after, through), limit);
        if let Some(page) = page().await.map_err(failed)? {
            return Ok(page);
        }
        self.writer.begin_journal(journal).await?;
        Ok(page().await.map_err(failed)?.unwrap_or_default())
    }

    async fn head(&self, journal: &str) -> StoreResult<JournalHead> {
        if let Some(head) = read::head(&self.readers, journal).await.map_err(failed)? {
            return Ok(head);
        }
        self.writer.begin_journal(journal).await?;
        Ok(read::head(&self.readers, journal).await.map_err(failed)?.unwrap_or_default())
    }

    async fn idempotency_record(&self, journal: &str, key: &str) -> StoreResult<Option<IdempotencyRecord>> {
        read::idempotency_record(&self.readers, journal, key).await.map_err(failed)
    }

    async fn commit(&self, batch: &[Command]) -> StoreResult<Vec<Outcome>> {
        let batch = batch.to_vec();
        self.writer.write(move |connection| Box::pin(async move { commit::commit(connection, &batch).await })).await
    }

    fn hints(&self) -> Option<broadcast::Receiver<String>> {
        None
    }

    async fn lease(&self, name: &str, holder: &str, lasts: Duration) -> StoreResult<bool> {
        if self.leases.covers(name, holder, lasts) {
            return Ok(true);
        }
        let (name, holder) = (name.to_owned(), holder.to_owned());
        let (leases, presence) = (Arc::clone(&self.leases), Arc::clone(&self.presence));
        self.writer
            .write(move |connection| {
                Box::pin(async move { leases.take(connection, &presence, (&name, &holder), lasts).await })
            })
            .await
    }

    async fn release(&self, name: &str, holder: &str) -> StoreResult<()> {
        self.leases.forget(name);
        let (name, holder, leases) = (name.to_owned(), holder.to_owned(), Arc::clone(&self.leases));
        self.writer
            .write(move |connection| {
                Box::pin(async move {
                    work::release(connection, &name, &holder).await?;
                    // A request that was under way has just written it.
                    leases.forget(&name);
                    Ok(())
                })
            })
            .await
    }

    async fn cursor(&self, worker: &str) -> StoreResult<Cursor> {
        work::cursor(&self.readers, worker).await.map_err(failed)
    }

    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, failed: &[FailedEntry]) -> StoreResult<bool> {
        let (worker, holder, cursor, failed) = (worker.to_owned(), holder.to_owned(), cursor.clone(), failed.to_vec());
        self.writer
            .write(move |connection| {
                Box::pin(async move { work::advance(connection, &worker, &holder, &cursor, &failed).await })
            })
            .await
    }

    async fn rewind(&self, worker: &str, holder: &str, cursor: &Cursor) -> StoreResult<bool> {
        let (worker, holder, cursor) = (worker.to_owned(), holder.to_owned(), cursor.clone());
        self.writer
            .write(move |connection| Box::pin(async move { work::rewind(connection, &worker, &holder, &cursor).await }))
            .await
    }

    async fn renew_epoch(&self, journal: &str) -> StoreResult<JournalHead> {
        let journal = journal.to_owned();
        self.writer
            .write(move |connection| Box::pin(async move { work::renew_epoch(connection, &journal).await }))
            .await
    }

    async fn shared_until(&self, journal: &str, epoch: &str) -> StoreResult<i64> {
        work::shared_until(&self.readers, journal, epoch).await.map_err(failed)
    }

    async fn due(&self, worker: &str, limit: u32) -> StoreResult<DueEntries> {
        work::due(&self.readers, worker, limit).await.map_err(failed)
    }

    async fn blocked(&self, worker: &str, entities: &[String]) -> StoreResult<Vec<String>> {
        work::blocked(&self.readers, worker, entities).await.map_err(failed)
    }

    async fn failed_entries(&self, worker: &str, limit: u32) -> StoreResult<Vec<FailedEntry>> {
        work::failed_entries(&self.readers, worker, limit).await.map_err(failed)
    }

    async fn count_failed(&self) -> StoreResult<Vec<FailedCount>> {
        work::count_failed(&self.readers).await.map_err(failed)
    }

    async fn lookup_values(&self, table: &'static Table, ids: &[String]) -> StoreResult<Vec<(String, String, String)>> {
        rewrite::lookup_values(&self.readers, table, ids).await.map_err(failed)
    }

    async fn rewrite(&self, journal: &str, rows: &[RowRewrite], entries: &[(i64, String)]) -> StoreResult<()> {
        let (journal, rows, entries) = (journal.to_owned(), rows.to_vec(), entries.to_vec());
        self.writer
            .write(move |connection| {
                Box::pin(async move { rewrite::rewrite(connection, &journal, &rows, &entries).await })
            })
            .await
    }

    async fn erase_traces(&self, traces: &PersonTraces) -> StoreResult<ErasedTraces> {
        let traces = traces.clone();
        self.writer
            .write(move |connection| Box::pin(async move { rewrite::erase_traces(connection, &traces).await }))
            .await
    }

    async fn retry(&self, entry: &FailedEntry) -> StoreResult<()> {
        let entry = entry.clone();
        self.writer.write(move |connection| Box::pin(async move { work::retry(connection, &entry).await })).await
    }

    async fn remove_failed(&self, worker: &str, clock: i64) -> StoreResult<()> {
        let worker = worker.to_owned();
        self.writer
            .write(move |connection| Box::pin(async move { work::remove_failed(connection, &worker, clock).await }))
            .await
    }

    async fn failed_page(&self, worker: &str, after: i64, limit: u32) -> StoreResult<Vec<FailedEntry>> {
        work::failed_page(&self.readers, worker, after, limit).await.map_err(failed)
    }

    async fn replay_failed(&self, worker: &str, clock: Option<i64>) -> StoreResult<u64> {
        let worker = worker.to_owned();
        self.writer
            .write(move |connection| Box::pin(async move { work::replay_failed(connection, &worker, clock).await }))
            .await
    }

    async fn worker_states(&self) -> StoreResult<Vec<WorkerState>> {
        work::worker_states(&self.readers).await.map_err(failed)
    }

    async fn order_worker(&self, worker: &str, order: &WorkerOrder) -> StoreResult<bool> {
        let (worker, order) = (worker.to_owned(), order.clone());
        self.writer
            .write(move |connection| Box::pin(async move { work::order_worker(connection, &worker, &order).await }))
            .await
    }

    async fn record_run(&self, worker: &str, holder: &str, run: &TimerRun, takes_trigger: bool) -> StoreResult<bool> {
        let (worker, holder, run) = (worker.to_owned(), holder.to_owned(), run.clone());
        self.writer
            .write(move |connection| {
                Box::pin(async move { work::record_run(connection, &worker, &holder, &run, takes_trigger).await })
            })
            .await
    }

    async fn share_counts(&self, changes: &[CountChange]) -> StoreResult<Vec<SharedCount>> {
        let changes = changes.to_vec();
        self.writer.write(move |connection| Box::pin(async move { counts::share(connection, &changes).await })).await
    }

    async fn clock_row(&self) -> StoreResult<Option<ClockRow>> {
        clock::row(&self.readers).await.map_err(failed)
    }

    async fn put_clock_row(&self, row: &ClockRow, day: Option<&ClockDay>) -> StoreResult<bool> {
        let (row, day) = (row.clone(), day.cloned());
        self.writer
            .write(move |connection| Box::pin(async move { clock::put(connection, &row, day.as_ref()).await }))
            .await
    }

    async fn clock_days(&self, after: i64) -> StoreResult<Vec<ClockDay>> {
        clock::days(&self.readers, after).await.map_err(failed)
    }

    async fn is_unused(&self) -> StoreResult<bool> {
        clock::is_unused(&self.readers).await.map_err(failed)
    }

    async fn worker_ticks(&self) -> StoreResult<Vec<WorkerTick>> {
        clock::ticks(&self.readers).await.map_err(failed)
    }

    async fn set_workers(&self, domains: &[String], workers: &[WorkerTick]) -> StoreResult<()> {
        let (domains, workers) = (domains.to_vec(), workers.to_vec());
        self.writer
            .write(move |connection| Box::pin(async move { clock::set_workers(connection, &domains, &workers).await }))
            .await
    }

    async fn record_tick(&self, worker: &str, offset: i64) -> StoreResult<()> {
        let worker = worker.to_owned();
        self.writer
            .write(move |connection| Box::pin(async move { clock::record_tick(connection, &worker, offset).await }))
            .await
    }

    async fn forget(&self, journal: &str, before: i64) -> StoreResult<u64> {
        let journal = journal.to_owned();
        self.writer
            .write(move |connection| Box::pin(async move { work::forget(connection, &journal, before).await }))
            .await
    }

    async fn ping(&self) -> StoreResult<()> {
        sqlx::query("SELECT 1").execute(&self.readers).await.map_err(failed).map(drop)
    }

    async fn check_writable(&self) -> StoreResult<()> {
        self.writer.write(|connection| Box::pin(async move { work::probe(connection).await })).await
    }

    async fn scan(&self, table: &'static Table, after: &str, limit: u32) -> StoreResult<Vec<StoredRow>> {
        read::scan(&self.readers, table, after, limit).await.map_err(failed)
    }

    async fn close(&self) -> StoreResult<()> {
        // Readers may not copy the log into the file, so that the last connection need not be a reader's. A reader that
        // is not returned is closed with its process.
        let _ = timeout(PATIENCE, self.readers.close()).await;
        let closed = timeout(PATIENCE, self.writer.close()).await;
        self.presence.end();
        match closed {
            Ok(closed) => closed.map_err(failed),
            Err(_) => Err(StoreError { cause: "somebody is writing still".to_owned(), unknown: false }),
        }
    }
}
