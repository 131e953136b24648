//! A payment vendor that is turned off: nothing is added or charged with it, and staff end what it left unanswered. Over
//! REST and gRPC, on both engines.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::time::{Duration, Instant};

use pavise::wire::{Client, Failure, Surface};
use pavise_catalog::demo::{BRAND, IDENTITY, PERSONAL_US};
use pavise_kernel::caller::Realm;
use pavise_testapp::{Cut, Database, Engine, Platform, TestApp, TestAppBuilder, stock};
use serde_json::{Value, json};

use crate::employer::open_group;

const SURFACES: [Surface; 2] = [Surface::Rest, Surface::Grpc];
/// The vendor approves at once, and answers after half a minute.
const APPROVES: &str = "test_4111111111111111";
const LATE: &str = "test_4000000000000007";

/// The things of a member from before the vendor was turned off.
struct Left {
    surface: Surface,
    me: String,
    card: Value,
    /// An order that nobody paid yet.
    unpaid: Value,
    /// An order whose payment the vendor did not answer, and its transaction.
    waiting: Value,
    transaction: Value,
}

/// The callers of one surface.
struct Callers {
    visitor: Client,
    staff: Client,
    member: Client,
    /// Staff over gRPC, for calls without a path.
    finds: Client,
}

impl Callers {
    fn new(platform: &Platform, surface: Surface, me: &str) -> Self {
        let app = platform.app();
        let client = |surface| Client::new(platform.addresses()[0], surface, &app.app.pool).unwrap();
        let visitor = client(surface);
        let staff = app.token(&TestApp::staff());
        Self {
            staff: visitor.with_token(&staff),
            member: visitor.with_token(&app.token(&TestApp::member(me))),
            finds: client(Surface::Grpc).with_token(&staff),
            visitor,
        }
    }

    async fn order(&self, me: &str, id: &Value) -> Value {
        good(&self.member, "orders.GetOrder", json!({"identityId": me, "orderId": id})).await
    }

    async fn buy(&self, me: &str, order: &Value, card: &Value) -> Result<Value, Failure> {
        let request = json!({"identityId": me, "orderId": order, "paymentMethodId": card, "buyAgain": true});
        self.member.call("orders.PurchaseOrder", request).await.map(|answer| answer.json)
    }
}

async fn good(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request.clone()).await.unwrap_or_else(|error| panic!("{name}: {error}\n{request}")).json
}

async fn bad(client: &Client, name: &str, request: Value, reason: &str) {
    match client.call(name, request.clone()).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, reason, "{name}: {refusal}\n{request}"),
        other => panic!("{name}: expected {reason}, got {other:?}\n{request}"),
    }
}

fn card(token: &str) -> Value {
    json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": token,
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}})
}

/// Waits until an order has that status. The worker comes back after a while that doubles with each try.
async fn until(callers: &Callers, me: &str, id: &Value, status: &str) -> Value {
    let began = Instant::now();
    loop {
        let order = callers.order(me, id).await;
        if order["status"] == status {
            return order;
        }
        assert!(began.elapsed() < Duration::from_secs(120), "expected {status}, got {order}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A member with a card, an order that is not paid, and one whose payment has no answer.
async fn leave(platform: &Platform, surface: Surface) -> Left {
    let email = format!("ada-{surface:?}@example.com").to_lowercase();
    let first = Callers::new(platform, surface, "");
    let wanted = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
    let me = good(&first.staff, "identities.CreateIdentity", wanted).await["id"].as_str().unwrap().to_owned();
    let callers = Callers::new(platform, surface, &me);
    let add = async |token: &str| {
        let request = json!({"identityId": me, "paymentMethod": card(token)});
        good(&callers.member, "payment_methods.CreatePaymentMethod", request).await["id"].clone()
    };
    let order = async || {
        let order = json!({"channel": "BuyNow", "locality": "TX",
            "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": IDENTITY, "tierId": "family"}]}]});
        good(&callers.member, "orders.CreateOrder", json!({"identityId": me, "order": order})).await["id"].clone()
    };
    let (card, late, unpaid, waiting) = (add(APPROVES).await, add(LATE).await, order().await, order().await);
    callers.buy(&me, &waiting, &late).await.unwrap();
    let find = json!({"identityId": me, "orderId": waiting});
    let asked = || async {
        let found = good(&callers.finds, "payment_methods.ListTransactions", find.clone()).await;
        let transaction = found["transactions"][0].clone();
        (transaction["status"] == "TIMEDOUT").then(|| transaction["id"].clone())
    };
    let transaction = platform.app().eventually("the vendor is asked, and does not answer", asked).await;
    drop(callers);
    Left { surface, me, card, unpaid, waiting, transaction }
}

/// No method of the vendor is added, by nobody; what needs no vendor is.
async fn nothing_is_added(app: &TestApp, left: &Left, callers: &Callers) {
    let me = &left.me;
    let vendors = good(&callers.visitor, "payment_methods.ListPaymentVendors", json!({})).await;
    assert!(vendors["vendors"].as_array().is_none_or(Vec::is_empty), "{vendors}");
    let off = "VENDOR_NOT_CONFIGURED";
    let own = json!({"identityId": me, "paymentMethod": card(APPROVES)});
    bad(&callers.member, "payment_methods.CreatePaymentMethod", own, off).await;
    let unowned = json!({"paymentMethod": card(APPROVES)});
    bad(&callers.visitor, "payment_methods.CreateAnonymousPaymentMethod", unowned, off).await;
    open_group(app, &callers.finds, "acme").await;
    let groups = json!({"groupId": "acme", "identityId": me, "paymentMethod": card(APPROVES)});
    bad(&callers.staff, "payment_methods.CreateGroupPaymentMethod", groups, off).await;
    let cheque = json!({"identityId": me, "paymentMethod": {"type": "CHECK"}});
    good(&callers.member, "payment_methods.CreatePaymentMethod", cheque).await;
}

/// A purchase ends as a failed payment, with the vendor's own reason, and nothing waits.
async fn purchase_fails(left: &Left, callers: &Callers) {
    callers.buy(&left.me, &left.unpaid, &left.card).await.unwrap();
    let failed = until(callers, &left.me, &left.unpaid, "PAYMENT_FAILED").await;
    assert_eq!(failed["offers"][0]["failureReason"], "VENDOR_NOT_CONFIGURED", "{failed}");
}

/// The order whose payment has no answer waits until staff say what the vendor's records hold.
async fn staff_say_the_outcome(platform: &Platform, left: &Left, callers: &Callers) {
    let call = "payment_methods.ResolveTransaction";
    let ask = |more: Value| {
        let mut request = json!({"transactionId": left.transaction});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let said = ask(json!({"status": "APPROVED", "vendorReference": "page 7 of their books"}));
    bad(&callers.member, call, said.clone(), "REALM_NOT_ALLOWED").await;
    let reader = TestApp::with_permissions(Realm::Internal, "max", &["billing.transactions.read"]);
    let reader = callers.visitor.with_token(&platform.app().token(&reader));
    bad(&reader, call, said.clone(), "PERMISSION_MISSING").await;
    let unknown = good(&callers.staff, call, ask(json!({}))).await;
    assert_eq!(unknown["status"], "TIMEDOUT", "the vendor cannot be asked: {unknown}");
    assert_eq!(callers.order(&left.me, &left.waiting).await["status"], "PROCESSING", "it waits");

    let resolved = good(&callers.staff, call, said).await;
    assert_eq!(
        (&resolved["status"], &resolved["vendorReference"]),
        (&json!("APPROVED"), &json!("page 7 of their books"))
    );
    let done = until(callers, &left.me, &left.waiting, "PROVISIONED").await;
    assert!(done["invoiceId"].as_str().is_some_and(|id| !id.is_empty()), "{done}");
    let find = json!({"identityId": left.me, "orderId": left.waiting});
    let paid = good(&callers.finds, "payment_methods.ListTransactions", find).await;
    assert_eq!(paid["transactions"].as_array().map(Vec::len), Some(1), "nothing is charged twice: {paid}");
    let again = good(&callers.staff, call, ask(json!({"status": "DECLINED"}))).await;
    assert_eq!(again["status"], "APPROVED", "an outcome stays");
}

async fn run(engine: Engine) {
    let database = Database::new(engine).await.unwrap();
    let on = Platform::begin(engine, Cut::Whole, &database, |settings| settings).await.unwrap();
    stock(|domain| on.app().channel(domain, &TestApp::machine())).await.unwrap();
    let mut members = Vec::new();
    for surface in SURFACES {
        members.push(leave(&on, surface).await);
    }
    on.finish().await;

    let off = Platform::begin(engine, Cut::Whole, &database, TestAppBuilder::without_test_vendor).await.unwrap();
    for left in &members {
        let callers = Callers::new(&off, left.surface, &left.me);
        nothing_is_added(off.app(), left, &callers).await;
        match callers.buy(&left.me, &left.unpaid, &left.card).await {
            Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "SAMPLE_TAX_RATE", "{refusal}"),
            other => panic!("sample rates are for trials: {other:?}"),
        }
    }
    let staff = Callers::new(&off, Surface::Rest, "").staff;
    let confirmed = json!({"locality": "TX", "component": "STATE", "category": "IDENTITY_PROTECTION", "ratePpm": 62_500,
        "effectiveFrom": "2026-01-01"});
    good(&staff, "tax.SetTaxRate", confirmed).await;
    for left in &members {
        let callers = Callers::new(&off, left.surface, &left.me);
        purchase_fails(left, &callers).await;
        staff_say_the_outcome(&off, left, &callers).await;
    }
    off.finish().await;

    let on = Platform::begin(engine, Cut::Whole, &database, |settings| settings).await.unwrap();
    for left in &members {
        let callers = Callers::new(&on, left.surface, &left.me);
        callers.buy(&left.me, &left.unpaid, &left.card).await.unwrap();
        until(&callers, &left.me, &left.unpaid, "PROVISIONED").await;
    }
    on.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    run(Engine::Postgres).await;
}
