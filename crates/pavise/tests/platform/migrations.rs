//! The landed migrations make the tables and indexes that the declared aggregates and lookups ask for, on both engines.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};

use pavise::domains;
use pavise::migration::DIALECTS;
use pavise_contract::table::Table;
use pavise_kernel::migrations::Migration;
use pavise_kernel::tables::{self, Dialect};
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _, SqliteConnection};

/// Indexes that serve a worker's scan and no declared lookup: the table and the columns.
const OF_WORKERS: [(&str, &str); 4] = [
    ("identity_merges", "(id) WHERE"),
    ("invitation_notices", "(id) WHERE"),
    ("notices", "(status, id)"),
    ("password_resets", "(status, id)"),
];

/// The parts of a database: each column and each index in words.
type Schema = BTreeSet<String>;

/// The tables that the contract asks for.
fn declared(dialect: &Dialect) -> String {
    let mut journals: BTreeMap<&str, Vec<&Table>> = BTreeMap::new();
    for entry in domains::tables() {
        journals.entry(entry.table.journal).or_default().push(entry.table);
    }
    journals.iter().map(|(journal, aggregates)| tables::create(journal, aggregates, dialect)).collect()
}

/// All that was landed for an engine, in order.
fn landed(dialect: &Dialect) -> Vec<&'static str> {
    let all = domains::every();
    let of = |one: &'static pavise_kernel::migrations::Migrations| -> &'static [Migration] {
        if dialect.engine == "sqlite" { one.sqlite } else { one.postgres }
    };
    domains::migrations(&all).into_iter().flat_map(of).map(|migration| migration.sql).collect()
}

#[tokio::test]
async fn the_landed_tables_are_those_of_the_contract_on_sqlite() {
    let (wanted, found) = (sqlite(&[&declared(DIALECTS[0])]).await, sqlite(&landed(DIALECTS[0])).await);
    compare(&wanted, &found);
}

#[tokio::test]
async fn the_landed_tables_are_those_of_the_contract_on_postgres() {
    let (wanted, found) = (postgres(&[&declared(DIALECTS[1])]).await, postgres(&landed(DIALECTS[1])).await);
    compare(&wanted, &found);
}

fn compare(wanted: &Schema, found: &Schema) {
    let missing: Vec<_> = wanted.difference(found).collect();
    assert!(missing.is_empty(), "the contract asks for what no migration makes: {missing:#?}");
    let of_worker = |one: &String, (table, columns): &(&str, &str)| {
        one.starts_with(&format!("{table}: CREATE INDEX ")) && one.contains(columns)
    };
    let known = |one: &&String| OF_WORKERS.iter().any(|index| of_worker(one, index));
    let more: Vec<_> = found.difference(wanted).filter(|one| !known(one)).collect();
    assert!(more.is_empty(), "migrations make what the contract does not ask for: {more:#?}");
}

async fn sqlite(scripts: &[&str]) -> Schema {
    let mut database = SqliteConnection::connect("sqlite::memory:").await.unwrap();
    for script in pavise_kernel_sqlite::MIGRATIONS.sqlite.iter().map(|step| &step.sql).chain(scripts) {
        database.execute(sqlx::AssertSqlSafe((*script).to_owned())).await.unwrap();
    }
    let asked = "SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || c.pk
        FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'
        UNION SELECT tbl_name || ': ' || sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
    let rows = database.fetch_all(asked).await.unwrap();
    rows.into_iter().map(|row| nameless(&row.get::<String, _>(0))).collect()
}

async fn postgres(scripts: &[&str]) -> Schema {
    let mut database = PgConnection::connect(&pavise_testkit::postgres::make_database().await.unwrap()).await.unwrap();
    for script in pavise_kernel_postgres::MIGRATIONS.postgres.iter().map(|step| &step.sql).chain(scripts) {
        database.execute(sqlx::AssertSqlSafe((*script).to_owned())).await.unwrap();
    }
    let asked =
        "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(collation_name, '')
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION SELECT tablename || ': ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION SELECT relname || ' ' || reloptions::text FROM pg_class WHERE reloptions IS NOT NULL AND relkind = 'r'";
    let rows = database.fetch_all(asked).await.unwrap();
    rows.into_iter().map(|row| nameless(&row.get::<String, _>(0))).collect()
}

/// An index without its name, and without line breaks.
fn nameless(said: &str) -> String {
    let words: Vec<&str> = said.split_whitespace().collect();
    match words.iter().position(|word| *word == "INDEX") {
        Some(at) => words
            .iter()
            .enumerate()
            .filter(|(place, _)| *place != at + 1)
            .map(|(_, word)| *word)
            .collect::<Vec<_>>()
            .join(" "),
        None => words.join(" "),
    }
}
