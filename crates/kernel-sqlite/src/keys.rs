//! The key database in an SQLite file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use pavise_kernel::hex::to_hex;
use pavise_kernel::sealed::{KeyStore, WrappedKey};
use pavise_kernel::store::{StoreError, StoreResult};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use tokio::sync::OnceCell;

use crate::{alone, failed, make};

/// One row for each key for ever; a destroyed one has no bytes.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS sealed_key (name TEXT PRIMARY KEY, master TEXT NOT NULL, \
     wrapped BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID, STRICT";
/// Connections: one writes, and others read meanwhile.
const CONNECTIONS: u32 = 4;

/// The key database in a file of its own. It is opened when it is first used.
#[derive(Debug)]
pub struct SqliteKeys {
    path: PathBuf,
    pool: SqlitePool,
    ready: OnceCell<()>,
}

type Columns = (String, String, Vec<u8>, i64);

impl SqliteKeys {
    /// The key database at `path`; the file is made when it is first used.
    #[must_use]
    pub fn new(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().to_owned();
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // The bytes of a destroyed key are overwritten.
            .pragma("secure_delete", "on")
            .busy_timeout(Duration::from_secs(10))
            .disable_statement_logging();
        let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).connect_lazy_with(options);
        Self { path, pool, ready: OnceCell::new() }
    }

    async fn pool(&self) -> StoreResult<&SqlitePool> {
        let open = || async {
            // Two processes that begin a file at once would find it locked, however long they wait.
            let _alone = alone(&self.path).await?;
            make(&self.path).map_err(|error| StoreError { cause: error.to_string(), unknown: false })?;
            sqlx::query(TABLE).execute(&self.pool).await.map_err(failed)?;
            Ok::<_, StoreError>(())
        };
        self.ready.get_or_try_init(open).await?;
        Ok(&self.pool)
    }
}

fn key((name, master, wrapped, at): Columns) -> WrappedKey {
    WrappedKey { name, master, wrapped, at }
}

fn json<T: serde::Serialize>(values: &T) -> String {
    serde_json::to_string(values).unwrap_or_default()
}

#[async_trait]
impl KeyStore for SqliteKeys {
    async fn keys(&self, names: &[String]) -> StoreResult<Vec<WrappedKey>> {
        let sql = "SELECT name, master, wrapped, at FROM sealed_key WHERE name IN (SELECT value FROM json_each(?))";
        let found = sqlx::query_as::<_, Columns>(sql).bind(json(&names)).fetch_all(self.pool().await?);
        Ok(found.await.map_err(failed)?.into_iter().map(key).collect())
    }

    async fn add(&self, keys: &[WrappedKey]) -> StoreResult<()> {
        let sql = "INSERT INTO sealed_key (name, master, wrapped, at) SELECT value ->> 0, value ->> 1, \
                   unhex(value ->> 2), value ->> 3 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING";
        let rows: Vec<_> = keys.iter().map(|key| (&key.name, &key.master, to_hex(&key.wrapped), key.at)).collect();
        sqlx::query(sql).bind(json(&rows)).execute(self.pool().await?).await.map_err(failed)?;
        Ok(())
    }

    async fn destroy(&self, names: &[String], at: i64) -> StoreResult<()> {
        let sql = "INSERT INTO sealed_key (name, master, wrapped, at) SELECT value, '', x'', ? FROM json_each(?) \
                   WHERE true ON CONFLICT DO UPDATE SET master = '', wrapped = x'', at = excluded.at \
                   WHERE length(wrapped) > 0";
        let pool = self.pool().await?;
        sqlx::query(sql).bind(at).bind(json(&names)).execute(pool).await.map_err(failed)?;
        // The log still has the bytes.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(pool).await.map_err(failed)?;
        Ok(())
    }

    async fn destroyed(&self, after: &str, limit: u32) -> StoreResult<Vec<WrappedKey>> {
        let sql = "SELECT name, master, wrapped, at FROM sealed_key WHERE name > ? AND length(wrapped) = 0 \
                   ORDER BY name LIMIT ?";
        let found = sqlx::query_as::<_, Columns>(sql).bind(after).bind(limit).fetch_all(self.pool().await?);
        Ok(found.await.map_err(failed)?.into_iter().map(key).collect())
    }

    async fn wrapped_otherwise(&self, master: &str, after: &str, limit: u32) -> StoreResult<Vec<WrappedKey>> {
        let sql = "SELECT name, master, wrapped, at FROM sealed_key WHERE name > ? AND master <> ? AND master <> '' \
                   ORDER BY name LIMIT ?";
        let found = sqlx::query_as::<_, Columns>(sql).bind(after).bind(master).bind(limit);
        Ok(found.fetch_all(self.pool().await?).await.map_err(failed)?.into_iter().map(key).collect())
    }

    async fn close(&self) {
        // The last connection that closes copies the log into the file.
        self.pool.close().await;
    }

    async fn rewrap(&self, pairs: &[(WrappedKey, WrappedKey)]) -> StoreResult<u64> {
        let sql = "UPDATE sealed_key SET master = new.value ->> 2, wrapped = unhex(new.value ->> 3) \
                   FROM json_each(?) AS new WHERE name = new.value ->> 0 AND wrapped = unhex(new.value ->> 1)";
        let rows: Vec<_> = pairs
            .iter()
            .map(|(old, new)| (&old.name, to_hex(&old.wrapped), &new.master, to_hex(&new.wrapped)))
            .collect();
        let done = sqlx::query(sql).bind(json(&rows)).execute(self.pool().await?).await.map_err(failed)?;
        Ok(done.rows_affected())
    }
}
