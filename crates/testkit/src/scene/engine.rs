//! The databases of a scene.

use std::sync::Arc;

use pavise_kernel::TableEntry;
use pavise_kernel::migrations::Migrations;
use pavise_kernel::store::Store;
use pavise_kernel_postgres::PostgresStore;
use pavise_kernel_sqlite::SqliteStore;

use crate::postgres;

/// How many connections a scene has to PostgreSQL.
const CONNECTIONS: usize = 8;

/// The engine of a scene's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file in a temporary folder.
    Sqlite,
    /// A database of the cluster that the tests of a process share.
    Postgres,
}

impl Engine {
    /// Both, for a test that runs on each.
    pub const BOTH: [Self; 2] = [Self::Sqlite, Self::Postgres];
}

/// A database of a scene.
#[derive(Debug)]
pub struct Database {
    store: Arc<dyn Store>,
    /// The URL of the database, where that is PostgreSQL.
    url: Option<String>,
}

impl Database {
    /// An empty one with the tables of a domain.
    ///
    /// # Panics
    /// When the engine does not start.
    #[expect(clippy::unwrap_used, reason = "a machine without the engines runs no tests")]
    pub async fn new(engine: Engine, migrations: &Migrations) -> Self {
        match engine {
            Engine::Sqlite => {
                let store = SqliteStore::open(":memory:", &[migrations]).await.unwrap();
                Self { store: Arc::new(store), url: None }
            }
            Engine::Postgres => {
                let url = postgres::database().await.unwrap();
                let store = PostgresStore::connect(&url, CONNECTIONS, &[migrations]).await.unwrap();
                Self { store: Arc::new(store), url: Some(url) }
            }
        }
    }

    /// A store of the test's own making, which is not checked at the end.
    #[must_use]
    pub fn of(store: Arc<dyn Store>) -> Self {
        Self { store, url: None }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Verifies every journal of a PostgreSQL database, in a thread of its own: the test's runtime is blocked meanwhile. The
    /// connections of an SQLite store go back to its pool in that runtime, so there is none to verify with.
    ///
    /// # Panics
    /// When a journal is not sound.
    #[expect(clippy::unwrap_used, reason = "a test ends where its database cannot be read")]
    pub(super) fn check(&self, tables: &[&'static TableEntry]) {
        let Some(url) = self.url.clone() else { return };
        let tables = tables.to_vec();
        let verify = async move {
            // Connections belong to the runtime that made them.
            let store = PostgresStore::connect(&url, 1, &[]).await.unwrap();
            let mut journals: Vec<&str> = tables.iter().map(|entry| entry.table.journal).collect();
            journals.sort_unstable();
            journals.dedup();
            for journal in journals {
                let verdict = pavise_kernel::verify::verify(&store, journal, &tables, |_| {}).await.unwrap();
                assert!(verdict.problems.is_empty(), "the journal of {journal} is not sound: {:#?}", verdict.problems);
            }
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let checked = std::thread::spawn(move || runtime.block_on(verify)).join();
        assert!(checked.is_ok(), "a journal is not sound: see above");
    }
}
