//! The databases of a scene.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pavise_kernel::TableEntry;
use pavise_kernel::migrations::Migrations;
use pavise_kernel::sealed::KeyStore;
use pavise_kernel::store::Store;
use pavise_kernel_postgres::{PostgresKeys, PostgresStore};
use pavise_kernel_sqlite::{SqliteKeys, SqliteStore};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, PgConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

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

/// A database of a scene. Several scenes may have the same one, as several processes do.
#[derive(Debug, Clone)]
pub struct Database {
    store: Arc<dyn Store>,
    keys: Arc<dyn KeyStore>,
    place: Place,
    /// The folder of a file that goes away with the last scene.
    _folder: Option<Arc<TempDir>>,
}

/// Where the check finds the data.
#[derive(Debug, Clone)]
enum Place {
    File(PathBuf),
    Url(String),
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
                let folder = tempfile::tempdir().unwrap();
                let database = Self::at(&folder.path().join("pavise.sqlite"), migrations).await;
                Self { _folder: Some(Arc::new(folder)), ..database }
            }
            Engine::Postgres => {
                let url = postgres::make_database().await.unwrap();
                let store = PostgresStore::connect(&url, CONNECTIONS, &[migrations]).await.unwrap();
                let keys = Arc::new(PostgresKeys::new(&url).unwrap());
                Self { store: Arc::new(store), keys, place: Place::Url(url), _folder: None }
            }
        }
    }

    /// The SQLite file at a path, with the tables of a domain. The file stays when the scene ends.
    ///
    /// # Panics
    /// When the file cannot be opened.
    #[expect(clippy::unwrap_used, reason = "a test's folder can be written")]
    pub async fn at(path: &Path, migrations: &Migrations) -> Self {
        let store = SqliteStore::open(path, &[migrations]).await.unwrap();
        let keys = Arc::new(SqliteKeys::new(path.with_extension("keys")));
        Self { store: Arc::new(store), keys, place: Place::File(path.to_owned()), _folder: None }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The key database beside it.
    #[must_use]
    pub fn key_store(&self) -> &Arc<dyn KeyStore> {
        &self.keys
    }

    /// Runs SQL past the store, for tests of damaged data.
    ///
    /// # Panics
    /// When the engine refuses it.
    #[expect(clippy::unwrap_used, reason = "the SQL is written in tests")]
    pub async fn execute(&self, sql: &'static str) {
        match &self.place {
            Place::File(path) => {
                let mut connection = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
                connection.execute(sql).await.unwrap();
            }
            Place::Url(url) => {
                PgConnection::connect(url).await.unwrap().execute(sql).await.unwrap();
            }
        }
    }

    /// Verifies every journal, in a thread with a runtime of its own. The test's runtime is blocked meanwhile, and its
    /// connections come free in that runtime only: so the check opens the data anew.
    ///
    /// # Panics
    /// When a journal is not sound.
    #[expect(clippy::unwrap_used, reason = "a test ends where its database cannot be read")]
    pub(super) fn check(&self, tables: &[&'static TableEntry]) {
        let (place, tables) = (self.place.clone(), tables.to_vec());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let checked = std::thread::spawn(move || runtime.block_on(find_problems(&place, &tables)));
        let problems = checked.join().unwrap();
        assert!(problems.is_empty(), "a journal is not sound: {problems:#?}");
    }
}

/// Copies a database that nobody writes to at the moment. A transaction that the test's runtime left open would lock the
/// file itself; the copy has what was committed.
#[expect(clippy::unwrap_used, reason = "a test's folder can be written")]
fn copy_file(path: &Path) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.sqlite");
    std::fs::copy(path, &copy).unwrap();
    let log = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
    if log(path).exists() {
        std::fs::copy(log(path), log(&copy)).unwrap();
    }
    (folder, copy)
}

/// The problems of all journals: gaps, and entities that differ from their replay.
#[expect(clippy::unwrap_used, reason = "a test ends where its database cannot be read")]
async fn find_problems(place: &Place, tables: &[&'static TableEntry]) -> Vec<String> {
    let (store, _folder): (Arc<dyn Store>, Option<TempDir>) = match place {
        Place::File(path) => {
            let (folder, copy) = copy_file(path);
            (Arc::new(SqliteStore::open(copy, &[]).await.unwrap()), Some(folder))
        }
        Place::Url(url) => (Arc::new(PostgresStore::connect(url, 1, &[]).await.unwrap()), None),
    };
    let mut journals: Vec<&str> = tables.iter().map(|entry| entry.table.journal).collect();
    journals.sort_unstable();
    journals.dedup();
    let mut problems = Vec::new();
    for journal in journals {
        let verdict = pavise_kernel::verify::verify(store.as_ref(), journal, tables, |_| {}).await.unwrap();
        problems.extend(verdict.problems.into_iter().map(|problem| format!("{journal}: {problem}")));
    }
    problems
}
