//! PostgreSQL goes down as in a crash while callers write; the server stays.

use std::time::{Duration, Instant};

use pavise_testkit::postgres::Postgres;

use crate::callers::{Load, until, wait_until_settled};
use crate::server::Server;
use crate::{journals, run_size, turn};

/// How soon writes must succeed after PostgreSQL admits connections.
const BACK: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_crash_of_postgresql() {
    let _turn = turn().await;
    let crashes = run_size(5, 40);
    let postgres = tokio::task::block_in_place(|| Postgres::start().unwrap());
    let database = tokio::task::block_in_place(|| postgres.make_database().unwrap());
    let server = Server::start(&database);
    let load = Load::start(8);
    load.at(&server.base);
    let mut slowest = Duration::ZERO;
    for _ in 0..crashes {
        let before = load.count();
        load.reach(before + 60).await;
        let failures = load.caller.failures();
        tokio::task::block_in_place(|| postgres.stop_immediate().unwrap());
        until("a write notices", || load.caller.failures() > failures).await;
        let down = load.count();
        tokio::task::block_in_place(|| postgres.start_again().unwrap());
        let accepts = Instant::now();
        load.reach(down + 1).await;
        let back = load.since(down)[0].at.saturating_duration_since(accepts);
        assert!(back <= BACK, "the first write after the crash took {back:?}: {:#?}", server.said());
        slowest = slowest.max(back);
        let acks = load.since(before);
        assert_eq!(load.caller.lost(&acks).await, 0, "acknowledged before the crash, not there after it");
    }
    let failures = load.caller.failures();
    let acks = load.finish().await;
    drop(server);
    let entries = wait_until_settled(&journals::open(&database).await, &acks).await;
    println!(
        "PostgreSQL: {crashes} crashes, {} acknowledged writes, {failures} tries repeated, 0 lost, 0 double, writes again after {} ms at most, {entries} journal entries, journals sound",
        acks.len(),
        slowest.as_millis()
    );
}
