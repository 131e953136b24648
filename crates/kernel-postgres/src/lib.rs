//! The storage engine for several processes: PostgreSQL 15 or later.
//!
//! Invariants: every writer of a journal locks its counter row first, so that its clocks follow the order of commits
//! across processes. All writes run in the engine's own tasks. A commit without an answer is reported as unknown, never
//! as failed. Each journal has a lane, so that journals are committed side by side.

mod clock;
mod commit;
mod condition;
mod connect;
mod connections;
mod counts;
mod hints;
mod inquiry;
mod keys;
mod part;
mod read;
mod rewrite;
mod several;
mod sort_range;
mod statement;
mod store;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use pavise_kernel::migrations::{Migration, Migrations};
use pavise_kernel::store::StoreError;
use pavise_kernel::tables::Dialect;
use sqlx::migrate::{MigrationType, Migrator};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection, SqlSafeStr};

use commit::Caution;
use connections::Connections;
use hints::Hints;
use inquiry::Inquiry;
pub use keys::PostgresKeys;

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
        Migration {
            number: 5,
            name: "worker_names",
            sql: include_str!("../../../migrations/postgres/kernel/0005_worker_names.sql"),
        },
        Migration {
            number: 6,
            name: "test_clock",
            sql: include_str!("../../../migrations/postgres/kernel/0006_test_clock.sql"),
        },
        Migration {
            number: 7,
            name: "worker_state",
            sql: include_str!("../../../migrations/postgres/kernel/0007_worker_state.sql"),
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
            // The engine's own tables come first: a domain's migration may write to journals.
            for steps in [self::migrator(&[]), migrator] {
                let migrated = steps.run_direct(None, &mut connection, false).await;
                migrated.map_err(|error| StoreError { cause: error.to_string(), unknown: false })?;
            }
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
