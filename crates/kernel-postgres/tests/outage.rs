//! A crash of the server loses no acknowledged command, and writes continue as soon as it is back.

#![expect(clippy::panic, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pavise_kernel::committer::{CommitError, Committer, Options};
use pavise_kernel::conformance::tables::{MIGRATIONS, THING};
use pavise_kernel::conformance::things::{SampleEntity, journal_of, new_command, with_record};
use pavise_kernel::store::{Command, Outcome, Store};
use pavise_kernel_postgres::PostgresStore;
use pavise_testkit::postgres;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

fn create(id: &str) -> Command {
    with_record(new_command(vec![SampleEntity::new(id).create()]), id, "request")
}

/// The results of one submitter's commands.
#[derive(Default)]
struct Tally {
    acknowledged: Vec<String>,
    failed: Vec<String>,
    unknown: Vec<String>,
}

async fn submit(committer: Committer, name: usize, stop: Arc<AtomicBool>) -> Tally {
    let mut tally = Tally::default();
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        let id = format!("{name:02}-{number:05}");
        match committer.submit(create(&id)).await {
            Ok(Outcome::Committed(_)) => tally.acknowledged.push(id),
            Err(CommitError::Failed(_)) => tally.failed.push(id),
            Err(CommitError::Unknown(_)) => tally.unknown.push(id),
            other => panic!("{other:?}"),
        }
        if tally.failed.last().is_some() {
            sleep(Duration::from_millis(5)).await;
        }
    }
    tally
}

/// The server crashes three times under 16 submitters.
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_loses_nothing_and_writing_goes_on_within_a_second() {
    let cluster = Arc::new(postgres::Postgres::start().unwrap());
    let url = cluster.make_database().unwrap();
    let store: Arc<dyn Store> = Arc::new(PostgresStore::connect(&url, 12, &[&MIGRATIONS]).await.unwrap());
    let committer = Committer::start(store.clone(), Options::default());
    let stop = Arc::new(AtomicBool::new(false));
    let mut submitters = JoinSet::new();
    for name in 0..16 {
        submitters.spawn(submit(committer.clone(), name, stop.clone()));
    }
    for crash in 0..3 {
        sleep(Duration::from_millis(500)).await;
        let down = cluster.clone();
        tokio::task::spawn_blocking(move || down.stop_immediate()).await.unwrap().unwrap();
        sleep(Duration::from_millis(300)).await;
        assert!(store.ping().await.is_err());
        let up = cluster.clone();
        tokio::task::spawn_blocking(move || up.start_again()).await.unwrap().unwrap();
        let back = Instant::now();
        timeout(Duration::from_secs(10), async {
            while committer.submit(create(&format!("after-{crash}"))).await.is_err() {
                sleep(Duration::from_millis(10)).await;
            }
        })
        .await
        .unwrap();
        println!("crash {crash}: writing again after {:?}", back.elapsed());
        assert!(back.elapsed() < Duration::from_secs(1), "{:?}", back.elapsed());
    }
    stop.store(true, Ordering::SeqCst);
    let tallies = submitters.join_all().await;
    let all = |of: fn(&Tally) -> &Vec<String>| tallies.iter().flat_map(of).cloned().collect::<Vec<_>>();
    let (acknowledged, failed, unknown) = (all(|t| &t.acknowledged), all(|t| &t.failed), all(|t| &t.unknown));

    assert_eq!(
        store.get_many(&THING, &acknowledged).await.unwrap().len(),
        acknowledged.len(),
        "nothing acknowledged is lost"
    );
    assert!(store.get_many(&THING, &failed).await.unwrap().is_empty(), "what failed was not written");
    let late = store.get_many(&THING, &unknown).await.unwrap().len();
    for id in &unknown {
        let again = committer.submit(create(id)).await.unwrap();
        assert!(matches!(again, Outcome::Committed(_) | Outcome::Replayed(_)), "a repeat is safe: {again:?}");
    }
    let entries = journal_of(&store, "things").await.len();
    assert_eq!(entries, acknowledged.len() + unknown.len() + 3);
    assert!(!acknowledged.is_empty() && !failed.is_empty());
    println!(
        "{} acknowledged, 0 lost; {} failed, 0 written; {} unknown, of which {late} were written; {entries} entries, 0 gaps",
        acknowledged.len(),
        failed.len(),
        unknown.len()
    );
}

/// Hints arrive again after the server was away.
#[tokio::test(flavor = "multi_thread")]
async fn hints_come_back() {
    let cluster = postgres::Postgres::start().unwrap();
    let url = cluster.make_database().unwrap();
    let here = PostgresStore::connect(&url, 6, &[&MIGRATIONS]).await.unwrap();
    let there: Arc<dyn Store> = Arc::new(PostgresStore::connect(&url, 6, &[&MIGRATIONS]).await.unwrap());
    let mut hints = here.hints().unwrap();
    tokio::task::block_in_place(|| {
        cluster.stop_immediate().unwrap();
        cluster.start_again().unwrap();
    });
    let heard = timeout(Duration::from_secs(20), async {
        for number in 0.. {
            there.commit(&[create(&format!("{number}"))]).await.unwrap();
            if let Ok(hint) = timeout(Duration::from_millis(200), hints.recv()).await {
                return hint.unwrap();
            }
        }
        String::new()
    });
    assert_eq!(heard.await.unwrap(), "things");
}

/// A server that was made read-only still reads; it takes writes again as soon as it may.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_server_is_not_writable() {
    let cluster = postgres::Postgres::start().unwrap();
    let url = cluster.make_database().unwrap();
    let store = PostgresStore::connect(&url, 6, &[&MIGRATIONS]).await.unwrap();
    store.check_writable().await.unwrap();
    let reload = |sql: &str| {
        cluster.execute(sql).unwrap();
        cluster.execute("SELECT pg_reload_conf()").unwrap();
    };
    reload("ALTER SYSTEM SET default_transaction_read_only = on");
    // A session reads the new configuration with one of its next statements.
    let told = async { while store.check_writable().await.is_ok() {} };
    timeout(Duration::from_secs(10), told).await.unwrap();
    store.ping().await.unwrap();
    reload("ALTER SYSTEM RESET default_transaction_read_only");
    let well = async { while store.check_writable().await.is_err() {} };
    timeout(Duration::from_secs(10), well).await.unwrap();
}
