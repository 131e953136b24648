//! The workers of all domains: their rules can be read, and what they could not handle is listed and replayed.
#![expect(clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeSet;
use std::time::Duration;

use pavise::domains;
use pavise_kernel::domain::Settings;
use pavise_kernel::schedule::Schedule;
use pavise_kernel::store::{Cursor, FailedEntry};
use pavise_kernel::worker::JournalFeed;
use pavise_testapp::{Engine, TestApp};
use serde_json::json;

const WORKER: &str = "orders.sell_offers";
const HELD: Duration = Duration::from_secs(600);

#[test]
fn every_calendar_rule_of_every_domain_can_be_read() {
    let settings = Settings::default().with(pavise_identity::Config::for_tests());
    let mut names = BTreeSet::new();
    for domain in domains::DOMAINS {
        let name = domain.declared().name;
        for worker in domain.workers(&settings).unwrap() {
            assert_eq!(worker.name().split_once('.').unwrap().0, name, "a worker's name begins with its domain");
            assert!(names.insert(worker.name()), "{} is there twice", worker.name());
            if let JournalFeed::Calendar { rule, zone } = worker.feed() {
                let schedule = Schedule::parse(rule, zone);
                assert!(schedule.is_ok(), "{}: {schedule:?}", worker.name());
            }
        }
        assert!(domain.declared().worker_calls.is_some(), "{name} has no domain_worker_service.proto");
    }
}

async fn failed_entries_are_listed_and_replayed(engine: Engine) {
    let app = TestApp::on(engine).without_workers().start().await.unwrap();
    let store = app.app.kernel.store().clone();
    assert!(store.lease(WORKER, "a test", HELD).await.unwrap());
    let aside = |clock: i64| FailedEntry {
        worker: WORKER.into(),
        clock,
        entity_id: format!("order-{clock}"),
        attempts: 3,
        next_at: app.now(),
        cause: "STATUS_NOT_ALLOWED: the order is CANCELLED".into(),
        parked: clock != 2,
        entry: Vec::new(),
    };
    let all: Vec<FailedEntry> = (1..=4).map(aside).collect();
    assert!(store.advance(WORKER, "a test", &Cursor { clock: 4, epoch: "e".into() }, &all).await.unwrap());

    let staff = app.rest(&TestApp::staff());
    let path = format!("/v1/workers/{WORKER}");
    let worker = staff.get(&path).await.expect(200);
    assert_eq!((&worker["parkedCount"], &worker["retriedCount"]), (&json!("3"), &json!("1")), "{worker}");
    let page = staff.get(&format!("{path}/failedEntries?pageSize=3")).await.expect(200);
    let first = &page["failedEntries"][0];
    assert_eq!((&first["clock"], &first["entityId"], &first["parked"]), (&json!("1"), &json!("order-1"), &json!(true)));
    assert_eq!(
        (&first["cause"], &first["attempts"]),
        (&json!("STATUS_NOT_ALLOWED: the order is CANCELLED"), &json!(3))
    );
    assert_eq!(page["nextClock"], json!("3"), "{page}");
    let rest = staff.get(&format!("{path}/failedEntries?pageSize=3&afterClock=3")).await.expect(200);
    assert_eq!((&rest["failedEntries"][0]["clock"], &rest["nextClock"]), (&json!("4"), &json!("0")), "{rest}");

    let worker = staff.post(&format!("{path}/replay"), json!({"clock": "1"})).await.expect(200);
    assert_eq!(worker["parkedCount"], json!("2"), "{worker}");
    let worker = staff.post(&format!("{path}/replayParked"), json!({})).await.expect(200);
    assert_eq!((&worker["parkedCount"], &worker["retriedCount"]), (&json!("0"), &json!("4")), "{worker}");
    let _ = staff.post(&format!("{path}/replayParked"), json!({})).await.expect(200);
    let _ = staff.post(&format!("{path}/replay"), json!({"clock": "9"})).await.expect(404);
    let journal = staff.get("/v1/workers/journal").await.expect(200);
    let replayed: Vec<_> =
        journal["entries"].as_array().unwrap().iter().map(|one| &one["entity"]["replayed"]).collect();
    assert_eq!(replayed, [&json!("1"), &json!("2")], "what changed nothing is not on record: {journal}");
    assert_eq!(journal["entries"][0]["actor"], json!("staff"), "{journal}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_entries_are_listed_and_replayed_on_sqlite() {
    failed_entries_are_listed_and_replayed(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_entries_are_listed_and_replayed_on_postgres() {
    failed_entries_are_listed_and_replayed(Engine::Postgres).await;
}
