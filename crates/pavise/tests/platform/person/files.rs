//! Searches the files and the tables of a database for values that must not be there any more.

use std::fs;
use std::path::{Path, PathBuf};

use pavise_testapp::{Database, Engine};
use pavise_testkit::postgres::Postgres;
use regex::bytes::RegexBuilder;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection, Row as _, SqliteConnection,
};

/// A cluster of PostgreSQL that keeps no earlier bytes in files of its log that it uses anew.
pub(super) fn cluster() -> Postgres {
    let cluster = Postgres::start().unwrap();
    for setting in ["wal_recycle = off", "min_wal_size = '32MB'", "wal_init_zero = on"] {
        cluster.execute(&format!("ALTER SYSTEM SET {setting}")).unwrap();
    }
    cluster.execute("SELECT pg_reload_conf()").unwrap();
    cluster
}

/// Copies a database as a backup does. No platform runs on it.
pub(super) async fn back_up(from: &Database, cluster: Option<&Postgres>) -> Database {
    match cluster {
        None => {
            let to = Database::new(Engine::Sqlite).await.unwrap();
            copy_folder(from, &to).await;
            to
        }
        Some(cluster) => {
            let url = tokio::task::block_in_place(|| cluster.make_database()).unwrap();
            let name = |url: &str| url.rsplit('/').next().unwrap().to_owned();
            let (from, to) = (name(from.url()), name(&url));
            // The platform goes on, and would connect again before the copy begins.
            for sql in [
                format!("ALTER DATABASE {from} WITH ALLOW_CONNECTIONS false"),
                format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{from}'"),
                format!("DROP DATABASE {to}"),
                format!("CREATE DATABASE {to} TEMPLATE {from}"),
                format!("ALTER DATABASE {from} WITH ALLOW_CONNECTIONS true"),
            ] {
                tokio::task::block_in_place(|| cluster.execute(&sql)).unwrap();
            }
            Database::at(url).unwrap()
        }
    }
}

async fn copy_folder(from: &Database, to: &Database) {
    let (from, to) = (from.folder().unwrap(), to.folder().unwrap());
    let mut files = Vec::new();
    list_files(from, &mut files);
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "db")) {
        let mut connection: SqliteConnection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
        let copy = to.join(file.file_name().unwrap());
        let copied = format!("VACUUM INTO '{}'", copy.display());
        connection.execute(AssertSqlSafe(copied)).await.unwrap();
        connection.close().await.unwrap();
    }
}

/// Puts the keys of a platform beside a database that was restored.
pub(super) async fn take_keys(from: &Database, to: &Database) {
    if to.folder().is_none() {
        return copy_keys(from.url(), to.url()).await;
    }
    let mut files = Vec::new();
    list_files(from.folder().unwrap(), &mut files);
    for file in files.iter().filter(|file| file.to_string_lossy().contains(".keys")) {
        fs::copy(file, to.folder().unwrap().join(file.file_name().unwrap())).unwrap();
    }
}

async fn copy_keys(from: &str, to: &str) {
    let (mut from, mut to) = (PgConnection::connect(from).await.unwrap(), PgConnection::connect(to).await.unwrap());
    let rows = sqlx::query("SELECT name, master, wrapped, at FROM pavise_keys.sealed_key").fetch_all(&mut from);
    let rows = rows.await.unwrap();
    to.execute("TRUNCATE pavise_keys.sealed_key").await.unwrap();
    for row in rows {
        let add = sqlx::query("INSERT INTO pavise_keys.sealed_key (name, master, wrapped, at) VALUES ($1, $2, $3, $4)");
        let add = add.bind(row.get::<String, _>(0)).bind(row.get::<String, _>(1));
        add.bind(row.get::<Vec<u8>, _>(2)).bind(row.get::<i64, _>(3)).execute(&mut to).await.unwrap();
    }
}

/// Frees a database of earlier bytes: the databases of a cluster lie in one folder.
pub(super) async fn vacuum(database: &Database) {
    if database.folder().is_none() {
        vacuum_postgres(database.url()).await;
    }
}

/// Vacuums the database. Expects that its tables, its files and the stored contents have none of `gone`, and that the tables
/// have `kept`.
pub(super) async fn search(database: &Database, gone: &[&str], kept: &[&str]) {
    let (folder, rows) = match database.folder() {
        Some(folder) => (folder.to_owned(), vacuum_sqlite(folder).await),
        None => vacuum_postgres(database.url()).await,
    };
    for value in kept {
        assert!(rows.iter().any(|row| row.contains(value)), "{value} is in no row");
    }
    let mut files = Vec::new();
    list_files(&folder, &mut files);
    assert!(!files.is_empty());
    list_files(database.files(), &mut files);
    for value in gone {
        if let Some(row) = rows.iter().find(|row| row.contains(value)) {
            panic!("{value} is in the row {row}");
        }
    }
    let any = gone.iter().map(|value| regex::escape(value)).collect::<Vec<_>>().join("|");
    let any = RegexBuilder::new(&any).case_insensitive(true).unicode(false).build().unwrap();
    let mut bytes = 0;
    for file in files {
        let content = fs::read(&file).unwrap();
        bytes += content.len();
        let found = any.find(&content).map(|found| String::from_utf8_lossy(found.as_bytes()));
        assert_eq!(found, None, "in {}", file.display());
    }
    println!("{} rows and {bytes} bytes have none of {} values", rows.len(), gone.len());
}

/// A shorter run of digits is no text of a person.
const SHORTEST_RUN: usize = 8;

/// A row in lower case, with the texts of its bytes, which engines write in digits: `5A656C6461` is `zelda`.
fn read_row(row: &str) -> String {
    let mut text = row.to_lowercase();
    let runs = row.split(|letter: char| !letter.is_ascii_hexdigit()).filter(|run| run.len() >= SHORTEST_RUN);
    for run in runs {
        let pairs = run.as_bytes().chunks_exact(2).filter_map(|pair| std::str::from_utf8(pair).ok());
        let bytes: Vec<u8> = pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect();
        text.push(' ');
        text.push_str(&String::from_utf8_lossy(&bytes).to_lowercase());
    }
    text
}

/// The files of a folder and of those in it. A file may go meanwhile.
pub(super) fn list_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { list_files(&path, found) } else { found.push(path) }
    }
}

/// All rows of all tables, each with the texts of its bytes.
async fn vacuum_sqlite(folder: &Path) -> Vec<String> {
    let mut rows = Vec::new();
    let mut files = Vec::new();
    list_files(folder, &mut files);
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "db")) {
        let mut connection: SqliteConnection = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);").await.unwrap();
        let tables = sqlx::query("SELECT name FROM sqlite_master WHERE type = 'table'");
        for table in tables.fetch_all(&mut connection).await.unwrap() {
            let table: String = table.get(0);
            let columns = format!(
                "SELECT group_concat('quote(\"' || name || '\")', ' || ' || char(39) || ' ' || char(39) || ' || ') FROM pragma_table_info('{table}')"
            );
            let columns: String = sqlx::query_scalar(AssertSqlSafe(columns)).fetch_one(&mut connection).await.unwrap();
            let all = sqlx::query(AssertSqlSafe(format!("SELECT {columns} FROM \"{table}\"")));
            for row in all.fetch_all(&mut connection).await.unwrap() {
                rows.push(read_row(&format!("{table}: {}", row.get::<String, _>(0))));
            }
        }
        connection.close().await.unwrap();
    }
    rows
}

/// The folder with the files, and all rows of all tables, each with the texts of its bytes.
async fn vacuum_postgres(url: &str) -> (PathBuf, Vec<String>) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    // The statistics have frequent values; they lie in a table, too.
    connection.execute("VACUUM (FULL, ANALYZE)").await.unwrap();
    connection.execute("VACUUM FULL").await.unwrap();
    let mut rows = Vec::new();
    let tables = "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables \
                  WHERE schemaname NOT IN ('pg_catalog', 'information_schema') UNION ALL SELECT 'pg_catalog.pg_statistic'";
    for table in sqlx::query(tables).fetch_all(&mut connection).await.unwrap() {
        let table: String = table.get(0);
        let all = sqlx::query(AssertSqlSafe(format!("SELECT one::text FROM {table} one")));
        for row in all.fetch_all(&mut connection).await.unwrap() {
            rows.push(read_row(&format!("{table}: {}", row.get::<String, _>(0))));
        }
    }
    let folder: String = sqlx::query_scalar("SHOW data_directory").fetch_one(&mut connection).await.unwrap();
    // The log goes with the files that it is in.
    for _ in 0..2 {
        connection.execute("SELECT pg_switch_wal()").await.unwrap();
        connection.execute("CHECKPOINT").await.unwrap();
    }
    (folder.into(), rows)
}

#[test]
fn a_value_in_the_bytes_of_a_row_is_read_whatever_its_case() {
    // As SQLite writes them, and as PostgreSQL does.
    for row in ["docs: 'Ada' X'5A656C6461205175696C6C'", "docs: (Ada,\\x5a656c6461205175696c6c)"] {
        assert!(read_row(row).contains("zelda quill"), "{row}");
    }
    assert!(!read_row("docs: 1234567 zeld").contains("zelda"));
}
