//! The server is killed again and again while callers raise invoices. Their numbers have no gap.

use std::collections::{BTreeMap, BTreeSet};

use pavise::domains;
use pavise_kernel::time::Ids;
use pavise_testkit::postgres;
use serde_json::Value;

use crate::callers::Load;
use crate::server::Server;
use crate::{journals, run_size, turn};

#[tokio::test(flavor = "multi_thread")]
async fn numbers_have_no_gap_after_kills_of_the_server() {
    let _turn = turn().await;
    let folder = tempfile::tempdir().unwrap();
    let sqlite = format!("sqlite://{}", folder.path().join("pavise.db").display());
    for (name, database) in [("SQLite", sqlite), ("PostgreSQL", postgres::make_database().await.unwrap())] {
        killed(name, &database, run_size(4, 60)).await;
    }
}

async fn killed(name: &str, database: &str, kills: usize) {
    let dice = Ids::from_seed(9);
    let load = Load::start_as(64, |_, caller| caller.raising_invoices());
    let mut server = Server::start(database);
    for _ in 0..kills {
        load.at(&server.base);
        let burst = usize::try_from(dice.bits() % 200).unwrap();
        load.reach(load.count() + 50 + burst).await;
        server.kill();
        load.at("");
        server = Server::start(database);
    }
    load.at(&server.base);
    let failures = load.caller.failures();
    let acks = load.finish().await;
    server.kill();
    let store = journals::open(database).await;
    let number = |doc: &str| serde_json::from_str::<Value>(doc).unwrap()["number"].as_str().unwrap().to_owned();
    let table = domains::tables().find(|entry| entry.table.name == "invoices").unwrap().table;
    let mut series: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut kept = BTreeSet::new();
    for entry in journals::entries(&store, table.journal).await {
        let number = number(&entry.doc);
        series.entry(number[..7].to_owned()).or_default().push(number.clone());
        kept.insert((entry.entity_id, number));
    }
    for (series, numbers) in &series {
        let expected: Vec<String> = (1..=numbers.len()).map(|count| format!("{series}{count:06}")).collect();
        assert_eq!(*numbers, expected, "{name}: numbers follow the commits, without a gap");
    }
    let told: BTreeSet<(String, String)> = acks.iter().map(|ack| (ack.id.clone(), number(&ack.body))).collect();
    assert_eq!(told, kept, "{name}: each invoice was answered with the number that it has");
    journals::sound(&store).await;
    println!("{name}: {kills} kills, {} numbers, {failures} tries repeated, 0 gaps, 0 double", acks.len());
    assert!(failures > 0, "{name}: no kill met a write");
}
