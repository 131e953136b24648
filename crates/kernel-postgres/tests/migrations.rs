//! Migrations on PostgreSQL: several processes at once, several domains, and no change of applied migrations.

use pavise_kernel::migrations::{Migration, Migrations};
use pavise_kernel_postgres::PostgresStore;
use pavise_testkit::postgres;
use tokio::task::JoinSet;

const ONE: Migration = Migration { number: 1, name: "one", sql: "CREATE TABLE one (id TEXT)" };
const TWO: Migration = Migration { number: 2, name: "two", sql: "ALTER TABLE one ADD COLUMN more TEXT" };

const fn domain(domain: &'static str, postgres: &'static [Migration]) -> Migrations {
    Migrations { domain, sqlite: &[], postgres }
}

const FIRST: Migrations = domain("first", &[ONE]);
const LATER: Migrations = domain("first", &[ONE, TWO]);
const CHANGED: Migrations = domain("first", &[Migration { sql: "CREATE TABLE one (id BIGINT)", ..ONE }]);
const OTHER: Migrations = domain("other", &[Migration { sql: "CREATE TABLE other (id TEXT)", ..ONE }]);
const BROKEN: Migrations =
    domain("broken", &[Migration { sql: "CREATE TABLE left_over (id TEXT); CREATE NONSENSE", ..ONE }]);
const MENDED: Migrations = domain("broken", &[Migration { sql: "CREATE TABLE left_over (id TEXT)", ..ONE }]);

async fn connect(url: &str, domain: &'static Migrations) -> Result<PostgresStore, String> {
    PostgresStore::connect(url, 2, &[domain]).await.map_err(|error| error.cause)
}

#[tokio::test(flavor = "multi_thread")]
async fn domains_share_a_database_and_history_stays() {
    let url = postgres::make_database().await.unwrap();
    connect(&url, &FIRST).await.unwrap();
    connect(&url, &OTHER).await.unwrap();
    connect(&url, &FIRST).await.unwrap();
    connect(&url, &LATER).await.unwrap();
    connect(&url, &FIRST).await.unwrap();
    let refused = connect(&url, &CHANGED).await.unwrap_err();
    assert!(refused.contains("has been modified"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_migration_leaves_nothing_behind() {
    let url = postgres::make_database().await.unwrap();
    connect(&url, &BROKEN).await.unwrap_err();
    connect(&url, &BROKEN).await.unwrap_err();
    connect(&url, &MENDED).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_processes_start_at_once() {
    let url = postgres::make_database().await.unwrap();
    let mut starts = JoinSet::new();
    for number in 0..8 {
        let url = url.clone();
        starts.spawn(async move { connect(&url, if number % 2 == 0 { &LATER } else { &OTHER }).await.map(drop) });
    }
    assert!(starts.join_all().await.iter().all(Result::is_ok));
}
