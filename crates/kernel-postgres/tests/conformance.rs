//! The conformance suite of the storage port on PostgreSQL.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use async_trait::async_trait;
use pavise_kernel::conformance::{Database, Fixture, tables::MIGRATIONS};
use pavise_kernel_postgres::{Options, PostgresKeys, PostgresStore};
use pavise_testkit::postgres;

struct Cluster;

#[async_trait]
impl Fixture for Cluster {
    async fn fresh(&self) -> Database {
        let url = postgres::make_database().await.unwrap();
        let options = Options { readers: 4, writers: 4 };
        let store = PostgresStore::connect(&url, options, &[&MIGRATIONS]).await.unwrap();
        let other = PostgresStore::connect(&url, options, &[&MIGRATIONS]).await.unwrap();
        let [keys, other_keys] = [(); 2].map(|()| Arc::new(PostgresKeys::new(&url).unwrap()));
        Database { store: Arc::new(store), other: Arc::new(other), keys, other_keys, keep: Box::new(()) }
    }
}

pavise_kernel::conformance_tests!(Cluster);
