//! Looking into a database from beside makes nothing there, and what is written meanwhile does not look wrong.

use pavise::{domains, engine, journal};
use pavise_testkit::postgres::Postgres;

use crate::callers::Load;
use crate::server::Server;
use crate::{journals, run_size, turn};

#[tokio::test(flavor = "multi_thread")]
async fn journals_are_verified_while_they_are_written() {
    let _turn = turn().await;
    let looks = run_size(10, 100);
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let server = Server::start(&database);
    let load = Load::start(8);
    load.at(&server.base);
    let store = journals::open(&database).await;
    let (mut grew, mut entries) = (0, 0);
    for look in 0..looks {
        load.reach(load.count() + 50).await;
        let verdict = journal::verify(&store, journals::METHODS, false).await.unwrap();
        assert!(verdict.problems.is_empty(), "look {look}: {:#?}", verdict.problems);
        grew += i64::from(store.head(journals::METHODS).await.unwrap().clock > verdict.entries);
        entries = verdict.entries;
    }
    load.finish().await;
    println!(
        "{looks} verifications while 8 callers wrote, the last of {entries} entries: {grew} journals grew meanwhile, 0 problems"
    );
    assert!(grew > 0, "nothing was written meanwhile");
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_makes_no_tables() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = tokio::task::block_in_place(|| Postgres::start().unwrap());
    let all = domains::migrations(&domains::every());
    let file = format!("sqlite://{}", folder.path().join("orders.db").display());
    assert!(engine::look(&file, &all).await.is_err(), "there is nothing to look at");
    for database in [file, tokio::task::block_in_place(|| postgres.make_database().unwrap())] {
        engine::open(&database, 2, &domains::migrations(&["orders".to_owned()])).await.unwrap();
        for _ in 0..2 {
            assert_eq!(engine::look(&database, &all).await.unwrap().1, ["orders"]);
        }
    }
}
