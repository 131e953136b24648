//! An erasure that staff begin by the documented call, in a platform that stops again and again: it goes on where it stood,
//! the receipt says what there was, and nothing of the person is left. An older backup that is restored ends the same.

use std::time::Duration;

use pavise::person::{Asker, export};
use pavise::wire::{Client, Surface};
use pavise_testapp::{Cut, Database, Engine, Platform, TestApp, TestAppBuilder};
use pavise_testkit::postgres::Postgres;
use serde_json::{Value, json};

use super::{HIS, Scene, buy, contents, files, good, list_gone, order, text};

/// The platform after a restart, with new tokens.
struct Stage {
    platform: Platform,
    staff: Client,
    machine: Client,
}

impl Stage {
    async fn begin(engine: Engine, cut: Cut, database: &Database, works: bool) -> Self {
        let change = |settings: TestAppBuilder| if works { settings } else { settings.without_workers() };
        let platform = Platform::begin(engine, cut, database, change).await.unwrap();
        let app = platform.app();
        let client = Client::new(platform.addresses()[0], Surface::Grpc, &app.app.pool).unwrap();
        let (staff, machine) =
            (client.with_token(&app.token(&TestApp::staff())), client.with_token(&app.token(&TestApp::machine())));
        Self { platform, staff, machine }
    }

    /// The erasure of a person, once there is one.
    async fn find_erasure(&self, me: &str) -> Option<Value> {
        let found = self.staff.call("personal_data.GetPersonErasure", json!({"identityId": me})).await;
        found.ok().map(|answer| answer.json)
    }
}

/// The number of the steps that are recorded.
fn version(erasure: &Value) -> i64 {
    text(&erasure["version"]).parse().unwrap()
}

/// Three orders and two plans, one of them with the spouse; both plans have ended.
async fn shop(scene: &Scene) {
    let app = scene.platform.app();
    let client = Client::new(scene.platform.addresses()[0], Surface::Grpc, &app.app.pool).unwrap();
    let member = client.with_token(&app.token(&TestApp::member(&scene.me)));
    buy(&scene.platform, &member, &scene.me, "another order", &json!([])).await;
    order(&member, &scene.me, "a cart", &json!([])).await;
    let redact = json!({"identityId": scene.me, "reason": "letter of 2 May"});
    let refused = scene.staff.call("profiles.RedactPersonalInformation", redact).await.unwrap_err().to_string();
    for kind in ["subscriptions", "entitlements"] {
        assert!(refused.contains(kind), "{refused}");
    }
    let of = json!({"identityId": scene.me});
    let subscriptions = good(&scene.staff, "subscriptions.ListSubscriptions", of.clone()).await;
    for one in subscriptions["subscriptions"].as_array().unwrap() {
        let cancel =
            json!({"identityId": scene.me, "subscriptionId": one["id"], "reason": "DECEASED", "endPlans": true});
        good(&scene.staff, "subscriptions.CancelSubscription", cancel).await;
    }
    let ended = || async {
        let plans = good(&scene.staff, "entitlements.ListEntitlements", of.clone()).await;
        let plans = plans["entitlements"].as_array().unwrap().clone();
        assert_eq!(plans.len(), 2);
        plans.iter().all(|plan| plan["status"] == "CANCELLED").then_some(())
    };
    app.eventually("the plans end", ended).await;
    refuse_while_on_hold(scene).await;
}

/// A file on legal hold keeps its owner from being erased, and is named.
async fn refuse_while_on_hold(scene: &Scene) {
    let files = good(&scene.staff, "files.ListFiles", json!({"ownerId": scene.me})).await;
    let letter = files["files"].as_array().unwrap().iter().find(|file| file["name"] == "teapot-letter.txt").unwrap();
    let hold = |legal_hold: bool| json!({"fileId": letter["id"], "legalHold": legal_hold});
    good(&scene.staff, "files.SetLegalHold", hold(true)).await;
    let preview = json!({"identityId": scene.me});
    let preview = good(&scene.staff, "personal_data.PreviewPersonErasure", preview).await;
    let held = json!([{"kind": "files", "id": letter["id"], "onLegalHold": true}]);
    assert_eq!(preview["openRecords"], held, "{preview}");
    let redact = json!({"identityId": scene.me, "reason": "letter of 2 May"});
    let refused = scene.staff.call("profiles.RedactPersonalInformation", redact).await.unwrap_err().to_string();
    assert!(refused.contains("files on legal hold: 1"), "{refused}");
    good(&scene.staff, "files.SetLegalHold", hold(false)).await;
}

/// All in one process: a part that stopped does not give the others its keys, with which they check their journals.
async fn run(engine: Engine) {
    let cut = Cut::Whole;
    let cluster = (engine == Engine::Postgres).then(|| tokio::task::block_in_place(files::cluster));
    let database = match &cluster {
        Some(cluster) => {
            Database::at(tokio::task::block_in_place(|| Postgres::make_database(cluster)).unwrap()).unwrap()
        }
        None => Database::new(engine).await.unwrap(),
    };
    let scene = Scene::begin(engine, cut, &database).await;
    shop(&scene).await;
    let his = scene.export(&scene.him).await;
    let (me, him) = (scene.me.clone(), scene.him.clone());
    scene.platform.finish().await;
    let backup = files::back_up(&database, cluster.as_ref()).await;

    // Nobody works yet: the profile is blank with the answer, and the rest waits.
    let stage = Stage::begin(engine, cut, &database, false).await;
    let preview = good(&stage.staff, "personal_data.PreviewPersonErasure", json!({"identityId": me})).await;
    assert_eq!(preview["openRecords"], json!([]), "{preview}");
    let redact = json!({"identityId": me, "reason": "letter of 2 May"});
    let blank = good(&stage.staff, "profiles.RedactPersonalInformation", redact).await;
    assert_eq!((&blank["status"], &blank["displayName"]), (&json!("REDACTED"), &json!("")), "{blank}");
    let running = stage.find_erasure(&me).await.unwrap();
    assert_eq!(running["status"], "RUNNING", "{running}");
    stage.platform.finish().await;

    let erasure = finish_stopped(engine, &database, &me, version(&running)).await;
    assert!(erasure["keyDestroyedAt"].is_string(), "{erasure}");
    let services =
        |of: &Value| -> Vec<String> { of.as_array().unwrap().iter().map(|one| text(&one["service"])).collect() };
    let domains = erasure["domains"].as_array().unwrap();
    let receipt: Vec<String> = domains.iter().flat_map(|domain| services(&domain["services"])).collect();
    for service in ["orders", "entitlements", "identities", "payment_methods", "profiles", "provision"] {
        assert!(receipt.contains(&service.to_owned()), "{service} is not on the receipt: {receipt:?}");
    }
    let orders = domains.iter().find(|domain| domain["domain"] == "orders").unwrap();
    let counted = |service: &str| {
        let all = orders["services"].as_array().unwrap();
        all.iter().find(|one| one["service"] == service).unwrap_or_else(|| panic!("{orders}"))["entities"].clone()
    };
    assert!(text(&counted("orders")).parse::<i64>().unwrap() >= 3, "{orders}");

    let stage = Stage::begin(engine, cut, &database, true).await;
    let asker = Asker::new(stage.machine.clone(), Duration::ZERO).unwrap();
    assert_eq!(export(&asker, &me, &|_| {}).await.unwrap(), Vec::<Value>::new());
    assert_eq!(export(&asker, &him, &|_| {}).await.unwrap(), his, "his data stay");
    stage.platform.finish().await;
    contents::sweep(engine, cut, &database).await;
    restore(engine, (&database, &backup), (&me, &him), (&erasure, &his)).await;
    files::vacuum(&backup).await;
    files::search(&database, &list_gone(), &HIS).await;
    files::search(&backup, &list_gone(), &HIS).await;
    drop(cluster);
}

/// Lets the platform stop after some step, again and again, until the erasure is done. Answers the receipt.
async fn finish_stopped(engine: Engine, database: &Database, me: &str, mut known: i64) -> Value {
    let mut stops = 0;
    loop {
        let stage = Stage::begin(engine, Cut::Whole, database, true).await;
        let reached = known + stops;
        let goes_on = || async {
            let erasure = stage.find_erasure(me).await?;
            (version(&erasure) > reached || erasure["status"] == "DONE").then_some(erasure)
        };
        let erasure = stage.platform.app().eventually("the erasure goes on", goes_on).await;
        stops += 1;
        stage.platform.finish().await;
        if erasure["status"] == "DONE" {
            println!("{engine:?}: stopped {stops} times");
            return erasure;
        }
        known = version(&erasure);
    }
}

/// Restores an older backup, with the keys of now: the values are erased before it serves. What that leaves open is finished,
/// although the platform stops again and again. A further start changes nothing.
async fn restore(
    engine: Engine,
    (database, backup): (&Database, &Database),
    (me, him): (&str, &str),
    (first, his): (&Value, &[Value]),
) {
    files::take_keys(database, backup).await;
    let again = finish_stopped(engine, backup, me, 0).await;
    assert_eq!(again["origin"], "DESTROYED_KEY", "{again}");
    let second = |at: &Value| text(at)[..19].to_owned();
    assert!(second(&again["keyDestroyedAt"]) <= second(&first["keyDestroyedAt"]), "the first time: {again}");
    assert!(second(&again["startedAt"]) >= second(&first["endedAt"]), "{again}");
    let day = second(&again["keyDestroyedAt"])[..10].to_owned();
    assert!(text(&again["reason"]).contains(&format!("erased on {day}, and again")), "{again}");
    let domains = |erasure: &Value| -> Vec<(String, String)> {
        let all = erasure["domains"].as_array().unwrap().iter();
        all.map(|one| (text(&one["domain"]), text(&one["status"]))).collect()
    };
    assert_eq!(domains(&again), domains(first), "each domain is on the receipt");

    let of = json!({"identityId": me});
    let mut seen = Vec::new();
    for works in [false, true, false] {
        let stage = Stage::begin(engine, Cut::Whole, backup, works).await;
        let profile = good(&stage.staff, "profiles.GetProfile", of.clone()).await;
        assert_eq!((&profile["status"], &profile["displayName"]), (&json!("REDACTED"), &json!("")), "{profile}");
        let asker = Asker::new(stage.machine.clone(), Duration::ZERO).unwrap();
        assert_eq!(export(&asker, me, &|_| {}).await.unwrap(), Vec::<Value>::new());
        assert_eq!(export(&asker, him, &|_| {}).await.unwrap(), his, "his data stay");
        seen.push((profile, stage.find_erasure(me).await.unwrap()));
        stage.platform.finish().await;
    }
    assert!(seen.iter().all(|(profile, erasure)| *profile == seen[0].0 && *erasure == again), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_erase_a_member_and_get_a_receipt_on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_erase_a_member_and_get_a_receipt_on_postgres() {
    run(Engine::Postgres).await;
}
