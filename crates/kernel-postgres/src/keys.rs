//! The key database in PostgreSQL: a schema of its own, in any database.

use std::str::FromStr as _;

use async_trait::async_trait;
use pavise_kernel::sealed::{KeyStore, WrappedKey};
use pavise_kernel::store::{StoreError, StoreResult};
use sqlx::ConnectOptions as _;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use tokio::sync::OnceCell;

use crate::failed;

/// One row for each key for ever; a destroyed one has no bytes. Two processes may begin at once, so a lock comes first.
const TABLE: &str = "DO $$ BEGIN \
     IF to_regclass('pavise_keys.sealed_key') IS NULL THEN \
       PERFORM pg_advisory_xact_lock(hashtext('pavise_keys')); \
       CREATE SCHEMA IF NOT EXISTS pavise_keys; \
       CREATE TABLE IF NOT EXISTS pavise_keys.sealed_key (name TEXT COLLATE \"C\" PRIMARY KEY, master TEXT NOT NULL, \
         wrapped BYTEA NOT NULL, at BIGINT NOT NULL); \
     END IF; END $$";
/// Connections to the key database. Opened keys are used for minutes, so that few suffice.
const CONNECTIONS: u32 = 4;

/// The key database in the schema `pavise_keys`. It is connected to when it is first used.
#[derive(Debug)]
pub struct PostgresKeys {
    pool: PgPool,
    ready: OnceCell<()>,
}

type Columns = (String, String, Vec<u8>, i64);

impl PostgresKeys {
    /// The key database at `url`.
    ///
    /// # Errors
    /// When the URL cannot be read.
    pub fn new(url: &str) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url).map_err(failed)?.application_name("pavise keys");
        let options = options.options([("statement_timeout", "10s"), ("lock_timeout", "5s")]);
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).min_connections(0);
        Ok(Self { pool: pool.connect_lazy_with(options.disable_statement_logging()), ready: OnceCell::new() })
    }

    async fn pool(&self) -> StoreResult<&PgPool> {
        let open = || async { sqlx::query(TABLE).execute(&self.pool).await.map_err(failed).map(drop) };
        self.ready.get_or_try_init(open).await?;
        Ok(&self.pool)
    }
}

fn key((name, master, wrapped, at): Columns) -> WrappedKey {
    WrappedKey { name, master, wrapped, at }
}

#[async_trait]
impl KeyStore for PostgresKeys {
    async fn keys(&self, names: &[String]) -> StoreResult<Vec<WrappedKey>> {
        let sql = "SELECT name, master, wrapped, at FROM pavise_keys.sealed_key WHERE name = ANY($1)";
        let found = sqlx::query_as::<_, Columns>(sql).bind(names).fetch_all(self.pool().await?);
        Ok(found.await.map_err(failed)?.into_iter().map(key).collect())
    }

    async fn add(&self, keys: &[WrappedKey]) -> StoreResult<()> {
        let sql = "INSERT INTO pavise_keys.sealed_key (name, master, wrapped, at) \
                   SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[]) ON CONFLICT DO NOTHING";
        let done = sqlx::query(sql)
            .bind(keys.iter().map(|key| key.name.as_str()).collect::<Vec<_>>())
            .bind(keys.iter().map(|key| key.master.as_str()).collect::<Vec<_>>())
            .bind(keys.iter().map(|key| key.wrapped.as_slice()).collect::<Vec<_>>())
            .bind(keys.iter().map(|key| key.at).collect::<Vec<_>>());
        done.execute(self.pool().await?).await.map_err(failed)?;
        Ok(())
    }

    async fn destroy(&self, names: &[String], at: i64) -> StoreResult<()> {
        let sql = "INSERT INTO pavise_keys.sealed_key AS known (name, master, wrapped, at) \
                   SELECT name, '', ''::bytea, $2 FROM unnest($1::text[]) AS name \
                   ON CONFLICT (name) DO UPDATE SET master = '', wrapped = ''::bytea, at = excluded.at \
                   WHERE length(known.wrapped) > 0";
        let pool = self.pool().await?;
        sqlx::query(sql).bind(names).bind(at).execute(pool).await.map_err(failed)?;
        // The table still has the earlier rows.
        sqlx::query("VACUUM pavise_keys.sealed_key").execute(pool).await.map_err(failed)?;
        Ok(())
    }

    async fn destroyed(&self, after: &str, limit: u32) -> StoreResult<Vec<WrappedKey>> {
        let sql = "SELECT name, master, wrapped, at FROM pavise_keys.sealed_key \
                   WHERE name > $1 AND length(wrapped) = 0 ORDER BY name LIMIT $2";
        let found = sqlx::query_as::<_, Columns>(sql).bind(after).bind(i64::from(limit));
        Ok(found.fetch_all(self.pool().await?).await.map_err(failed)?.into_iter().map(key).collect())
    }

    async fn wrapped_otherwise(&self, master: &str, after: &str, limit: u32) -> StoreResult<Vec<WrappedKey>> {
        let sql = "SELECT name, master, wrapped, at FROM pavise_keys.sealed_key \
                   WHERE name > $1 AND master <> $2 AND master <> '' ORDER BY name LIMIT $3";
        let found = sqlx::query_as::<_, Columns>(sql).bind(after).bind(master).bind(i64::from(limit));
        Ok(found.fetch_all(self.pool().await?).await.map_err(failed)?.into_iter().map(key).collect())
    }

    async fn rewrap(&self, pairs: &[(WrappedKey, WrappedKey)]) -> StoreResult<u64> {
        let sql = "UPDATE pavise_keys.sealed_key AS known SET master = new.master, wrapped = new.wrapped \
                   FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bytea[]) AS new (name, old, master, wrapped) \
                   WHERE known.name = new.name AND known.wrapped = new.old";
        let done = sqlx::query(sql)
            .bind(pairs.iter().map(|(old, _)| old.name.as_str()).collect::<Vec<_>>())
            .bind(pairs.iter().map(|(old, _)| old.wrapped.as_slice()).collect::<Vec<_>>())
            .bind(pairs.iter().map(|(_, new)| new.master.as_str()).collect::<Vec<_>>())
            .bind(pairs.iter().map(|(_, new)| new.wrapped.as_slice()).collect::<Vec<_>>());
        Ok(done.execute(self.pool().await?).await.map_err(failed)?.rows_affected())
    }
}
