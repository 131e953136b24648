//! A purchase and the deletion of a card by staff who act for a member: refused if they may only read, and told to the
//! member by a letter if they may write. Over REST and gRPC, on both engines.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use pavise::wire::{Client, Failure, Surface};
use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use pavise_testapp::{Cut, Engine, Platform, TestApp};
use serde_json::{Value, json};

const SUBJECT: &str = "Our staff changed something in your account";

async fn good(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request.clone()).await.unwrap_or_else(|error| panic!("{name}: {error}\n{request}")).json
}

async fn bad(client: &Client, name: &str, request: Value, reason: &str) {
    match client.call(name, request.clone()).await {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, reason, "{name}: {refusal}\n{request}"),
        other => panic!("{name}: expected {reason}, got {other:?}\n{request}"),
    }
}

/// Somebody, and staff who act for them.
struct Desk<'a> {
    platform: &'a Platform,
    visitor: Client,
    staff: Client,
    member: Client,
    me: String,
    email: String,
}

impl<'a> Desk<'a> {
    async fn new(platform: &'a Platform, surface: Surface) -> Self {
        let visitor = Client::new(platform.addresses()[0], surface, &platform.app().app.pool).unwrap();
        let machine = visitor.with_token(&platform.app().token(&TestApp::machine()));
        let email = format!("ada-{surface:?}@example.com").to_lowercase();
        let wanted = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
        let me = good(&machine, "identities.CreateIdentity", wanted).await["id"].as_str().unwrap().to_owned();
        let staff = visitor.with_token(&platform.app().token(&TestApp::staff()));
        let member = visitor.with_token(&platform.app().token(&TestApp::member(&me)));
        Self { platform, visitor, staff, member, me, email }
    }

    /// Staff acting for the member.
    async fn acting(&self, write: bool) -> Client {
        let ask = json!({"identityId": self.me, "reason": "the member called about an order", "write": write});
        let token = good(&self.staff, "identities.Impersonate", ask).await["accessToken"].clone();
        self.visitor.with_token(token.as_str().unwrap())
    }

    /// The letters that tell the member.
    fn letters(&self) -> usize {
        self.platform.app().mailbox.of(&self.email).iter().filter(|letter| letter.subject == SUBJECT).count()
    }

    /// Waits until the member has more letters than before.
    async fn until_told(&self, before: usize) {
        let there = || async { (self.letters() > before).then_some(()) };
        self.platform.app().eventually("the letter to the member", there).await;
    }

    async fn card(&self) -> Value {
        let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
            "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}});
        let add = json!({"identityId": self.me, "paymentMethod": card});
        good(&self.member, "payment_methods.CreatePaymentMethod", add).await["id"].clone()
    }

    async fn order(&self) -> Value {
        let order = json!({"channel": "BuyNow", "locality": "TX",
            "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}]});
        good(&self.member, "orders.CreateOrder", json!({"identityId": self.me, "order": order})).await["id"].clone()
    }

    async fn until_set_up(&self, order: &Value) {
        let find = json!({"identityId": self.me, "orderId": order});
        let done = || async {
            (good(&self.member, "orders.GetOrder", find.clone()).await["status"] == "PROVISIONED").then_some(())
        };
        self.platform.app().eventually("the plan is set up", done).await;
    }
}

async fn story(desk: &Desk<'_>) {
    let (reader, writer) = (desk.acting(false).await, desk.acting(true).await);
    let (card, spare, order, own_order) =
        (desk.card().await, desk.card().await, desk.order().await, desk.order().await);
    let buy =
        |order: &Value| json!({"identityId": desk.me, "orderId": order, "paymentMethodId": card, "buyAgain": true});
    let drop = |card: &Value| json!({"identityId": desk.me, "paymentMethodId": card});
    let by_impersonator = "payment_methods.DeletePaymentMethodByImpersonator";
    bad(&reader, "orders.PurchaseOrder", buy(&order), "IMPERSONATION_DENIED").await;
    bad(&reader, by_impersonator, drop(&spare), "IMPERSONATION_DENIED").await;
    let kept = good(&reader, "payment_methods.GetPaymentMethod", drop(&spare)).await;
    assert_eq!(kept["status"], "ACTIVE", "what they may do is to read: {kept}");
    let find = json!({"identityId": desk.me, "orderId": order});
    assert_eq!(good(&reader, "orders.GetOrder", find).await["status"], "OPEN");

    good(&desk.member, "orders.PurchaseOrder", buy(&own_order)).await;
    desk.until_set_up(&own_order).await;
    assert_eq!(desk.letters(), 0, "nothing was done in the member's name");
    good(&writer, "orders.PurchaseOrder", buy(&order)).await;
    desk.until_told(0).await;
    desk.until_set_up(&order).await;
    let before = desk.letters();
    bad(&writer, "payment_methods.DeletePaymentMethod", drop(&spare), "IMPERSONATION_DENIED").await;
    bad(&desk.member, by_impersonator, drop(&spare), "NOT_IMPERSONATING").await;
    let gone = good(&writer, by_impersonator, drop(&spare)).await;
    assert_eq!(gone["status"], "INACTIVE", "{gone}");
    desk.until_told(before).await;
}

async fn run(engine: Engine) {
    let platform = Platform::start(engine, Cut::Whole).await.unwrap();
    for surface in [Surface::Rest, Surface::Grpc] {
        story(&Desk::new(&platform, surface).await).await;
    }
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite() {
    run(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres() {
    run(Engine::Postgres).await;
}
