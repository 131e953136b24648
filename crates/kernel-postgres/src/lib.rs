//! The storage engine for several processes: PostgreSQL 15 or later.
//!
//! Invariants: every writer of a journal locks its counter row first, so that its clocks follow the order of commits
//! across processes. All writes run in the engine's own tasks. A commit without an answer is reported as unknown, never
//! as failed. Each journal has a lane, so that journals are committed side by side.

mod commit;
mod connections;
mod counts;
mod hints;
mod inquiry;
mod part;
mod read;
mod rise;
mod several;
mod statement;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use pavise_contract::table::{Lookup, Table};
use pavise_kernel::migrations::{Migration, Migrations};
use pavise_kernel::store::{
    Command, CountChange, Cursor, Due, Entry, FailedCount, FailedEntry, Filter, Head, IdempotencyRecord, Match,
    Outcome, Part, Range, Row, SharedCount, Store, StoreError, Stored,
};
use pavise_kernel::tables::Dialect;
use sqlx::migrate::{MigrationType, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection, SqlSafeStr};
use tokio::sync::broadcast;

use commit::Caution;
use connections::Connections;
use hints::Hints;
use inquiry::Inquiry;

/// The engine's own tables.
pub const MIGRATIONS: Migrations = Migrations {
    domain: "kernel",
    sqlite: &[],
    postgres: &[
        Migration {
            number: 1,
            name: "kernel",
            sql: include_str!("../../../migrations/postgres/kernel/0001_kernel.sql"),
        },
        Migration {
            number: 2,
            name: "epochs",
            sql: include_str!("../../../migrations/postgres/kernel/0002_epochs.sql"),
        },
        Migration {
            number: 3,
            name: "shared_count",
            sql: include_str!("../../../migrations/postgres/kernel/0003_shared_count.sql"),
        },
        Migration {
            number: 4,
            name: "series",
            sql: include_str!("../../../migrations/postgres/kernel/0004_series.sql"),
        },
    ],
};

/// PostgreSQL's terms for the tables of an aggregate.
pub const DIALECT: Dialect = Dialect {
    engine: "postgres",
    id: "TEXT COLLATE \"C\"",
    doc: "JSONB NOT NULL",
    past: "JSONB",
    clock: "BIGINT",
    bytes: "BYTEA",
    rows: " WITH (fillfactor = 80)",
    sides: "",
    beginnings: Some("name, value COLLATE \"C\", id"),
    bytewise: " COLLATE \"C\"",
};

/// Prepared statements that a connection keeps: a dozen per table.
const STATEMENTS: usize = 1_024;

/// The number of connections that the store may use. One more listens, and after a slow statement another one asks the
/// server about it.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Reads at once.
    pub readers: usize,
    /// Commits at once, each of a different journal.
    pub writers: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { readers: 16, writers: 8 }
    }
}

/// Divides a total number of connections.
impl From<usize> for Options {
    fn from(connections: usize) -> Self {
        let writers = (connections / 3).max(1);
        Self { readers: connections.saturating_sub(writers).max(1), writers }
    }
}

/// The platform in a PostgreSQL database.
pub struct PostgresStore {
    readers: Arc<Connections>,
    writers: Arc<Connections>,
    caution: Arc<Caution>,
    hints: Hints,
    database: String,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("database", &self.database).finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Connects to the database at `url` and brings its tables up to date; only one process at a time does that.
    ///
    /// # Errors
    /// When the server does not answer, or a migration fails or was changed after it had landed.
    pub async fn connect(
        url: &str,
        options: impl Into<Options>,
        migrations: &[&Migrations],
    ) -> Result<Self, StoreError> {
        let options = options.into();
        let server = PgConnectOptions::from_str(url)
            .map_err(failed)?
            .application_name("pavise")
            .statement_cache_capacity(STATEMENTS);
        let server = server.disable_statement_logging();
        let server = server.options([("default_transaction_isolation", "read committed")]);
        let mut connection = server.connect().await.map_err(failed)?;
        let migrator = migrator(migrations);
        // A role without the right to create tables can serve a database that is up to date.
        if !is_current(&mut connection, &migrator).await.map_err(failed)? {
            let migrated = migrator.run_direct(None, &mut connection, false).await;
            migrated.map_err(|error| StoreError { cause: error.to_string(), unknown: false })?;
        }
        let (instance, durable) = settings(&mut connection).await.map_err(failed)?;
        connection.close().await.map_err(failed)?;

        // A longer statement, or a longer idle transaction, is a fault.
        let timed = server.clone().options([
            ("statement_timeout", "10s"),
            ("lock_timeout", "5s"),
            ("idle_in_transaction_session_timeout", "10s"),
        ]);
        // Commits look up a few rows by key in growing tables, so their plans are made once and never scan.
        let mut writing = timed.clone().options([
            ("plan_cache_mode", "force_generic_plan"),
            ("enable_seqscan", "off"),
            ("enable_hashjoin", "off"),
            ("enable_mergejoin", "off"),
            ("jit", "off"),
        ]);
        if !durable {
            // Without it, a crash could assign an acknowledged clock again.
            writing = writing.options([("synchronous_commit", "on")]);
        }
        let inquiry = Arc::new(Inquiry::new(timed.clone()));
        let writers = Connections::new("write", writing, options.writers, Arc::clone(&inquiry));
        let hints = Hints::start(server.clone(), Arc::clone(&writers), instance);
        hints.presence().await;
        let database =
            format!("{}:{}/{}", server.get_host(), server.get_port(), server.get_database().unwrap_or_default());
        let readers = Connections::new("read", timed, options.readers, inquiry);
        Ok(Self { readers, writers, caution: Arc::default(), hints, database })
    }

    /// The domains among `domains` whose tables exist.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn present(&self, domains: &[&Migrations]) -> Result<Vec<&'static str>, StoreError> {
        let applied = self.readers.read(|connection| {
            let applied = sqlx::query_scalar::<_, i64>("SELECT version FROM _sqlx_migrations WHERE success");
            Box::pin(async move { Ok(applied.fetch_all(connection).await?) })
        });
        let applied: BTreeSet<i64> = applied.await?.into_iter().collect();
        let there =
            |domain: &&&Migrations| domain.postgres.iter().any(|step| applied.contains(&domain.version(step.number)));
        Ok(domains.iter().filter(there).map(|domain| domain.domain).collect())
    }

    async fn begin_journal(&self, journal: &str) -> Result<(), StoreError> {
        let journal = journal.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::begin_journal(connection, &journal).await }))
            .await
    }
}

/// A name for this process, and whether the server makes a commit durable before it acknowledges it.
async fn settings(connection: &mut PgConnection) -> sqlx::Result<(String, bool)> {
    sqlx::query_as("SELECT gen_random_uuid()::text, current_setting('synchronous_commit') <> 'off'")
        .fetch_one(connection)
        .await
}

/// Whether all migrations were applied in their present form.
async fn is_current(connection: &mut PgConnection, migrator: &Migrator) -> sqlx::Result<bool> {
    let there = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(there).fetch_one(&mut *connection).await? {
        return Ok(false);
    }
    let applied = "SELECT version, checksum FROM _sqlx_migrations WHERE success";
    let applied: BTreeMap<i64, Vec<u8>> = sqlx::query_as(applied).fetch_all(connection).await?.into_iter().collect();
    Ok(migrator.iter().all(|step| applied.get(&step.version).is_some_and(|checksum| **checksum == *step.checksum)))
}

/// The migrations of the engine and of the domains. Those of domains that this process does not run are ignored.
fn migrator(domains: &[&Migrations]) -> Migrator {
    let mut steps = Vec::new();
    for domain in std::iter::once(&&MIGRATIONS).chain(domains) {
        for step in domain.postgres {
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
impl Store for PostgresStore {
    fn lane(&self, journal: &'static str) -> &'static str {
        journal
    }

    async fn get(&self, table: &'static Table, id: &str) -> Stored<Option<Row>> {
        let id = id.to_owned();
        self.readers
            .read(move |connection| {
                let id = id.clone();
                Box::pin(async move { Ok(read::get(connection, table, &id).await?) })
            })
            .await
    }

    async fn get_many(&self, table: &'static Table, ids: &[String]) -> Stored<Vec<Row>> {
        let ids = ids.to_vec();
        self.readers
            .read(move |connection| {
                let ids = ids.clone();
                Box::pin(async move { Ok(read::get_many(connection, table, &ids).await?) })
            })
            .await
    }

    async fn find(&self, table: &'static Table, lookup: &'static Lookup, value: &str) -> Stored<Option<Row>> {
        let filter = Filter { lookups: vec![(lookup, value.to_owned())], limit: 1, ..Filter::default() };
        Ok(self.list(table, &filter).await?.pop())
    }

    async fn find_id(&self, table: &'static Table, lookup: &'static Lookup, value: &str) -> Stored<Option<String>> {
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
    ) -> Stored<Vec<(String, Row)>> {
        let values = values.to_vec();
        self.readers
            .read(move |connection| {
                let values = values.clone();
                Box::pin(async move { Ok(several::find_many(connection, table, lookup, &values).await?) })
            })
            .await
    }

    async fn count(&self, table: &'static Table, filter: &Filter) -> Stored<u32> {
        let filter = filter.clone();
        self.readers
            .read(move |connection| {
                let filter = filter.clone();
                Box::pin(async move { Ok(several::count(connection, table, &filter).await?) })
            })
            .await
    }

    async fn list(&self, table: &'static Table, filter: &Filter) -> Stored<Vec<Row>> {
        let filter = filter.clone();
        self.readers
            .read(move |connection| {
                let filter = filter.clone();
                Box::pin(async move { Ok(read::list(connection, table, &filter).await?) })
            })
            .await
    }

    async fn range(&self, table: &'static Table, range: &Range) -> Stored<Vec<Match>> {
        let range = range.clone();
        self.readers
            .read(move |connection| {
                let range = range.clone();
                Box::pin(async move { Ok(read::range(connection, table, &range).await?) })
            })
            .await
    }

    async fn journal(&self, journal: &str, entity: &str, after: i64, limit: u32) -> Stored<(Vec<Entry>, Head)> {
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
        part: &Part,
        after: i64,
        through: i64,
        limit: u32,
    ) -> Stored<(Vec<Entry>, Head)> {
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

    async fn head(&self, journal: &str) -> Stored<Head> {
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

    async fn idempotency_record(&self, journal: &str, key: &str) -> Stored<Option<IdempotencyRecord>> {
        let (journal, key) = (journal.to_owned(), key.to_owned());
        self.readers
            .read(move |connection| {
                let (journal, key) = (journal.clone(), key.clone());
                Box::pin(async move { Ok(read::idempotency_record(connection, &journal, &key).await?) })
            })
            .await
    }

    async fn commit(&self, batch: &[Command]) -> Stored<Vec<Outcome>> {
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
                self.hints.tell(journal);
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

    async fn lease(&self, name: &str, holder: &str, lasts: Duration) -> Stored<bool> {
        let (name, holder, lock) = (name.to_owned(), holder.to_owned(), self.hints.lock());
        self.writers
            .write(move |connection| {
                Box::pin(async move { work::lease(connection, &name, &holder, lock, lasts).await })
            })
            .await
    }

    async fn release(&self, name: &str, holder: &str) -> Stored<()> {
        let (name, holder) = (name.to_owned(), holder.to_owned());
        self.writers
            .write(move |connection| Box::pin(async move { work::release(connection, &name, &holder).await }))
            .await
    }

    async fn cursor(&self, worker: &str) -> Stored<Cursor> {
        let worker = worker.to_owned();
        self.readers
            .read(move |connection| {
                let worker = worker.clone();
                Box::pin(async move { Ok(work::cursor(connection, &worker).await?) })
            })
            .await
    }

    async fn advance(&self, worker: &str, holder: &str, cursor: &Cursor, failed: &[FailedEntry]) -> Stored<bool> {
        let (worker, holder, cursor, failed) = (worker.to_owned(), holder.to_owned(), cursor.clone(), failed.to_vec());
        self.writers
            .write(move |connection| {
                Box::pin(async move { work::advance(connection, &worker, &holder, &cursor, &failed).await })
            })
            .await
    }

    async fn rewind(&self, worker: &str, holder: &str, cursor: &Cursor) -> Stored<bool> {
        let (worker, holder, cursor) = (worker.to_owned(), holder.to_owned(), cursor.clone());
        self.writers
            .write(move |connection| Box::pin(async move { work::rewind(connection, &worker, &holder, &cursor).await }))
            .await
    }

    async fn renew_epoch(&self, journal: &str) -> Stored<Head> {
        let journal = journal.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::renew_epoch(connection, &journal).await }))
            .await
    }

    async fn shared_until(&self, journal: &str, epoch: &str) -> Stored<i64> {
        let (journal, epoch) = (journal.to_owned(), epoch.to_owned());
        self.readers
            .read(move |connection| {
                let (journal, epoch) = (journal.clone(), epoch.clone());
                Box::pin(async move { Ok(work::shared_until(connection, &journal, &epoch).await?) })
            })
            .await
    }

    async fn due(&self, worker: &str, limit: u32) -> Stored<Due> {
        let worker = worker.to_owned();
        self.readers
            .read(move |connection| {
                let worker = worker.clone();
                Box::pin(async move { Ok(work::due(connection, &worker, limit).await?) })
            })
            .await
    }

    async fn blocked(&self, worker: &str, entities: &[String]) -> Stored<Vec<String>> {
        let (worker, entities) = (worker.to_owned(), entities.to_vec());
        self.readers
            .read(move |connection| {
                let (worker, entities) = (worker.clone(), entities.clone());
                Box::pin(async move { Ok(work::blocked(connection, &worker, &entities).await?) })
            })
            .await
    }

    async fn failed_entries(&self, worker: &str, limit: u32) -> Stored<Vec<FailedEntry>> {
        let worker = worker.to_owned();
        self.readers
            .read(move |connection| {
                let worker = worker.clone();
                Box::pin(async move { Ok(work::failed_entries(connection, &worker, limit).await?) })
            })
            .await
    }

    async fn count_failed(&self) -> Stored<Vec<FailedCount>> {
        self.readers.read(move |connection| Box::pin(async move { Ok(work::count_failed(connection).await?) })).await
    }

    async fn retry(&self, entry: &FailedEntry) -> Stored<()> {
        let entry = entry.clone();
        self.writers.write(move |connection| Box::pin(async move { work::retry(connection, &entry).await })).await
    }

    async fn remove_failed(&self, worker: &str, clock: i64) -> Stored<()> {
        let worker = worker.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::remove_failed(connection, &worker, clock).await }))
            .await
    }

    async fn share_counts(&self, changes: &[CountChange]) -> Stored<Vec<SharedCount>> {
        let changes = changes.to_vec();
        self.writers.write(move |connection| Box::pin(async move { counts::share(connection, &changes).await })).await
    }

    async fn forget(&self, journal: &str, before: i64) -> Stored<u64> {
        let journal = journal.to_owned();
        self.writers
            .write(move |connection| Box::pin(async move { work::forget(connection, &journal, before).await }))
            .await
    }

    async fn ping(&self) -> Stored<()> {
        self.readers.read(|connection| Box::pin(async move { Ok(connection.ping().await?) })).await
    }

    async fn check_writable(&self) -> Stored<()> {
        self.writers.write(|connection| Box::pin(async move { work::probe(connection).await })).await
    }

    async fn scan(&self, table: &'static Table, after: &str, limit: u32) -> Stored<Vec<Row>> {
        let after = after.to_owned();
        self.readers
            .read(move |connection| {
                let after = after.clone();
                Box::pin(async move { Ok(read::scan(connection, table, &after, limit).await?) })
            })
            .await
    }
}
