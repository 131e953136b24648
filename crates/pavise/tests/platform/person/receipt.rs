//! An erasure that staff begin by the documented call, in a platform that stops again and again: it goes on where it stood,
//! the receipt says what there was, and nothing of the person is left.

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

    async fn erasure(&self, me: &str) -> Value {
        good(&self.staff, "personal_data.GetPersonErasure", json!({"identityId": me})).await
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
    let backup = Database::new(engine).await.unwrap();
    if engine == Engine::Sqlite {
        files::back_up(&database, &backup).await;
    }

    // Nobody works yet: the profile is blank with the answer, and the rest waits.
    let stage = Stage::begin(engine, cut, &database, false).await;
    let preview = good(&stage.staff, "personal_data.PreviewPersonErasure", json!({"identityId": me})).await;
    assert_eq!(preview["openRecords"], json!([]), "{preview}");
    let redact = json!({"identityId": me, "reason": "letter of 2 May"});
    let blank = good(&stage.staff, "profiles.RedactPersonalInformation", redact).await;
    assert_eq!((&blank["status"], &blank["displayName"]), (&json!("REDACTED"), &json!("")), "{blank}");
    let mut erasure = stage.erasure(&me).await;
    assert_eq!(erasure["status"], "RUNNING", "{erasure}");
    stage.platform.finish().await;

    // The platform stops after some step, again and again.
    let mut stops = 0;
    while erasure["status"] != "DONE" {
        let stage = Stage::begin(engine, cut, &database, true).await;
        let reached = version(&erasure) + stops;
        let goes_on = || async {
            let erasure = stage.erasure(&me).await;
            (version(&erasure) > reached || erasure["status"] == "DONE").then_some(erasure)
        };
        erasure = stage.platform.app().eventually("the erasure goes on", goes_on).await;
        stops += 1;
        stage.platform.finish().await;
    }
    println!("{engine:?}: stopped {stops} times");
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
    files::search(&database, &list_gone(), &HIS).await;
    if engine == Engine::Sqlite {
        // An older backup is erased again before it serves.
        files::take_keys(&database, &backup);
        Platform::begin(engine, cut, &backup, |settings| settings).await.unwrap().finish().await;
        files::search(&backup, &list_gone(), &HIS).await;
    }
    drop(cluster);
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_erase_a_member_and_get_a_receipt_on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_erase_a_member_and_get_a_receipt_on_postgres() {
    run(Engine::Postgres).await;
}
