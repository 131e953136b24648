//! One person's data in the whole platform: their export holds all that their erasure takes away, and nothing of it is in
//! the engine's files after that. The data of others stay, and an erasure that is killed and begun again ends the same.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod contents;
mod files;
mod receipt;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pavise::person::{Asker, erase, export, preview};
use pavise::wire::{Client, Surface};
use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use pavise_testapp::{Cut, Database, Engine, Platform, TestApp, stock};
use pavise_testkit::logs::{self, LogWatch};
use pavise_testkit::postgres::Postgres;
use serde_json::{Value, json};

/// The values of the buyer alone, in lower case.
const HERS: [&str; 14] = [
    "zelda",
    "quillfeather",
    "zq77",
    "5125550177",
    "heron wharf",
    "gretchen",
    "token-of-z",
    "asked for a form",
    "former@example.org",
    "wants a letter",
    "keeps bees",
    "whispers at night",
    "teapot-letter",
    "walnut desk",
];
/// The values of the spouse.
const HIS: [&str; 2] = ["ferdinand", "otherly"];

/// The telephone number of the buyer as one word of digits with its country's.
const HER_NUMBER: &str = "15125550177";

/// Fields that no answer has: digests, letters, and words of the values of other fields.
const SECRETS: [&str; 11] = [
    "searchWords",
    "nicknameWords",
    "soundWords",
    "soundPairs",
    "placeWords",
    "birthDay",
    "sealedLetter",
    "secretContent",
    "pendingDigest",
    "storageKey",
    "nameKey",
];

struct Scene {
    platform: Platform,
    staff: Client,
    machine: Client,
    /// The buyer.
    me: String,
    /// The spouse.
    him: String,
    plan: Value,
    _logs: LogWatch,
}

async fn good(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request.clone()).await.unwrap_or_else(|error| panic!("{name}: {error}\n{request}")).json
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

impl Scene {
    /// A couple with a plan, and all else that is kept of the buyer.
    async fn begin(engine: Engine, cut: Cut, database: &Database) -> Self {
        let logs = watch_logs();
        let platform = Platform::begin(engine, cut, database, |settings| settings).await.unwrap();
        stock(|domain| platform.app().channel(domain, &TestApp::machine())).await.unwrap();
        let app = platform.app();
        let client = Client::new(platform.addresses()[0], Surface::Grpc, &app.app.pool).unwrap();
        let (staff, machine) =
            (client.with_token(&app.token(&TestApp::staff())), client.with_token(&app.token(&TestApp::machine())));
        let wanted = json!({"realm": "User", "emails": ["Zelda.Quillfeather@example.com"], "usernames": ["zq77"],
            "password": "correct horse battery"});
        let me =
            text(&good(&machine.with("idempotency-key", "sign-up"), "identities.CreateIdentity", wanted).await["id"]);
        let member = client.with_token(&app.token(&TestApp::member(&me)));
        let plan = buy(&platform, &member, &me, "an order", &spouse()).await;
        let him = text(&plan["authorizedUsers"][0]["id"]);
        let scene = Self { platform, staff, machine, me, him, plan, _logs: logs };
        scene.fill(&member).await;
        scene
    }

    /// Notices, factors, states, notes, invitations, documents, addresses.
    async fn fill(&self, member: &Client) {
        let me = &self.me;
        let factor = json!({"identityId": me, "type": "SMS", "phoneNumber": "+15125550177"});
        good(member, "factors.CreateFactor", factor).await;
        let state = json!({"identityId": me, "application": "People"});
        let state = good(member, "user_state.CreateUserState", state).await;
        let token = json!({"identityId": me, "userStateId": state["id"], "token": "token-of-z", "platform": "WEB"});
        good(member, "user_state.AddDeviceToken", token).await;
        let note = json!({"orderId": self.plan["orderId"], "text": "She asked for a form"});
        good(&self.staff.with("idempotency-key", "a note"), "order_notes.CreateOrderNote", note).await;
        let gone = json!({"orderId": self.plan["orderId"], "text": "She wants a letter"});
        let gone = good(&self.staff, "order_notes.CreateOrderNote", gone).await;
        let gone = json!({"orderId": self.plan["orderId"], "orderNoteId": gone["id"]});
        good(&self.staff, "order_notes.DeleteOrderNote", gone).await;
        let invitee = json!({"name": "Gretchen", "email": "gretchen@example.org", "relationType": "DEPENDENT"});
        let invitation =
            json!({"identityId": me, "invitee": invitee, "resourceType": "ENTITLEMENT", "resourceId": self.plan["id"]});
        good(member, "invitations.CreateInvitation", invitation).await;
        contents::fill(self, member).await;
        let former = json!({"identityId": me, "email": "Former@example.org"});
        good(&self.machine, "identities.AddEmail", former).await;
        let known = async || {
            let identity = good(&self.staff, "identities.GetIdentity", json!({"identityId": me})).await;
            (identity["displayName"] == "Zelda Quillfeather").then_some(())
        };
        self.platform.app().eventually("she is known by her name", known).await;
    }

    fn asker(&self) -> Asker {
        Asker::new(self.machine.clone(), Duration::ZERO).unwrap()
    }

    async fn export(&self, identity: &str) -> Vec<Value> {
        export(&self.asker(), identity, &|_| {}).await.unwrap()
    }

    /// All leaves of the documents in the journals, opened, each with its journal, clock and path.
    async fn leaves(&self) -> BTreeSet<(String, String)> {
        let store = self.platform.app().app.kernel.store();
        let mut all = BTreeSet::new();
        for journal in pavise::journal::journals_of(&pavise::domains::every()) {
            let (entries, _) = store.journal(journal, "", 0, 10_000).await.unwrap();
            for entry in entries {
                let doc: Value = serde_json::from_str(&entry.doc).unwrap();
                find_leaves(&format!("{journal} {} ", entry.clock), &doc, &mut all);
            }
        }
        all
    }
}

/// The spouse on the order.
fn spouse() -> Value {
    json!([{"type": "SPOUSE", "firstName": "Ferdinand", "lastName": "Otherly", "email": "ferdinand@example.net",
        "birthDate": "1985-02-03"}])
}

/// An order of a plan, which nobody has paid. `key` is that of its call.
async fn order(member: &Client, me: &str, key: &str, people: &Value) -> Value {
    let order = json!({"channel": "BuyNow", "locality": "TX",
        "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}],
        "personalInfo": {"firstName": "Zelda", "lastName": "Quillfeather", "email": "zelda.quillfeather@example.com",
            "phoneNumber": "512 555 0177"},
        "address": {"address1": "17 Heron Wharf", "city": "Dallas", "locality": "TX", "postalCode": "75201"},
        "authorizedUsers": people});
    good(&member.with("idempotency-key", key), "orders.CreateOrder", json!({"identityId": me, "order": order})).await
}

/// Buys a plan with a card, and answers its entitlement.
async fn buy(platform: &Platform, member: &Client, me: &str, key: &str, people: &Value) -> Value {
    let order = order(member, me, key, people).await;
    let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Zelda Quillfeather"}});
    let add = json!({"identityId": me, "paymentMethod": card});
    let card = good(&member.with("idempotency-key", "a card"), "payment_methods.CreatePaymentMethod", add).await;
    let buy = json!({"identityId": me, "orderId": order["id"], "paymentMethodId": card["id"], "buyAgain": true});
    good(&member.with("idempotency-key", &format!("a sale of {key}")), "orders.PurchaseOrder", buy).await;
    let find = json!({"identityId": me, "orderId": order["id"]});
    let done = || async {
        let order = good(member, "orders.GetOrder", find.clone()).await;
        (order["status"] == "PROVISIONED").then_some(())
    };
    platform.app().eventually("the plan is set up", done).await;
    let plans = good(member, "entitlements.ListEntitlements", json!({"identityId": me})).await;
    plans["entitlements"][0].clone()
}

fn find_leaves(path: &str, value: &Value, found: &mut BTreeSet<(String, String)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| find_leaves(&format!("{path}[]"), item, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| find_leaves(&format!("{path}.{name}"), value, found));
        }
        Value::String(text) => _ = found.insert((path.to_owned(), text.clone())),
        other => _ = found.insert((path.to_owned(), other.to_string())),
    }
}

/// Watches the logs for the values of both, whatever their case: some are written in capitals, and most are short.
fn watch_logs() -> LogWatch {
    let logs = LogWatch::begin();
    let values = list_gone().into_iter().chain(HIS).chain([contents::HIS_CONTENT, HER_NUMBER]);
    values.for_each(logs::known_in_any_case);
    logs
}

/// The values of the buyer and the words of the buyer's files, which must be nowhere after the erasure.
fn list_gone() -> Vec<&'static str> {
    HERS.into_iter().chain([contents::HER_CONTENT]).collect()
}

/// The values of an export, in lower case.
fn said(values: &[Value]) -> String {
    values.iter().map(|value| format!("{}\n", text(&value["value"]))).collect::<String>().to_lowercase()
}

/// Erases the buyer, killed again and again: each time a little later.
async fn erase_killed(scene: &Scene) -> usize {
    let mut kills: usize = 0;
    loop {
        let (asker, steps, killed) = (scene.asker(), AtomicUsize::new(0), tokio::sync::Notify::new());
        let progress = |_: &str| {
            if steps.fetch_add(1, Ordering::SeqCst) == kills {
                killed.notify_one();
            }
        };
        tokio::select! {
            biased;
            () = killed.notified() => kills += 1 + kills / 4,
            done = erase(&asker, &scene.me, &progress) => {
                assert!(done.unwrap().key_destroyed);
                return kills;
            }
        }
    }
}

async fn run(engine: Engine, cut: Cut) {
    let cluster = (engine == Engine::Postgres).then(|| tokio::task::block_in_place(files::cluster));
    let database = match &cluster {
        Some(cluster) => {
            Database::at(tokio::task::block_in_place(|| Postgres::make_database(cluster)).unwrap()).unwrap()
        }
        None => Database::new(engine).await.unwrap(),
    };
    let scene = Scene::begin(engine, cut, &database).await;
    let (mine, his) = (scene.export(&scene.me).await, scene.export(&scene.him).await);
    let (hers_said, his_said) = (said(&mine), said(&his));
    for value in HERS {
        assert!(hers_said.contains(value), "{value} is not in her export: {hers_said}");
        assert!(!his_said.contains(value), "{value} is in his export: {his_said}");
    }
    for value in HIS {
        assert!(his_said.contains(value), "{value} is not in his export: {his_said}");
    }
    let before = (cut == Cut::Whole).then_some(scene.leaves().await);
    let counted = preview(&scene.asker(), &scene.me, &|_| {}).await.unwrap();
    assert!(!counted.erased && counted.services["orders"].entries > 3, "{counted:?}");
    assert_eq!(scene.export(&scene.me).await, mine, "a preview erases nothing");

    let backup = match engine {
        Engine::Sqlite => Some(files::back_up(&database, None).await),
        Engine::Postgres => None,
    };
    let kills = erase_killed(&scene).await;
    assert_eq!(scene.export(&scene.me).await, Vec::<Value>::new());
    assert_eq!(scene.export(&scene.him).await, his, "his data stay");
    let again = erase(&scene.asker(), &scene.me, &|_| {}).await.unwrap();
    // Workers may have made calls meanwhile, whose answers go.
    assert!(again.services.values().all(|counts| counts.entries == 0), "a repeat finds nothing: {again:?}");
    if let Some(before) = before {
        let after = scene.leaves().await;
        let secret = |path: &str| SECRETS.iter().any(|name| path.contains(name));
        for (path, value) in before.difference(&after).filter(|(path, _)| !secret(path)) {
            let exported = mine.iter().any(|one| one["value"].as_str() == Some(value));
            assert!(exported, "{value} at {path} is gone, and was not in her export");
        }
    }
    let plan = json!({"identityId": scene.me, "entitlementId": scene.plan["id"]});
    let plan = good(&scene.staff, "entitlements.GetEntitlement", plan).await;
    assert_eq!(plan["authorizedUsers"][0]["name"], "Ferdinand Otherly", "{plan}");
    assert_eq!((&plan["holderName"], &plan["status"]), (&json!(""), &json!("ACTIVE")), "{plan}");
    // Every journal is still what its replay gives.
    scene.platform.finish().await;
    contents::sweep(engine, cut, &database).await;
    files::search(&database, &list_gone(), &HIS).await;
    if let Some(backup) = backup {
        // An older backup is erased again before it serves: the list of the erased is among the keys.
        files::take_keys(&database, &backup).await;
        Platform::begin(engine, cut, &backup, |settings| settings).await.unwrap().finish().await;
        files::search(&backup, &list_gone(), &HIS).await;
    }
    drop(cluster);
    println!("{engine:?}: killed {kills} steps later and later");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_exported_and_erased_on_sqlite() {
    run(Engine::Sqlite, Cut::Whole).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_is_exported_and_erased_on_postgres_and_in_parts() {
    run(Engine::Postgres, Cut::Split).await;
}
