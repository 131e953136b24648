//! The test clock: days pass over REST, workers do what is due on each, and nobody is signed out. In one process, and with
//! orders and billing apart on PostgreSQL.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use http::Method;
use pavise_catalog::demo::{LEGAL, PERSONAL_US};
use pavise_kernel::common::v1::Date;
use pavise_testapp::{Cut, Database, Engine, Platform, Rest, TestApp, TestAppBuilder, stock};
use serde_json::{Value, json};

/// The day before the last one of a month.
const BEGINS: Date = Date { year: 2026, month: 1, day: 30 };

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// Today as a page hears of it: from the answer to any gRPC-web call, also to a refused one of a visitor.
async fn heard_today(visitor: &Rest) -> String {
    let path = "/pavise.identity.v1.TestClockService/GetTestClock";
    let empty = Some(vec![0; 5]);
    let refused = visitor.raw(Method::POST, path, empty, "application/grpc-web+proto").await;
    refused.headers["pavise-today"].to_str().unwrap().to_owned()
}

/// The clock, once it stands.
async fn standing(app: &TestApp, staff: &Rest) -> Value {
    let stands = || async {
        let clock = staff.get("/v1/testClock").await.expect(200);
        (clock["lastAdvance"]["advancing"].as_bool() != Some(true)).then_some(clock)
    };
    app.eventually("the test clock stands", stands).await
}

/// A member with a subscription through a payroll and a card, which both end with the month.
struct Ending {
    me: String,
    subscription: String,
    card: String,
}

impl Ending {
    async fn prepare(app: &TestApp) -> Self {
        stock(|domain| app.channel(domain, &TestApp::staff())).await.unwrap();
        let machine = app.rest(&TestApp::machine());
        let wanted = json!({"realm": "User", "emails": ["ada@example.com"], "password": "correct horse battery"});
        let me = text(&machine.post("/v1/identities", wanted).await.expect(200)["id"]);
        let mine = |path: &str| format!("/v1/identities/{me}/{path}");
        let price = json!({"currency": "USD", "amount": "2995"});
        let item = json!({"type": "PRODUCT", "productId": LEGAL, "tierId": "family", "name": "Legal", "price": price});
        let wanted = json!({"offerId": PERSONAL_US, "items": [item], "billingPeriod": "PAY_PERIOD", "groupId": "acme"});
        let subscription = text(&machine.post(&mine("subscriptions"), wanted).await.expect(200)["id"]);
        let member = app.rest(&TestApp::member(&me));
        let pending = member.post(&mine(&format!("subscriptions/{subscription}/pendingCancel")), json!({})).await;
        assert_eq!(pending.expect(200)["dueToEndOn"], "2026-02-01", "the clock began on the day that it was told");
        let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
            "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 1, "expiryYear": 2026, "holderName": "Ada Example"}});
        let card = text(&member.post(&mine("paymentMethods"), card).await.expect(200)["id"]);
        Self { me, subscription, card }
    }

    async fn read(&self, staff: &Rest) -> (Value, Value) {
        let mine = |path: &str, id: &str| format!("/v1/identities/{}/{path}/{id}", self.me);
        let subscription = staff.get(&mine("subscriptions", &self.subscription)).await.expect(200);
        (subscription, staff.get(&mine("paymentMethods", &self.card)).await.expect(200))
    }
}

async fn days_pass(engine: Engine, cut: Cut) {
    let database = Database::new(engine).await.unwrap();
    let with_clock = |settings: TestAppBuilder| settings.still().with_test_clock(Some(BEGINS));
    let platform = Platform::begin(engine, cut, &database, with_clock).await.unwrap();
    let app = platform.app();
    let ending = Ending::prepare(app).await;
    let staff = app.rest(&TestApp::staff());
    let clock = staff.get("/v1/testClock").await.expect(200);
    assert_eq!((&clock["today"], &clock["moved"]), (&json!("2026-01-30"), &json!(true)), "{clock}");

    assert_eq!(heard_today(&app.visitor()).await, "2026-01-30;moved");

    let begun = staff.post("/v1/testClock/advance", json!({"days": 3})).await.expect(200);
    assert_eq!(begun["lastAdvance"]["untilDay"], "2026-02-02", "{begun}");
    let second = staff.post("/v1/testClock/advance", json!({"days": 1})).await;
    assert_eq!(second.reason(), "TEST_CLOCK_ADVANCING");
    let clock = standing(app, &staff).await;
    assert_eq!(clock["today"], "2026-02-02", "{clock}");
    let days = clock["lastAdvance"]["days"].as_array().unwrap();
    let names: Vec<&str> = days.iter().map(|day| day["day"].as_str().unwrap()).collect();
    assert_eq!(names, ["2026-01-31", "2026-02-01", "2026-02-02"], "{clock}");

    // Each worker did its part on the day itself, before the next one began.
    let (subscription, card) = ending.read(&staff).await;
    assert_eq!((&subscription["status"], &subscription["cancelledOn"]), (&json!("CANCELLED"), &json!("2026-02-01")));
    assert_eq!(card["status"], "INACTIVE", "{card}");
    let counted = |day: usize, journal: &str| {
        let figures = days[day]["figures"].as_array().cloned().unwrap_or_default();
        figures.iter().any(|figure| figure["name"].as_str().unwrap().starts_with(journal))
    };
    for journal in ["subscriptions.", "payment_methods."] {
        assert_eq!([0, 1, 2].map(|day| counted(day, journal)), [false, true, false], "{journal}: {clock}");
    }

    assert_eq!(heard_today(&app.visitor()).await, "2026-02-02;moved");

    // Every process stands at that day.
    for address in platform.addresses() {
        let client = pavise::wire::client_builder().build().unwrap();
        let token = app.token(&TestApp::staff());
        let answer = client.get(format!("{address}/v1/testClock")).bearer_auth(token).send().await.unwrap();
        let told: Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
        assert_eq!(told["today"], "2026-02-02", "{told}");
    }
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn days_pass_in_one_process_on_sqlite() {
    days_pass(Engine::Sqlite, Cut::Whole).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn days_pass_in_three_processes_on_postgres() {
    days_pass(Engine::Postgres, Cut::Split).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_setting_each_call_says_so() {
    let app = TestApp::start().await.unwrap();
    let staff = app.rest(&TestApp::staff());
    assert_eq!(staff.get("/v1/testClock").await.reason(), "NOT_CONFIGURED");
    assert_eq!(staff.get("/v1/testClock/watch").await.reason(), "NOT_CONFIGURED");
    assert_eq!(staff.post("/v1/testClock/advance", json!({"days": 1})).await.reason(), "NOT_CONFIGURED");
    assert_eq!(staff.post("/v1/testClock/stop", json!({})).await.reason(), "NOT_CONFIGURED");
    let today = heard_today(&app.visitor()).await;
    assert!(today.len() == 10 && !today.contains("moved"), "{today}");
    app.finish().await;
}
