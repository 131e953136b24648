//! Workers of all domains, the same on every surface and in every cut: listed, paused, activated, asked to run, and hidden
//! from all but staff.

use pavise::wire::{Client, Failure, Refusal, Surface};
use pavise_kernel::Caller;
use pavise_kernel::caller::Realm;
use pavise_testapp::TestApp;
use serde_json::{Value, json};

/// A timer that nothing else of the test waits for.
const TIMER: &str = "billing.expire_cards";
/// A worker that follows a journal.
const FOLLOWER: &str = "orders.sell_offers";

async fn refused(client: &Client, name: &str, request: Value) -> Refusal {
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => refusal,
        unexpected => panic!("{name}: {unexpected:?}"),
    }
}

fn of(worker: &str) -> Value {
    json!({"workerName": worker})
}

pub(crate) async fn check(app: &TestApp, client: &Client, surface: Surface) {
    let as_caller = |caller: &Caller| client.with_token(&app.token(caller));
    let staff = as_caller(&TestApp::staff());
    listed(&staff, surface).await;
    steered(app, &staff, surface).await;
    let others = [
        TestApp::member("a member"),
        TestApp::with_permissions(Realm::Partner, "a partner", &["*"]),
        TestApp::group_admin("an administrator", &["a group"]),
    ];
    for caller in &others {
        hidden(&as_caller(caller), surface).await;
    }
    let reader = TestApp::with_permissions(Realm::Internal, "a reader", &["identity.platform_workers.read"]);
    let reader = as_caller(&reader);
    reader.call("platform_workers.GetWorker", of(TIMER)).await.unwrap();
    let denied = refused(&reader, "platform_workers.PauseWorker", of(TIMER)).await;
    assert_eq!((denied.code.as_str(), denied.reason.as_str()), ("PERMISSION_DENIED", "PERMISSION_MISSING"));
}

/// Every domain has its workers in the list, with what they wait for.
async fn listed(staff: &Client, surface: Surface) {
    let list = staff.call("platform_workers.ListWorkers", json!({})).await.unwrap().json;
    assert_eq!(list["silentDomains"], json!([]), "{surface:?}: {list}");
    let workers = list["workers"].as_array().unwrap();
    for domain in pavise::domains::every() {
        assert!(workers.iter().any(|worker| worker["domain"] == json!(domain)), "{surface:?}: {domain} is missing");
    }
    let find = |name: &str| workers.iter().find(|worker| worker["name"] == json!(name)).unwrap();
    let (timer, follower) = (find(TIMER), find(FOLLOWER));
    assert_eq!((&timer["kind"], &timer["periodSeconds"]), (&json!("PERIOD"), &json!("600")), "{surface:?}: {timer}");
    assert_eq!((&follower["kind"], &follower["journal"]), (&json!("JOURNAL"), &json!("orders")), "{follower}");
    assert_eq!(follower["lagKnown"], json!(true), "{surface:?}: {follower}");
    let own = staff.call("platform_workers.ListWorkers", json!({"domain": "billing"})).await.unwrap().json;
    assert!(own["workers"].as_array().unwrap().iter().all(|worker| worker["domain"] == json!("billing")), "{own}");
    let failed = staff.call("platform_workers.ListFailedEntries", of(FOLLOWER)).await.unwrap().json;
    assert_eq!((&failed["failedEntries"], &failed["nextClock"]), (&json!([]), &json!("0")), "{surface:?}: {failed}");
}

async fn steered(app: &TestApp, staff: &Client, surface: Surface) {
    let because = |note: &str| json!({"workerName": TIMER, "note": note});
    let dry = staff.with("pavise-validate-only", "true");
    let looked = dry.call("platform_workers.PauseWorker", because("no")).await.unwrap().json;
    assert_eq!(looked["status"], json!("ACTIVE"), "{surface:?}: a dry run pauses nothing");
    let paused = staff.call("platform_workers.PauseWorker", because("a repair")).await.unwrap().json;
    assert_eq!((&paused["status"], &paused["note"]), (&json!("PAUSED"), &json!("a repair")), "{surface:?}: {paused}");
    assert_eq!(paused["steeredBy"], json!("staff"), "{surface:?}: {paused}");
    let again = staff.call("platform_workers.PauseWorker", because("another")).await.unwrap().json;
    assert_eq!(again["note"], json!("a repair"), "{surface:?}: the first one counts");
    let trigger = refused(staff, "platform_workers.TriggerWorker", of(TIMER)).await;
    assert_eq!((trigger.code.as_str(), trigger.reason.as_str()), ("FAILED_PRECONDITION", "WORKER_PAUSED"));
    let active = staff.call("platform_workers.ActivateWorker", because("done")).await.unwrap().json;
    assert_eq!(active["status"], json!("ACTIVE"), "{surface:?}: {active}");

    let before = active["startedAt"].clone();
    staff.call("platform_workers.TriggerWorker", of(TIMER)).await.unwrap();
    app.eventually("the run that was asked for", || async {
        let worker = staff.call("platform_workers.GetWorker", of(TIMER)).await.unwrap().json;
        let is_done = worker["startedAt"] != before && !worker["endedAt"].is_null() && worker["triggeredAt"].is_null();
        is_done.then(|| assert_eq!(worker["cause"], json!(""), "{surface:?}: {worker}"))
    })
    .await;
    let untimed = refused(staff, "platform_workers.TriggerWorker", of(FOLLOWER)).await;
    assert_eq!((untimed.code.as_str(), untimed.reason.as_str()), ("FAILED_PRECONDITION", "WORKER_NOT_TIMED"));
    for (name, request) in [
        ("platform_workers.GetWorker", of("billing.nothing")),
        ("platform_workers.PauseWorker", of("nowhere.at_all")),
        ("platform_workers.ReplayFailedEntry", json!({"workerName": FOLLOWER, "clock": "999999"})),
    ] {
        assert_eq!(refused(staff, name, request).await.code, "NOT_FOUND", "{surface:?}: {name}");
    }
    let bad = refused(staff, "platform_workers.GetWorker", of("No worker")).await;
    assert_eq!((bad.reason.as_str(), &*bad.fields), ("INVALID_FIELD", &["workerName".to_owned()][..]), "{surface:?}");

    let journal = staff.call("platform_workers.ReadJournal", json!({"limit": 200})).await.unwrap().json;
    let actions: Vec<&str> =
        journal["entries"].as_array().unwrap().iter().filter_map(|entry| entry["action"].as_str()).collect();
    let last = actions.rchunks(3).next().unwrap_or_default();
    assert_eq!(last, ["PAUSED", "ACTIVATED", "TRIGGERED"], "{surface:?}: only what changed something is on record");
}

/// Others learn nothing, also not which names there are.
async fn hidden(other: &Client, surface: Surface) {
    for name in [
        "ListWorkers",
        "GetWorker",
        "ListFailedEntries",
        "PauseWorker",
        "ActivateWorker",
        "TriggerWorker",
        "ReplayParkedEntries",
        "ReadJournal",
    ] {
        let request = if ["ListWorkers", "ReadJournal"].contains(&name) { json!({}) } else { of(TIMER) };
        let denied = refused(other, &format!("platform_workers.{name}"), request).await;
        assert_eq!(denied.code, "PERMISSION_DENIED", "{surface:?}: {name}: {denied}");
        assert!(!denied.to_string().contains("expire_cards"), "{surface:?}: {name}: {denied}");
    }
}
