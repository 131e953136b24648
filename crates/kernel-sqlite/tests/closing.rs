//! A closed store leaves one file in its folder, and other processes may read it meanwhile.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use pavise_kernel::conformance::tables::MIGRATIONS;
use pavise_kernel::store::Store;
use pavise_kernel_sqlite::SqliteStore;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &[&MIGRATIONS]).await.unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_store_is_one_file_that_can_be_copied() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.db");
    let store = open(&path).await;
    let head = store.head("things").await.unwrap();
    assert!(store.lease("worker", "holder", Duration::from_secs(60)).await.unwrap());
    assert!(std::fs::metadata(folder.path().join("one.db-wal")).unwrap().len() > 0, "all is in the file anyway");
    store.release("worker", "holder").await.unwrap();
    store.close().await.unwrap();
    assert_eq!(files(folder.path()), ["one.db"]);
    let copy = folder.path().join("copy.db");
    std::fs::copy(&path, &copy).unwrap();
    assert_eq!(open(&copy).await.head("things").await.unwrap(), head);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_goes_on_and_closes_last() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shared.db");
    let (first, second) = (open(&path).await, open(&path).await);
    let head = first.head("things").await.unwrap();
    // A reader in the middle of its work prevents emptying the log.
    let mut reader = SqliteConnectOptions::new().filename(&path).read_only(true).connect().await.unwrap();
    let mut reading = reader.begin().await.unwrap();
    let read = sqlx::query("SELECT * FROM journal_counter").fetch_all(&mut *reading).await.unwrap();
    assert!(first.lease("other", "holder", Duration::from_secs(60)).await.unwrap());
    let began = Instant::now();
    first.close().await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(second.head("things").await.unwrap(), head);
    assert!(second.lease("worker", "holder", Duration::from_secs(60)).await.unwrap(), "it writes too");
    assert_eq!(sqlx::query("SELECT * FROM journal_counter").fetch_all(&mut *reading).await.unwrap().len(), read.len());
    reading.rollback().await.unwrap();
    reader.close().await.unwrap();
    second.close().await.unwrap();
    assert_eq!(files(folder.path()), ["shared.db"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_may_read_what_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("private.db");
    let store = open(&path).await;
    assert!(store.lease("worker", "holder", Duration::from_secs(60)).await.unwrap());
    let names = files(folder.path());
    assert_eq!(names.len(), 4, "the database, its log, the log's index, and that the process is there: {names:?}");
    for name in names {
        let mode = std::fs::metadata(folder.path().join(&name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    store.close().await.unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    open(&path).await.close().await.unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640, "what somebody gave it stays");
}
