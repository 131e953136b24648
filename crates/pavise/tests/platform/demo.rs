//! The demonstration's data: every story ends as documented, the many are like those whose story was told, sign-ins
//! work, and a second start changes nothing.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::time::Duration;

use pavise::journal::journals;
use pavise::settings::{Given, Settings};
use pavise::{demo, domains};
use pavise_billing::contract::v1::Invoice;
use pavise_catalog::demo::GROUP;
use pavise_fulfillment::contract::v1::{Entitlement, Provision};
use pavise_groups::contract::v1::{Employee, Group, GroupEnrollment, Launch};
use pavise_identity::contract::v1::Identity;
use pavise_kernel::common::v1::{JournalEntry, ReadJournalRequest};
use pavise_kernel::domain;
use pavise_kernel::store::Cursor;
use pavise_kernel::time::to_date;
use pavise_kernel::worker::{JournalFeed, decode_entity};
use pavise_kernel::{Aggregate, TableEntry};
use pavise_members::contract::v1::{Amendment, AutoComment, Business, Note};
use pavise_messaging::contract::v1::NotificationStatus;
use pavise_orders::contract::v1::{BenefitCohort, Cohort, Order, OrderNote};
use pavise_testapp::{Engine, TestApp, stock};
use pavise_testkit::runs::run_size;
use serde_json::{Value, json};

fn settings(members: u32) -> Settings {
    Given { key_secret: Some("a secret of this test only".to_owned()), demo_members: Some(members), ..Given::default() }
        .decide()
        .unwrap()
}

/// All documents of a table.
async fn rows(app: &TestApp, table: &str) -> Vec<Value> {
    let entry: &TableEntry = app.app.kernel.tables().iter().find(|entry| entry.table.name == table).unwrap();
    let (mut all, mut after) = (Vec::new(), String::new());
    loop {
        let page = app.app.kernel.store().scan(entry.table, &after, 1000).await.unwrap();
        let Some(last) = page.last() else { return all };
        after.clone_from(&last.id);
        all.extend(page.iter().map(|row| serde_json::from_str::<Value>(&row.doc).unwrap()));
    }
}

async fn statuses(app: &TestApp, table: &str) -> BTreeMap<String, usize> {
    let mut statuses = BTreeMap::new();
    for row in rows(app, table).await {
        *statuses.entry(row["status"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    statuses
}

/// Waits until each worker has read its journal to the end: profiles are made and filled after the stories.
async fn wait_for_workers(app: &TestApp) {
    let settings = domain::Settings::default().with(pavise_identity::Config::for_tests());
    let workers = domains::DOMAINS.into_iter().flat_map(|domain| domain.workers(&settings).unwrap());
    let feeds: Vec<(&'static str, &'static str)> = workers
        .filter_map(|worker| match worker.feed() {
            JournalFeed::Journal { service, .. } => Some((worker.name(), service)),
            JournalFeed::Every(_) | JournalFeed::Calendar { .. } => None,
        })
        .collect();
    let store = app.app.kernel.store();
    // One worker's writes are another one's entries.
    for _ in 0..3 {
        for (worker, journal) in &feeds {
            let has_read = async || {
                let (cursor, head) = (store.cursor(worker).await.unwrap(), store.head(journal).await.unwrap());
                (cursor.clock >= head.clock).then_some(())
            };
            app.eventually(worker, has_read).await;
        }
    }
}

async fn heads(app: &TestApp) -> Vec<i64> {
    wait_for_workers(app).await;
    let mut heads = Vec::new();
    for journal in journals() {
        heads.push(app.app.kernel.store().head(journal).await.unwrap().clock);
    }
    heads
}

fn counted(expected: &[(&str, usize)]) -> BTreeMap<String, usize> {
    expected.iter().map(|(status, count)| ((*status).to_owned(), *count)).collect()
}

/// Checks that the rules of an entity hold.
fn sound<A: Aggregate>(entry: &JournalEntry) {
    if let Some(found) = decode_entity::<A>(entry).unwrap() {
        found.check().unwrap();
    }
}

/// Reads every journal as workers and callers do.
async fn readable(app: &TestApp) {
    for journal in journals() {
        let mut clock = 0;
        loop {
            let ask = ReadJournalRequest { clock, limit: 1000, ..ReadJournalRequest::default() };
            let page = app.app.kernel.journal_page(journal, &ask).await.unwrap();
            if page.entries.is_empty() {
                break;
            }
            clock = page.clock;
            for entry in &page.entries {
                sound::<Identity>(entry);
                sound::<Order>(entry);
                sound::<OrderNote>(entry);
                sound::<Invoice>(entry);
                sound::<Entitlement>(entry);
                sound::<Provision>(entry);
                sound::<Note>(entry);
                sound::<Amendment>(entry);
                sound::<AutoComment>(entry);
                sound::<BenefitCohort>(entry);
                sound::<Cohort>(entry);
                sound::<Group>(entry);
                sound::<Launch>(entry);
                sound::<Employee>(entry);
                sound::<GroupEnrollment>(entry);
                sound::<Business>(entry);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_story_ends_as_documented_and_a_second_start_changes_nothing() {
    let app = TestApp::start().await.unwrap();
    demo::load(&app.app, &settings(60)).await.unwrap();
    app.eventually("the employees and their enrollments", || async {
        let enrollments = statuses(&app, "group_enrollments").await;
        let employees = statuses(&app, "employees").await;
        let enrolled = counted(&[("ELIGIBLE", 3), ("ENROLLED", 1), ("ON_LEAVE", 1), ("TERMINATED", 1)]);
        (enrollments == counted(&[("CREATED", 1), ("OPEN", 2), ("SUBMITTED", 1)]) && employees == enrolled)
            .then_some(())
    })
    .await;
    let orders = [("OPEN", 3), ("PAYMENT_FAILED", 4), ("FUNDED", 5), ("PROVISIONED", 50)];
    assert_eq!(statuses(&app, "orders").await, counted(&orders));
    assert_eq!(
        statuses(&app, "provisions").await,
        counted(&[("CREATED", 4), ("REINSTATE_CHECKED", 1), ("COMPLETED", 50)])
    );
    bills_in_each_state(&app).await;
    let offers = [("AVAILABLE_FOR_SALE", 4), ("ENROLLABLE", 1), ("GRANDFATHERED", 1)];
    assert_eq!(statuses(&app, "offers").await, counted(&offers));
    let entitlements = statuses(&app, "entitlements").await;
    assert!(entitlements["SUSPENDED"] >= 2 && entitlements["CANCELLED"] >= 3, "{entitlements:?}");
    let resting =
        rows(&app, "payment_methods").await.into_iter().filter(|method| !method["cooldownUntil"].is_null()).count();
    assert_eq!(resting, 1);
    assert_eq!(statuses(&app, "order_notes").await, counted(&[("ACTIVE", 4), ("PINNED", 1)]));
    assert_eq!(statuses(&app, "notes").await, counted(&[("ACTIVE", 8)]));
    assert_eq!(statuses(&app, "amendments").await, counted(&[("ACTIVE", 3), ("DELETED", 1)]));
    assert!(statuses(&app, "auto_comments").await["ACTIVE"] >= 40);
    assert_eq!(statuses(&app, "cohorts").await, counted(&[("ACTIVE", 3), ("DELETED", 1)]));
    assert_eq!(statuses(&app, "benefit_cohorts").await, counted(&[("ACTIVE", 3)]));
    assert_eq!(statuses(&app, "groups").await, counted(&[("ACTIVE", 3), ("CANCELLED", 1), ("PENDING", 2)]));
    app.eventually("the launches and the roles of groups", || async {
        let launches = statuses(&app, "launches").await == counted(&[("ACTIVE", 1), ("CREATED", 1), ("DELETED", 1)]);
        let has = |identity: &Value, list: &str| identity[list].as_array().is_some_and(|items| !items.is_empty());
        let identities = rows(&app, "identities").await.into_iter();
        let with_role = identities.filter(|one| has(one, "groupIds") || has(one, "scopes")).count();
        (launches && with_role == 8).then_some(())
    })
    .await;
    let businesses = statuses(&app, "businesses").await;
    assert!(businesses["OPENED"] >= 25 && businesses["CLOSED"] >= 5, "{businesses:?}");
    let verified = rows(&app, "businesses").await.into_iter().filter(|one| one["verifiedAt"].is_string()).count();
    assert_eq!(verified, 3, "the businesses of sold plans");
    assert_eq!(statuses(&app, "form_templates").await, counted(&[("ACTIVE", 2)]));
    let files = statuses(&app, "files").await;
    assert!(files["AVAILABLE"] >= 48 && files["QUARANTINED"] == 6 && files["DELETED"] == 6, "{files:?}");
    assert_eq!(statuses(&app, "questions").await, counted(&[("ACTIVE", 6)]));
    assert_eq!(statuses(&app, "answers").await, counted(&[("CREATED", 15), ("DELETED", 1), ("SUBMITTED", 24)]));
    let locales: std::collections::BTreeSet<String> =
        rows(&app, "orders").await.iter().map(|order| order["locale"].to_string()).collect();
    assert_eq!(locales.len(), 4, "{locales:?}");

    people_in_each_status(&app).await;
    messages_in_each_status(&app).await;

    let before = heads(&app).await;
    demo::load(&app.app, &settings(60)).await.unwrap();
    assert_eq!(heads(&app).await, before);
    app.finish().await;
}

/// Three months are paid, of which one is disputed. A plan stands at each step of dunning, one bill is held, and one plan has
/// a discount and a change that waits.
async fn bills_in_each_state(app: &TestApp) {
    let invoices = [("DELINQUENT", 2), ("FAILED", 2), ("PAID", 55), ("REFUNDED", 2)];
    assert_eq!(statuses(app, "invoices").await, counted(&invoices));
    let subscriptions = [("ACTIVE", 49), ("CANCELLED", 5), ("PRECANCEL", 1), ("SUSPENDED", 1)];
    assert_eq!(statuses(app, "subscriptions").await, counted(&subscriptions));
    let all = rows(app, "subscriptions").await;
    let unpaid = all.iter().filter(|one| one["suspendedFor"] == "PAYMENT" && one["dueToDunOn"].is_string());
    assert_eq!(unpaid.count(), 2, "one is suspended, and one has its last warning");
    let waiting: Vec<&Value> = all.iter().filter(|one| !one["change"].is_null()).collect();
    assert_eq!((waiting.len(), &waiting[0]["discounts"][0]["ratePpm"]), (1, &json!(100_000)));
    let billed = rows(app, "invoices").await;
    let held: Vec<&Value> = billed.iter().filter(|one| one["heldUntil"].is_string()).collect();
    assert_eq!((held.len(), &held[0]["status"]), (1, &json!("FAILED")));
    let payments = rows(app, "transactions").await;
    let disputed: Vec<&Value> = payments.iter().filter(|one| one["disputeStatus"] == "OPEN").collect();
    let paid_by: Vec<&Value> = billed.iter().filter(|one| one["disputeStatus"] == "OPEN").collect();
    assert_eq!((disputed.len(), paid_by.len()), (1, 1));
    assert_eq!(paid_by[0]["transactionIds"][0], disputed[0]["id"]);
    assert!(disputed[0]["disputedAt"].is_string());
    let mut months: BTreeMap<String, usize> = BTreeMap::new();
    for invoice in billed.iter().filter(|one| one["periodFrom"].is_string()) {
        *months.entry(invoice["subscriptionId"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert_eq!(months.values().filter(|count| **count == 3).count(), 1, "{months:?}");
    assert_eq!(statuses(app, "credits").await, counted(&[("OPEN", 1)]));
    assert_eq!(statuses(app, "reconciliations").await, counted(&[("COMPARED", 1)]));
    assert_eq!(statuses(app, "reconciliation_rows").await, counted(&[("OPEN", 2)]));
}

/// Somebody died, somebody's data were erased with a receipt, and a relation is over.
async fn people_in_each_status(app: &TestApp) {
    app.eventually("the receipt of an erasure", || async {
        (statuses(app, "person_erasures").await == counted(&[("DONE", 1)])).then_some(())
    })
    .await;
    let receipt = rows(app, "person_erasures").await.remove(0);
    assert!(receipt["keyDestroyedAt"].is_string() && receipt["origin"] == "STAFF", "{receipt}");
    let profiles = rows(app, "profiles").await;
    let erased: Vec<_> = profiles.iter().filter(|one| one["status"] == "REDACTED").collect();
    assert_eq!((erased.len(), &erased[0]["id"], &erased[0]["name"]), (1, &receipt["id"], &Value::Null));
    assert_eq!(profiles.iter().filter(|one| one["dateOfDeath"].is_string()).count(), 1);
    let relations = statuses(app, "relations").await;
    assert_eq!(relations.get("REMOVED"), Some(&1), "{relations:?}");
}

/// A message has each status in which one rests, and the events of providers are there.
async fn messages_in_each_status(app: &TestApp) {
    let met = statuses(app, "notifications").await;
    // Other systems make CREATED ones, ours are never RECEIVING, and those that are PENDING are handed over soon.
    let passing = ["CREATED", "PENDING", "RECEIVING"];
    let all = (1..).map_while(|number| NotificationStatus::try_from(number).ok()).map(NotificationStatus::spelling);
    let missing: Vec<_> = all.filter(|status| !passing.contains(status) && !met.contains_key(*status)).collect();
    assert!(missing.is_empty(), "no message is {missing:?}: {met:?}");
    for (status, count) in [("RESENT", 1), ("RECEIVED", 1), ("OPT_OUT", 1), ("OPT_IN", 1), ("BOUNCE", 1), ("OPEN", 1)] {
        assert_eq!(met[status], count, "{status}: {met:?}");
    }
    assert_eq!(statuses(app, "delivery_events").await, counted(&[("APPLIED", 17), ("UNKNOWN", 1)]));
    let suppressions = statuses(app, "suppressions").await;
    assert_eq!(suppressions, counted(&[("ACTIVE", 15), ("LIFTED", 1)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_printed_passwords_sign_in() {
    let app = TestApp::start().await.unwrap();
    demo::load(&app.app, &settings(1)).await.unwrap();
    for sign_in in demo::sign_ins(&demo::secret(&settings(1)).unwrap()) {
        let name = if sign_in.name.contains('@') { "email" } else { "username" };
        let ask = |password: &str| json!({name: sign_in.name, "password": password});
        let token = app.visitor().post("/v1/tokens", ask(&sign_in.password)).await.expect(200);
        assert_eq!(token["realm"], sign_in.realm);
        assert_ne!(app.visitor().post("/v1/tokens", ask("not the password")).await.status, 200);
    }
    // Another secret makes other passwords; the former ones are no longer valid.
    let other = Settings { key_secret: Some("another secret, of the next start".to_owned()), ..settings(1) };
    demo::load(&app.app, &other).await.unwrap();
    for (new, old) in
        demo::sign_ins(&demo::secret(&other).unwrap()).iter().zip(demo::sign_ins(&demo::secret(&settings(1)).unwrap()))
    {
        let name = if new.name.contains('@') { "email" } else { "username" };
        assert_eq!(
            app.visitor().post("/v1/tokens", json!({name: new.name, "password": new.password})).await.status,
            200,
            "{}",
            new.name
        );
        assert_ne!(
            app.visitor().post("/v1/tokens", json!({name: old.name, "password": old.password})).await.status,
            200,
            "{}",
            old.name
        );
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_of_the_first_group_signs_in_and_sees_its_part() {
    let app = TestApp::start().await.unwrap();
    // The members up to the tenth are three employees: two in West, one in East.
    let settings = settings(11);
    demo::load(&app.app, &settings).await.unwrap();
    let path = format!("/v1/groups/{GROUP}");
    let mut seen = BTreeMap::new();
    for sign_in in demo::sign_ins(&demo::secret(&settings).unwrap()) {
        if sign_in.role.is_empty() {
            continue;
        }
        let ask = json!({"email": sign_in.name, "password": sign_in.password});
        let caller = app
            .eventually("the role", || async {
                let opened = app.visitor().post("/v1/tokens", ask.clone()).await.expect(200);
                let token = format!("Bearer {}", opened["accessToken"].as_str().unwrap());
                let caller = app.visitor().with("authorization", &token);
                (caller.get(&path).await.status == 200).then_some(caller)
            })
            .await;
        let group = app.rest(&TestApp::machine()).get(&path).await.expect(200);
        let mut people = group["authorizedIdentities"].as_array().unwrap().iter();
        let person = people.find(|person| person["email"] == sign_in.name).unwrap();
        assert_eq!(person["type"], sign_in.role, "the printed role is the one that the group gives");
        let employees = caller.get(&format!("{path}/employees")).await.expect(200);
        let enrollments = caller.get(&format!("{path}/groupEnrollments")).await;
        seen.insert(sign_in.name, (employees["employees"].as_array().map_or(0, Vec::len), enrollments.status.as_u16()));
    }
    let expected = [
        ("admin@demo.pavise.example", (3, 200)),
        ("files@demo.pavise.example", (3, 403)),
        ("west@demo.pavise.example", (2, 200)),
        ("east@demo.pavise.example", (1, 200)),
    ];
    assert_eq!(seen, BTreeMap::from(expected));
    app.finish().await;
}

/// Simulates a kill before the progress of any batch was kept.
async fn set_back(app: &TestApp) {
    let store = app.app.kernel.store();
    assert!(store.lease("demo.load", "this test", Duration::from_secs(600)).await.unwrap());
    // The progress can go back only in another epoch.
    let place = Cursor { clock: 61, epoch: "before the kill".to_owned() };
    assert!(store.advance("demo.load", "this test", &place, &[]).await.unwrap());
    store.release("demo.load", "this test").await.unwrap();
}

/// The many are as sound as those whose story was told, and a batch that was interrupted is completed, not repeated.
async fn many(engine: Engine, members: usize) {
    let app = TestApp::on(engine).start().await.unwrap();
    let all = settings(u32::try_from(members).unwrap());
    demo::load(&app.app, &settings(100)).await.unwrap();
    set_back(&app).await;
    demo::load(&app.app, &all).await.unwrap();
    readable(&app).await;
    let users = rows(&app, "identities").await.into_iter().filter(|identity| {
        let address = identity["emails"][0]["address"].as_str().unwrap_or_default();
        identity["realm"] == "User" && !address.starts_with("spouse.") && !address.is_empty()
    });
    assert_eq!(users.count(), members);
    let orders = rows(&app, "orders").await;
    let day = to_date(app.now());
    let today = format!("{:04}-{:02}-{:02}", day.year, day.month, day.day);
    assert!(orders.iter().filter(|order| order["status"] == "PROVISIONED").count() * 2 > orders.len());
    let active: Vec<Value> =
        rows(&app, "subscriptions").await.into_iter().filter(|one| one["status"] == "ACTIVE").collect();
    assert!(active.iter().all(|one| one["nextBillOn"].as_str() > Some(today.as_str())), "a member is due already");

    let before = heads(&app).await;
    set_back(&app).await;
    demo::load(&app.app, &all).await.unwrap();
    assert_eq!(heads(&app).await, before);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_many_are_like_those_with_a_story_on_sqlite() {
    many(Engine::Sqlite, run_size(500, 2_000)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_many_are_like_those_with_a_story_on_postgres() {
    many(Engine::Postgres, run_size(300, 1_000)).await;
}

/// A member who has proved the address.
async fn sign_up(app: &TestApp, email: &str) -> String {
    let body = json!({"realm": "User", "emails": [email], "password": STRANGERS});
    app.rest(&TestApp::machine()).post("/v1/identities", body).await.expect(200)["id"].as_str().unwrap().to_owned()
}

async fn signs_in(app: &TestApp, name: &str, password: &str) -> bool {
    app.visitor().post("/v1/tokens", json!({"email": name, "password": password})).await.status == 200
}

/// The password of somebody who took an address of the demonstration.
const STRANGERS: &str = "a password of one's own";

/// Strangers have addresses of the demonstration, and a product's id, before it is loaded.
async fn taken(engine: Engine) {
    let app = TestApp::on(engine).start().await.unwrap();
    // The addresses of a story that is not copied, and of a member of a batch.
    let addresses = [
        "member@demo.pavise.example",
        "staff@demo.pavise.example",
        "lucia.alvarez.8@members.pavise.example",
        "jose.garcia.77@members.pavise.example",
    ];
    let mut strangers = Vec::new();
    for address in addresses {
        strangers.push(sign_up(&app, address).await);
    }
    stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
    let sign_ins = demo::load(&app.app, &settings(100)).await.unwrap();
    let names: Vec<&str> = sign_ins.iter().map(|sign_in| sign_in.name).collect();
    assert_eq!(names.len(), 7, "{names:?}");
    assert!(!names.contains(&"staff@demo.pavise.example"), "a stranger does not become staff");
    for sign_in in sign_ins.iter().filter(|sign_in| sign_in.name.contains('@')) {
        assert!(signs_in(&app, sign_in.name, &sign_in.password).await, "{}", sign_in.name);
    }
    let [member, others @ ..] = addresses;
    assert!(!signs_in(&app, member, STRANGERS).await, "taken over");
    for other in others {
        assert!(signs_in(&app, other, STRANGERS).await, "{other} is left as it is");
    }
    let orders = rows(&app, "orders").await;
    let ordered: Vec<bool> =
        strangers.iter().map(|stranger| orders.iter().any(|order| order["ownerId"] == stranger.as_str())).collect();
    assert_eq!(ordered, [true, false, false, false]);
    let members = rows(&app, "identities").await.into_iter().filter(|identity| {
        let address = identity["emails"][0]["address"].as_str().unwrap_or_default();
        address.ends_with("@members.pavise.example") && !address.starts_with("spouse.")
    });
    assert_eq!(members.count(), 99, "all but the demonstration's own member, two of them strangers");

    let before = heads(&app).await;
    assert_eq!(demo::load(&app.app, &settings(100)).await.unwrap(), sign_ins);
    assert_eq!(heads(&app).await, before);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_are_taken_end_no_loading_on_sqlite() {
    taken(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_are_taken_end_no_loading_on_postgres() {
    taken(Engine::Postgres).await;
}
