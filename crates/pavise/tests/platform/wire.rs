//! The same cases over REST, gRPC and gRPC-web, on both engines, in one process and split in three.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod catalog;
mod children;
mod cohorts;
mod documents;
mod groups;
mod lists;
mod members;
mod messaging;
mod names;
mod reads;
mod records;
mod statuses;
mod streams;
mod workers;
mod writes;

use std::time::{Duration, Instant};

use http::Method;
use pavise::demo::tell;
use pavise::wire::{Client, Failure, Surface};
use pavise_kernel::numbers::NumberPlan;
use pavise_kernel::store::{Command, StoredRow, Write};
use pavise_kernel::table::ScopeKind;
use pavise_kernel::{Caller, Scope, Scopes};
use pavise_testapp::{Cut, Engine, Platform, TestApp};
use serde_json::{Value, json};

/// A call that must be refused: name, request, code, reason, field.
type Refused = (&'static str, Value, &'static str, &'static str, &'static str);

const ME: &str = "01900000-0000-7000-8000-0000000000aa";

fn refusals() -> Vec<Refused> {
    let order = |id: &str| json!({"orderId": id});
    vec![
        ("orders.GetOrder", order("nothing"), "NOT_FOUND", "NOT_FOUND", ""),
        ("invoices.GetInvoice", json!({"identityId": ME, "invoiceId": "nothing"}), "NOT_FOUND", "NOT_FOUND", ""),
        (
            "orders.CreateOrder",
            json!({"identityId": ME, "order": {"channel": "BuyNow", "offers": [{"brand": "NO!", "offerId": "x", "selections": [{"productId": "p", "tierId": "t"}]}], "locality": "TX"}}),
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
            "order.offers[0].brand",
        ),
        ("orders.ListOrders", json!({"identityId": ME, "pageSize": 100_000}), "INVALID_ARGUMENT", "INVALID_FIELD", ""),
        (
            "orders.ListOrders",
            json!({"identityId": ME, "pageToken": "bm90IG91cnM"}),
            "INVALID_ARGUMENT",
            "INVALID_PAGE_TOKEN",
            "pageToken",
        ),
        (
            "orders.SearchOrders",
            json!({"text": "lee", "pageToken": "bm90IG91cnM"}),
            "INVALID_ARGUMENT",
            "INVALID_PAGE_TOKEN",
            "pageToken",
        ),
        (
            "orders.SearchOrders",
            json!({"text": "lee", "pageSize": -1}),
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
            "pageSize",
        ),
        ("invoices.CreateInvoice", json!({"identityId": ME}), "INVALID_ARGUMENT", "INVALID_FIELD", ""),
        (
            "invoices.GetStatement",
            json!({"identityId": ME, "from": "2026-03-01", "to": "2026-02-28"}),
            "INVALID_ARGUMENT",
            "INVALID_FIELD",
            "to",
        ),
        (
            "payment_methods.CreatePaymentMethod",
            json!({"identityId": ME, "paymentMethod": {"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "4111111111111111"}}),
            "INVALID_ARGUMENT",
            "",
            "",
        ),
        ("tokens.VerifyJwt", json!({}), "INVALID_ARGUMENT", "INVALID_FIELD", ""),
    ]
}

async fn cases(client: &Client, surface: Surface) -> u32 {
    let mut checked = 0;
    for (name, request, code, reason, field) in refusals() {
        match client.call(name, request).await {
            Err(Failure::Refused(refusal)) => {
                assert_eq!(refusal.code, code, "{name} over {surface:?}: {refusal}");
                assert!(reason.is_empty() || refusal.reason == reason, "{name} over {surface:?}: {refusal}");
                assert!(
                    field.is_empty() || refusal.fields.iter().any(|one| one == field),
                    "{name} over {surface:?}: {refusal}"
                );
            }
            other => panic!("{name} over {surface:?}: expected {reason}, got {other:?}"),
        }
        checked += 1;
    }
    checked
}

/// The guarantees of every write: version, clock, the same answer to the same key, If-Match, validate-only.
async fn promises(client: &Client, surface: Surface) {
    let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 1, "expiryYear": 2099, "holderName": "Ada Example"}});
    let owner = format!("{ME}-{surface:?}");
    let add = json!({"identityId": owner, "paymentMethod": card});
    let dry = client
        .with("pavise-validate-only", "true")
        .call("payment_methods.CreatePaymentMethod", add.clone())
        .await
        .unwrap();
    assert_eq!(dry.clock, 0, "{surface:?}: a dry run has no clock");
    let keyed = client.with("idempotency-key", &format!("the key of {surface:?}"));
    let first = keyed.call("payment_methods.CreatePaymentMethod", add.clone()).await.unwrap();
    let again = keyed.call("payment_methods.CreatePaymentMethod", add.clone()).await.unwrap();
    assert_eq!((&first.json, first.clock, &first.etag), (&again.json, again.clock, &again.etag), "{surface:?}");
    assert!(first.clock > 0 && first.etag == "W/\"1\"", "{surface:?}: {first:?}");
    let mut other = add.clone();
    other["paymentMethod"]["card"]["holderName"] = json!("Somebody Else");
    match keyed.call("payment_methods.CreatePaymentMethod", other).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "IDEMPOTENCY_KEY_REUSED"),
        unexpected => panic!("{surface:?}: {unexpected:?}"),
    }
    let find = json!({"identityId": owner, "paymentMethodId": first.json["id"]});
    let seen = client
        .with("min-clock", &first.clock.to_string())
        .call("payment_methods.GetPaymentMethod", find.clone())
        .await
        .unwrap();
    assert_eq!(seen.json["id"], first.json["id"]);
    match client.with("if-match", "W/\"7\"").call("payment_methods.DeletePaymentMethod", find.clone()).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "VERSION_MISMATCH", "{surface:?}: {refusal}"),
        unexpected => panic!("{surface:?}: {unexpected:?}"),
    }
    client.with("if-match", &first.etag).call("payment_methods.DeletePaymentMethod", find).await.unwrap();
    let feed = client
        .call("payment_methods.ReadJournal", json!({"clock": (first.clock - 1).to_string(), "limit": 2}))
        .await
        .unwrap()
        .json;
    assert_eq!(feed["entries"][0]["entityId"], first.json["id"], "{surface:?}: {feed}");
    assert_eq!(feed["entries"][0]["clock"], first.clock.to_string(), "{surface:?}");
}

/// The contract's rate limit: ten calls, and no more, whether they are refused for another reason or not.
async fn rate_limits(client: &Client, surface: Surface) {
    let owner = json!({"identityId": format!("{ME}-{surface:?}")});
    for number in 0..=10 {
        let refused = match client.call("invitations.ResendAllInvitations", owner.clone()).await {
            Err(Failure::Refused(refusal)) => (refusal.code, refusal.reason),
            other => panic!("{surface:?}: there is no such identity, but {other:?}"),
        };
        let expected = if number < 10 { ("NOT_FOUND", "NOT_FOUND") } else { ("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS") };
        assert_eq!((refused.0.as_str(), refused.1.as_str()), expected, "{surface:?}, call {number}");
    }
}

/// A field with an audience is in the answers to its readers and in the journal, and in no answer to a member.
async fn audiences(staff: &Client, member: &Client, surface: Surface) {
    let owner = format!("{ME}-{surface:?}");
    let item = json!({"type": "ORDER", "amount": {"currency": "USD", "amount": 100}, "description": "a plan"});
    let make = json!({"identityId": owner, "currency": "USD", "items": [item]});
    let made = staff.call("invoices.CreateInvoice", make).await.unwrap().json;
    let one = json!({"identityId": owner, "invoiceId": made["id"]});
    staff.call("invoices.FailInvoice", one.clone()).await.unwrap();
    staff.call("invoices.MakeInvoiceDelinquent", one.clone()).await.unwrap();
    let mut forgive = one.clone();
    forgive["reason"] = json!("hardship");
    let forgiven = staff.call("invoices.ForgiveInvoice", forgive).await.unwrap();
    assert_eq!(forgiven.json["forgivenReason"], "hardship", "{surface:?}");
    let after = json!({"clock": (forgiven.clock - 1).to_string(), "limit": 1});
    let entry = staff.call("invoices.ReadJournal", after).await.unwrap().json;
    assert_eq!(entry["entries"][0]["entity"]["forgivenReason"], "hardship", "{surface:?}: {entry}");
    for (name, request) in [("invoices.GetInvoice", one), ("invoices.ListInvoices", json!({"identityId": owner}))] {
        let read = staff.call(name, request.clone()).await.unwrap().json.to_string();
        let seen = member.call(name, request).await.unwrap().json.to_string();
        assert!(read.contains("hardship") && seen.contains("FORGIVEN"), "{surface:?} {name}: {seen}");
        assert!(!seen.contains("hardship"), "{surface:?} {name}: {seen}");
    }
}

/// The streams, with orders that are written while they are watched.
async fn flows(platform: &Platform, client: &Client, surface: Surface) {
    let as_caller = |caller: &Caller| client.with_token(&platform.app().token(caller));
    let owner = format!("{ME}-{surface:?}");
    let (staff, member) = (as_caller(&TestApp::staff()), as_caller(&TestApp::member(&owner)));
    let order = format!("watched-{surface:?}");
    write_order_of(platform.app(), (&format!("before-{surface:?}"), &owner, ""), 1).await;
    for version in 1..=2 {
        write_order_of(platform.app(), (&order, &owner, ""), version).await;
    }
    streams::watches(&member, &as_caller(&TestApp::member("a stranger")), surface, &order, &owner).await;
    let group = format!("group-{surface:?}");
    let admin = as_caller(&TestApp::group_admin("boss", &[&group]));
    let files = Scopes::from_iter([Scope::new(ScopeKind::Group, &group, &["FILE_ADMINISTRATOR"])]);
    let files = as_caller(&Caller { scopes: files, ..TestApp::group_admin("fay", &[]) });
    let write = async |id: &str, group: &str| write_order_of(platform.app(), (id, "bob", group), 1).await;
    streams::groups(&admin, &files, surface, write).await;
    streams::exports(&staff, &member, surface).await;
}

async fn run(engine: Engine, cut: Cut) {
    let platform = Platform::start(engine, cut).await.unwrap();
    let (mut checked, mut sales) = (0, 0);
    for surface in Surface::ALL {
        for address in platform.addresses() {
            let client = Client::new(address, surface, &platform.app().app.pool).unwrap();
            let staff = client.with_token(&platform.app().token(&TestApp::staff()));
            checked += cases(&staff, surface).await;
            if address == platform.addresses()[0] {
                promises(&staff, surface).await;
                lists::check(&staff, surface).await;
                members::check(&staff, surface).await;
                members::relations(&platform, &client, surface).await;
                rate_limits(&staff, surface).await;
                reads::ranges(&staff, surface).await;
                reads::batches(&staff, surface).await;
                let member = TestApp::member(&format!("{ME}-{surface:?}"));
                audiences(&staff, &client.with_token(&platform.app().token(&member)), surface).await;
                let owner = format!("{ME}-{surface:?}");
                writes::numbers(&staff, surface, &owner).await;
                writes::unique(&staff, surface, &owner).await;
                let member = client.with_token(&platform.app().token(&TestApp::member(&owner)));
                messaging::alerts(&staff, &member, &owner, surface).await;
                messaging::notifications(&staff, &member, (&owner, platform.app().now()), surface).await;
                flows(&platform, &client, surface).await;
                names::check(&staff, &client, surface).await;
                catalog::check(&staff, &client, surface).await;
                workers::check(platform.app(), &client, surface).await;
            }
            let story = tell(address, surface, |_| ()).await.unwrap();
            assert!(story.entitlements >= 1);
            statuses::check(&staff, surface, &story).await;
            let member = client.with_token(&platform.app().token(&TestApp::member(&story.identity_id)));
            children::check(&staff, &member, surface, &story).await;
            records::check(&staff, &member, surface, &story).await;
            cohorts::check(&staff, &member, surface, &story).await;
            groups::check(&staff, &member, surface, &story).await;
            documents::check(&staff, &member, &client, surface, &story).await;
            sales += 1;
        }
    }
    println!("{engine:?} {cut:?}: {checked} refusals, {sales} sales");
    platform.finish().await;
}

/// A read waits for a clock that comes soon; a clock out of reach is refused before the wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_may_come_is_waited_for_and_one_far_ahead_is_refused_at_once() {
    let app = TestApp::start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let path = format!("/v1/identities/{ME}/paymentMethods");
    let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 1, "expiryYear": 2099, "holderName": "Ada Example"}});
    // A busy machine may make one of them wait, but a call that waits for a clock takes two seconds each time.
    let mut shortest = Duration::MAX;
    for _ in 0..3 {
        let began = Instant::now();
        let far = staff.clone().with("min-clock", "1000001").send(Method::GET, &path, None).await;
        shortest = shortest.min(began.elapsed());
        assert_eq!((far.status.as_u16(), far.reason()), (412, "CLOCK_NOT_REACHED"), "{}", far.json);
    }
    assert!(shortest < Duration::from_secs(1), "refused only after {shortest:?}");
    let next = staff.clone().with("min-clock", "1");
    let (read, written) = tokio::join!(next.send(Method::GET, &path, None), staff.post(&path, card));
    assert_eq!(written.headers["pavise-clock"], "1");
    let read = read.expect(200);
    assert_eq!(read["paymentMethods"][0]["id"], written.json["id"], "{read}");
    let began = Instant::now();
    let never = staff.clone().with("min-clock", "2").send(Method::GET, &path, None).await;
    assert_eq!((never.status.as_u16(), never.reason()), (412, "CLOCK_NOT_REACHED"), "{}", never.json);
    assert!(began.elapsed() >= Duration::from_secs(1), "it might have come");
    let mut shortest = Duration::MAX;
    for _ in 0..3 {
        let began = Instant::now();
        let hasty =
            staff.clone().with("min-clock", "2").with("request-timeout", "0.2").send(Method::GET, &path, None).await;
        shortest = shortest.min(began.elapsed());
        assert_eq!((hasty.status.as_u16(), hasty.reason()), (504, "DEADLINE_EXCEEDED"), "{}", hasty.json);
    }
    assert!(shortest < Duration::from_millis(1500), "nobody waits for a clock longer than the caller does");
    app.finish().await;
}

/// REST says when a call that is made too often can be made again.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_made_too_often_says_when_to_come_back() {
    let app = TestApp::start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    let path = format!("/v1/invitations/resendAll?identityId={ME}");
    for _ in 0..10 {
        assert_eq!(staff.send(Method::POST, &path, None).await.status.as_u16(), 404);
    }
    let refused = staff.send(Method::POST, &path, None).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (429, "TOO_MANY_CALLS"), "{}", refused.json);
    let seconds: u32 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    assert!(refused.json.to_string().contains("google.rpc.RetryInfo"), "{}", refused.json);
    app.finish().await;
}

/// Writes the next version of an order of the member, as the domain would.
async fn write_order(app: &TestApp, id: &str, version: i64) {
    write_order_of(app, (id, ME, ""), version).await;
}

/// Writes the next version of an order: its id, its owner and its group.
async fn write_order_of(app: &TestApp, (id, owner, group): (&str, &str, &str), version: i64) {
    let is_order = |entry: &&pavise_kernel::TableEntry| entry.table.message == "pavise.orders.v1.Order";
    let table = pavise::domains::tables().find(is_order).unwrap().table;
    let mut doc = json!({"id": id, "ownerId": owner, "status": "OPEN", "version": version.to_string()});
    if !group.is_empty() {
        doc["groupId"] = json!(group);
    }
    let doc = doc.to_string();
    let (owner_id, status, at) = (owner.to_owned(), "OPEN".to_owned(), app.now());
    let row = StoredRow { id: id.to_owned(), owner_id, status, version, clock: 0, created_at: at, updated_at: at, doc };
    let expected = (version > 1).then_some(version - 1);
    let write = Write { table, row, expected, removed: false, action: "UPDATED".into(), lookups: Vec::new() };
    let (actor, subject, request_id) = ("staff".to_owned(), String::new(), "r".to_owned());
    let (conditions, numbers) = (Vec::new(), NumberPlan::default());
    let command = Command {
        journal: table.journal,
        writes: vec![write],
        record: None,
        at,
        actor,
        subject,
        request_id,
        conditions,
        numbers,
    };
    app.app.kernel.committer().submit(command).await.unwrap();
}

/// A browser follows an order by server-sent events, and goes on after the last one that it got.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_follows_its_order() {
    let app = TestApp::start().await.unwrap();
    for version in 1..=3 {
        write_order(&app, "o-1", version).await;
    }
    let path = format!("/v1/identities/{ME}/orders/o-1/watch");
    let follow = async |last: Option<&str>| {
        let token = app.token(&TestApp::member(ME));
        let request = http::Request::get(&path).header("accept", "text/event-stream");
        let request = request.header("authorization", format!("Bearer {token}"));
        let request = last.into_iter().fold(request, |request, last| request.header("last-event-id", last));
        let request = request.body(axum::body::Body::empty()).unwrap();
        let answer = tower::ServiceExt::oneshot(app.app.router.clone(), request).await.unwrap();
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        answer.into_body()
    };
    let event = async |body: &mut axum::body::Body| {
        let frame = tokio::time::timeout(Duration::from_secs(30), http_body_util::BodyExt::frame(body)).await;
        let bytes = frame.unwrap().unwrap().unwrap().into_data().unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    };
    let mut body = follow(None).await;
    let first = event(&mut body).await;
    assert!(first.starts_with("id: 3\ndata: {") && first.contains("\"version\":\"3\""), "{first}");
    assert!(!first.contains("staff"), "members do not learn who made a change: {first}");
    drop(body);
    write_order(&app, "o-1", 4).await;
    let mut body = follow(Some("3")).await;
    let next = event(&mut body).await;
    assert!(next.starts_with("id: 4\ndata: {"), "{next}");
    drop(body);
    let member = app.rest(&TestApp::member(ME));
    let array = member.get(&format!("{path}?clock=2")).await.expect(200);
    let versions: Vec<&str> = array.as_array().unwrap().iter().map(|one| one["version"].as_str().unwrap()).collect();
    assert_eq!(versions, ["3", "4"], "{array}");
    let stranger = app.rest(&TestApp::member("somebody else"));
    assert_eq!(stranger.get(&path).await.reason(), "NOT_THE_OWNER");
    app.finish().await;
}

/// A body within its limit may say a message that is not.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_too_large_is_refused_as_what_it_is() {
    let app = TestApp::start().await.unwrap();
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let staff = app.rest(&TestApp::staff()).with("traceparent", &format!("00-{trace}-00f067aa0ba902b7-01"));
    let path = format!("/v1/identities/{ME}/applicationSettings/none/updateSettings");
    let large = staff.post(&path, json!({"settings": {"numbers": vec![0; 500_000]}})).await;
    assert_eq!((large.status.as_u16(), large.reason()), (413, "BODY_TOO_LARGE"), "{}", large.json);
    let said = large.json["details"].to_string();
    assert!(said.contains(trace) && said.contains("application_settings"), "{said}");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_in_one_process() {
    run(Engine::Sqlite, Cut::Whole).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_split() {
    run(Engine::Sqlite, Cut::Split).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_in_one_process() {
    run(Engine::Postgres, Cut::Whole).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_split() {
    run(Engine::Postgres, Cut::Split).await;
}
