//! Nobody pays with what is not theirs, or what nothing owes: over REST, gRPC and gRPC-web, on both engines.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use pavise::wire::{Client, Failure, Surface};
use pavise_catalog::demo::{BRAND, LEGAL, PERSONAL_US};
use pavise_testapp::{Cut, Engine, Platform, TestApp};
use serde_json::{Value, json};

/// The callers of one surface.
struct Shop<'a> {
    platform: &'a Platform,
    visitor: Client,
    staff: Client,
    member: Client,
    me: String,
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

fn card() -> Value {
    json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
        "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}})
}

fn draft() -> Value {
    json!({"channel": "BuyNow", "locality": "TX",
        "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": [{"productId": LEGAL, "tierId": "family"}]}]})
}

impl Shop<'_> {
    /// The member's own card, and one that the group acme added for them.
    async fn cards(&self) -> (Value, Value) {
        let own = json!({"identityId": self.me, "paymentMethod": card()});
        let own = good(&self.member, "payment_methods.CreatePaymentMethod", own).await;
        let employers = json!({"groupId": "acme", "identityId": self.me, "paymentMethod": card()});
        let employers = good(&self.staff, "payment_methods.CreateGroupPaymentMethod", employers).await;
        (own["id"].clone(), employers["id"].clone())
    }

    /// A member neither charges a card by themselves nor pays a private invoice with their employer's.
    async fn employers_card(&self) {
        let (own, employers) = self.cards().await;
        let usd = |amount: &str| json!({"currency": "USD", "amount": amount});
        for method in [&own, &employers] {
            let charge = json!({"identityId": self.me, "paymentMethodId": method, "amount": usd("99900")});
            for call in ["CreateCharge", "CreateSale", "CreateAuthorization"] {
                let call = format!("payment_methods.{call}");
                bad(&self.member, &call, charge.clone(), "REALM_NOT_ALLOWED").await;
                bad(&self.staff, &call, charge.clone(), "INVALID_FIELD").await;
            }
        }
        let raise = json!({"identityId": self.me, "currency": "USD",
            "items": [{"type": "ORDER", "amount": usd("700"), "description": "a letter"}]});
        let invoice = good(&self.staff, "invoices.CreateInvoice", raise).await;
        let with =
            |method: &Value| json!({"identityId": self.me, "invoiceId": invoice["id"], "paymentMethodId": method});
        for call in ["invoices.PayInvoice", "invoices.UpdateInvoicePaymentMethod"] {
            bad(&self.member, call, with(&employers), "PAYMENT_METHOD_NOT_CHARGEABLE").await;
        }
        good(&self.member, "invoices.UpdateInvoicePaymentMethod", with(&own)).await;
        let paid = good(&self.member, "invoices.PayInvoice", with(&own)).await;
        assert_eq!(paid["status"], "PAID", "{paid}");
    }

    /// Members do not say who is credited with a sale, or which system bills it.
    async fn credited(&self) {
        let credits = [
            json!({"source": {"name": "site", "associateId": "mallory"}}),
            json!({"classicIds": [{"type": "Member", "value": "1"}]}),
            json!({"billingProvider": "SYSTEM I"}),
            json!({"vendor": "mallory"}),
            json!({"coBrandPartner": "SOFI"}),
            json!({"marketingChannel": "LSA_PLUS"}),
        ];
        for credit in credits {
            let mut order = draft();
            order.as_object_mut().unwrap().extend(credit.as_object().unwrap().clone());
            let request = json!({"identityId": self.me, "order": order});
            bad(&self.member, "orders.CreateOrder", request.clone(), "INVALID_FIELD").await;
            bad(&self.visitor, "orders.CreateAnonymousOrder", json!({"order": order}), "INVALID_FIELD").await;
            good(&self.staff, "orders.CreateOrder", request).await;
        }
        let mut order = draft();
        order["source"] = json!({"name": "site", "campaignId": "spring"});
        let order = good(&self.member, "orders.CreateOrder", json!({"identityId": self.me, "order": order})).await;
        let source = |source: Value| json!({"orderId": order["id"], "source": source});
        let credited = source(json!({"name": "site", "associateId": "mallory"}));
        bad(&self.member, "orders.UpdateSource", credited.clone(), "INVALID_FIELD").await;
        good(&self.member, "orders.UpdateSource", source(json!({"name": "site", "siteName": "ann"}))).await;
        good(&self.staff, "orders.UpdateSource", credited).await;
    }

    /// An order that the classic system bills is set up, and neither charged nor subscribed here.
    async fn billed_elsewhere(&self) {
        let (own, _) = self.cards().await;
        let mut order = draft();
        order["billingProvider"] = json!("SYSTEM I");
        let order = good(&self.staff, "orders.CreateOrder", json!({"identityId": self.me, "order": order})).await;
        let buy = json!({"identityId": self.me, "orderId": order["id"], "paymentMethodId": own});
        good(&self.staff, "orders.PurchaseOrder", buy).await;
        let find = json!({"identityId": self.me, "orderId": order["id"]});
        let done = || async {
            let order = good(&self.member, "orders.GetOrder", find.clone()).await;
            (order["status"] == "PROVISIONED").then_some(order)
        };
        let order = self.platform.app().eventually("the plan is set up", done).await;
        assert!(order.get("invoiceId").is_none_or(|id| id == ""), "{order}");
        let subscriptions = good(&self.member, "subscriptions.ListSubscriptions", json!({"identityId": self.me})).await;
        assert!(subscriptions["subscriptions"].as_array().is_none_or(Vec::is_empty), "{subscriptions}");
    }
}

async fn run(engine: Engine) {
    let platform = Platform::start(engine, Cut::Whole).await.unwrap();
    for surface in Surface::ALL {
        let visitor = Client::new(platform.addresses()[0], surface, &platform.app().app.pool).unwrap();
        let staff = visitor.with_token(&platform.app().token(&TestApp::staff()));
        let email = format!("ada-{surface:?}@example.com").to_lowercase();
        let wanted = json!({"realm": "User", "emails": [email], "password": "correct horse battery"});
        let made = good(&staff, "identities.CreateIdentity", wanted).await;
        let me = made["id"].as_str().unwrap().to_owned();
        let member = visitor.with_token(&platform.app().token(&TestApp::member(&me)));
        let shop = Shop { platform: &platform, visitor, staff, member, me };
        let vendors = good(&shop.visitor, "payment_methods.ListPaymentVendors", json!({})).await;
        assert_eq!(vendors["vendors"], json!(["TEST"]), "{vendors}");
        shop.employers_card().await;
        shop.credited().await;
        shop.billed_elsewhere().await;
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

#[tokio::test(flavor = "multi_thread")]
async fn no_card_is_added_where_no_vendor_is_on() {
    let app = TestApp::on(Engine::Sqlite).without_test_vendor().start().await.unwrap();
    let refused = app.rest(&TestApp::member("ada")).post("/v1/identities/ada/paymentMethods", card()).await;
    assert_eq!(refused.reason(), "VENDOR_NOT_CONFIGURED");
    let vendors = app.visitor().get("/v1/paymentMethods/vendors").await.expect(200);
    assert!(vendors["vendors"].as_array().is_none_or(Vec::is_empty), "{vendors}");
    app.finish().await;
}
