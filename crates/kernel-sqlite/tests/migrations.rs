//! Migrations on SQLite: several processes at once, several domains, and no change of applied migrations.

use std::path::Path;

use pavise_kernel::migrations::{Migration, Migrations};
use pavise_kernel::store::Store;
use pavise_kernel_sqlite::SqliteStore;
use tokio::task::JoinSet;

const ONE: Migration = Migration { number: 1, name: "one", sql: "CREATE TABLE one (id TEXT)" };
const TWO: Migration = Migration { number: 2, name: "two", sql: "ALTER TABLE one ADD COLUMN more TEXT" };

const fn domain(domain: &'static str, sqlite: &'static [Migration]) -> Migrations {
    Migrations { domain, sqlite, postgres: &[] }
}

const FIRST: Migrations = domain("first", &[ONE]);
const LATER: Migrations = domain("first", &[ONE, TWO]);
const CHANGED: Migrations = domain("first", &[Migration { sql: "CREATE TABLE one (id BIGINT)", ..ONE }]);
const OTHER: Migrations = domain("other", &[Migration { sql: "CREATE TABLE other (id TEXT)", ..ONE }]);
const BROKEN: Migrations =
    domain("broken", &[Migration { sql: "CREATE TABLE left_over (id TEXT); CREATE NONSENSE", ..ONE }]);
const MENDED: Migrations = domain("broken", &[Migration { sql: "CREATE TABLE left_over (id TEXT)", ..ONE }]);

async fn open(path: &Path, domain: &'static Migrations) -> Result<SqliteStore, String> {
    SqliteStore::open(path, &[domain]).await.map_err(|error| error.cause)
}

#[tokio::test(flavor = "multi_thread")]
async fn domains_share_a_database_and_history_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.sqlite");
    open(&path, &FIRST).await.unwrap();
    open(&path, &OTHER).await.unwrap();
    open(&path, &FIRST).await.unwrap();
    open(&path, &LATER).await.unwrap();
    open(&path, &FIRST).await.unwrap();
    let refused = open(&path, &CHANGED).await.unwrap_err();
    assert!(refused.contains("has been modified"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_migration_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.sqlite");
    open(&path, &BROKEN).await.unwrap_err();
    open(&path, &BROKEN).await.unwrap_err();
    open(&path, &MENDED).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_processes_start_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.sqlite");
    let mut starts = JoinSet::new();
    for number in 0..8 {
        let path = path.clone();
        starts.spawn(async move { open(&path, if number % 2 == 0 { &LATER } else { &OTHER }).await.map(drop) });
    }
    assert!(starts.join_all().await.iter().all(Result::is_ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_memory_goes_away_with_its_store() {
    let store = SqliteStore::open(":memory:", &[&FIRST]).await.unwrap();
    let other = SqliteStore::open(":memory:", &[&FIRST]).await.unwrap();
    let (one, two) = (store.head("first").await.unwrap(), other.head("first").await.unwrap());
    assert_ne!(one.epoch, two.epoch, "each has its own");
    let file = format!("{store:?}").split('"').nth(1).unwrap().to_owned();
    assert!(Path::new(&file).exists(), "{file}");
    drop(store);
    assert!(!Path::new(&file).exists(), "{file}");
}
