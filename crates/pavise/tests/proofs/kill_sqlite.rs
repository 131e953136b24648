//! The server is killed again and again while callers write to SQLite.

use pavise_kernel::time::Ids;

use crate::callers::{Load, wait_until_settled};
use crate::server::Server;
use crate::{journals, run_size, turn};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_a_kill_of_the_server() {
    let _turn = turn().await;
    let kills = run_size(25, 200);
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}", folder.path().join("pavise.db").display());
    let dice = Ids::from_seed(1);
    let load = Load::start(12);
    let mut server = Server::start(&database);
    load.at(&server.base);
    for _ in 0..kills {
        let before = load.count();
        let burst = usize::try_from(dice.bits() % 80).unwrap();
        load.reach(before + 10 + burst).await;
        server.kill();
        load.at("");
        let acks = load.since(before);
        server = Server::start(&database);
        load.at(&server.base);
        assert_eq!(load.caller.lost(&acks).await, 0, "acknowledged before the kill, not there after it");
    }
    let failures = load.caller.failures();
    let acks = load.finish().await;
    server.kill();
    let entries = wait_until_settled(&journals::open(&database).await, &acks).await;
    println!(
        "SQLite: {kills} kills, {} acknowledged writes, {failures} tries repeated, 0 lost, 0 double, {entries} journal entries, journals sound",
        acks.len()
    );
    assert!(failures > 0, "no kill met a write");
}
