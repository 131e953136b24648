//! The conformance suite of the storage port on SQLite.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use async_trait::async_trait;
use pavise_kernel::conformance::{Database, Fixture, tables::MIGRATIONS};
use pavise_kernel_sqlite::{SqliteKeys, SqliteStore};

struct Sqlite;

#[async_trait]
impl Fixture for Sqlite {
    async fn fresh(&self) -> Database {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.sqlite");
        let store = SqliteStore::open(&path, &[&MIGRATIONS]).await.unwrap();
        let other = SqliteStore::open(&path, &[&MIGRATIONS]).await.unwrap();
        let [keys, other_keys] = [(); 2].map(|()| Arc::new(SqliteKeys::new(folder.path().join("test.keys"))));
        Database { store: Arc::new(store), other: Arc::new(other), keys, other_keys, keep: Box::new(folder) }
    }
}

pavise_kernel::conformance_tests!(Sqlite);
