//! Versions of products over REST, gRPC and gRPC-web, on both engines: a member has the version that they bought, and its
//! contracts for the state of use, until the plan is changed for another.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::sync::Mutex;

use pavise::wire::{Client, Failure, Surface};
use pavise_catalog::demo::{BRAND, IDENTITY, LEGAL, PERSONAL_US};
use pavise_testapp::{Cut, Engine, Platform, TestApp, store_document};
use serde_json::{Value, json};

const LEGAL_CONTRACT: &str = "legal-contract";

struct Shop<'a> {
    platform: &'a Platform,
    staff: Client,
    member: Client,
    me: String,
    /// The ids of the documents that were published, by their names.
    documents: &'a Mutex<BTreeMap<String, String>>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

/// The number of the product's version on a plan, a line or a product.
fn version(value: &Value) -> i64 {
    value["productVersion"].as_i64().unwrap_or_default()
}

/// The contracts of a plan with their documents.
fn contracts(plan: &Value) -> Vec<(String, String)> {
    let contracts = plan["contracts"].as_array().cloned().unwrap_or_default();
    contracts.iter().map(|one| (text(&one["id"]), one["documentId"].as_str().unwrap_or_default().to_owned())).collect()
}

async fn good(client: &Client, name: &str, request: Value) -> Value {
    client.call(name, request.clone()).await.unwrap_or_else(|error| panic!("{name}: {error}\n{request}")).json
}

/// A request that names a version that there is not.
async fn unknown_version(client: &Client, name: &str, mut request: Value) {
    request["productVersion"] = json!(999);
    match client.call(name, request).await {
        Err(Failure::Refused(refusal)) => {
            assert_eq!((refusal.reason.as_str(), refusal.fields), ("INVALID_FIELD", vec!["productVersion".to_owned()]));
        }
        other => panic!("{name}: {other:?}"),
    }
}

fn dry(client: &Client) -> Client {
    client.with("pavise-validate-only", "true")
}

impl Shop<'_> {
    /// Names other documents in the contracts of a product, freezes it, and answers the new version.
    async fn publish(&self, product: &str) -> i64 {
        let mut contracts = good(&self.staff, "products.GetProduct", json!({"productId": product})).await;
        let next = version(&contracts) + 1;
        let mut contracts = contracts["contracts"].take();
        for contract in contracts.as_array_mut().unwrap() {
            let name = text(&contract["id"]);
            contract["documentId"] = self.store(format!("{name}@{next}")).await;
            for variant in contract["variants"].as_array_mut().unwrap() {
                let state = text(&variant["region"]).to_lowercase();
                variant["documentId"] = self.store(format!("{name}-{state}@{next}")).await;
            }
        }
        let write = json!({"productId": product, "contracts": contracts});
        good(&self.staff, "products.UpdateContracts", write).await;
        let made = good(&self.staff, "products.VersionProduct", json!({"productId": product})).await;
        assert_eq!(version(&made), next);
        next
    }

    /// Stores a document of a contract, and answers its id.
    async fn store(&self, name: String) -> Value {
        let documents = self.platform.app().channel("documents", &TestApp::staff());
        let id = store_document(documents, &format!("{name}.pdf")).await.unwrap().id;
        self.documents.lock().unwrap().insert(name, id.clone());
        json!(id)
    }

    /// The id of a published document.
    fn document(&self, name: &str) -> String {
        self.documents.lock().unwrap()[name].clone()
    }

    /// The legal contract of a version, for a state that has its own.
    fn legal(&self, state: &str, version: i64) -> (String, String) {
        (LEGAL_CONTRACT.to_owned(), self.document(&format!("{LEGAL_CONTRACT}-{state}@{version}")))
    }

    async fn plan(&self, id: &Value) -> Value {
        let find = json!({"identityId": self.me, "entitlementId": id});
        good(&self.member, "entitlements.GetEntitlement", find).await
    }

    /// The plan, once it is as it should be.
    async fn plan_with(&self, id: &Value, field: &str, value: Value) -> Value {
        let (id, value) = (&id, &value);
        let done = || async move { Some(self.plan(id).await).filter(|plan| plan[field] == *value) };
        self.platform.app().eventually("the plan is changed", done).await
    }

    async fn pay(&self, order: &Value) -> Value {
        let card = json!({"type": "CREDIT_CARD", "vendor": "TEST", "vendorToken": "test_4111111111111111",
            "card": {"brand": "VISA", "last4": "1111", "expiryMonth": 12, "expiryYear": 2099, "holderName": "Ada Example"}});
        let add = json!({"identityId": self.me, "paymentMethod": card});
        let card = good(&self.member, "payment_methods.CreatePaymentMethod", add).await;
        json!({"identityId": self.me, "orderId": order["id"], "paymentMethodId": card["id"]})
    }

    /// Sets when the products of the offer are set up.
    async fn set_up(&self, call: &str) {
        for product in [LEGAL, IDENTITY] {
            let when = json!({"brand": BRAND, "offerId": PERSONAL_US, "productId": product});
            good(&self.staff, &format!("offers.{call}"), when).await;
        }
    }

    /// The provision of an order, once it is there.
    async fn provision(&self, order: &Value) -> Value {
        let find = json!({"identityId": self.me, "orderId": order["id"]});
        let made = || async {
            let found = good(&self.staff, "provision.ListProvisions", find.clone()).await;
            found["provisions"].get(0).cloned()
        };
        self.platform.app().eventually("the order is handed to fulfillment", made).await
    }
}

/// Two products are bought; each is versioned before the purchase and between the purchase and the setup.
async fn bought(shop: &Shop<'_>) -> Value {
    shop.publish(LEGAL).await;
    shop.set_up("ProvisionOnFirstUse").await;
    let selections = [LEGAL, IDENTITY].map(|product| json!({"productId": product, "tierId": "family"}));
    let order = json!({"channel": "BuyNow", "locality": "TX", "personalInfo": {"firstName": "Ada", "lastName": "Example",
        "email": "ada@example.com"}, "offers": [{"brand": BRAND, "offerId": PERSONAL_US, "selections": selections}]});
    let order = good(&shop.member, "orders.CreateOrder", json!({"identityId": shop.me, "order": order})).await;
    let now = good(&shop.staff, "products.GetProduct", json!({"productId": IDENTITY})).await;
    let sold = [shop.publish(LEGAL).await, version(&now)];
    let versions = |order: &Value| [0, 1].map(|at| order["offers"][0]["lines"][at]["productVersion"].as_i64());
    assert_eq!(versions(&order), [sold[0] - 1, sold[1]].map(Some), "{order}");

    let buy = shop.pay(&order).await;
    let tried = good(&dry(&shop.member), "orders.PurchaseOrder", buy.clone()).await;
    let keyed = shop.member.with("idempotency-key", &format!("buy {}", order["id"]));
    let paid = good(&keyed, "orders.PurchaseOrder", buy.clone()).await;
    assert_eq!((versions(&tried), versions(&paid)), (sold.map(Some), sold.map(Some)), "frozen at the purchase");
    let waiting = shop.provision(&order).await;
    for product in [LEGAL, IDENTITY] {
        shop.publish(product).await;
    }
    assert_eq!(good(&keyed, "orders.PurchaseOrder", buy).await, paid, "a replay");
    shop.set_up("ProvisionImmediately").await;
    let start = json!({"provisionIds": [waiting["id"]]});
    good(&shop.member, "provision.ProcessProvisions", start).await;
    let find = json!({"identityId": shop.me, "orderId": order["id"]});
    let done = || async {
        let order = good(&shop.member, "orders.GetOrder", find.clone()).await;
        (order["status"] == "PROVISIONED").then_some(order)
    };
    let order = shop.platform.app().eventually("the plans are set up", done).await;
    assert_eq!(versions(&order), sold.map(Some), "the order still says it");
    let plans = good(&shop.member, "entitlements.ListEntitlements", find).await;
    let of = |product: &str| {
        let plans = plans["entitlements"].as_array().unwrap();
        plans.iter().find(|plan| plan["productId"] == product).unwrap().clone()
    };
    assert_eq!([version(&of(LEGAL)), version(&of(IDENTITY))], sold, "{plans}");
    assert_eq!(contracts(&of(LEGAL)), [shop.legal("tx", sold[0])]);
    of(LEGAL)
}

/// Staff give a plan: it has a number, the newest version or the named one, and the contracts of that version.
async fn given(shop: &Shop<'_>) {
    let newest = shop.publish(LEGAL).await;
    let wanted = json!({"identityId": shop.me, "productId": LEGAL, "tierId": "family", "serviceArea": "NY"});
    let create = "entitlements.CreateEntitlement";
    let tried = good(&dry(&shop.staff), create, wanted.clone()).await;
    let keyed = shop.staff.with("idempotency-key", &format!("give {}", shop.me));
    let made = good(&keyed, create, wanted.clone()).await;
    for plan in [&tried, &made] {
        assert_eq!((version(plan), contracts(plan)), (newest, vec![shop.legal("ny", newest)]), "{plan}");
        assert_eq!(plan["contracts"][0]["effectiveOn"], plan["effectiveOn"]);
        let number = text(&plan["friendlyId"]);
        assert!(number.len() == 14 && number.bytes().all(|byte| byte.is_ascii_digit()), "{number}");
    }
    shop.publish(LEGAL).await;
    assert_eq!(good(&keyed, create, wanted.clone()).await, made, "a replay");
    let mut earlier = wanted.clone();
    earlier["productVersion"] = json!(newest - 1);
    let plan = good(&shop.staff, create, earlier).await;
    assert_eq!((version(&plan), contracts(&plan)), (newest - 1, vec![shop.legal("ny", newest - 1)]));
    unknown_version(&shop.staff, create, wanted).await;
}

/// A plan moves to another state in its version. Contracts that are not of the product stay.
async fn moved(shop: &Shop<'_>, plan: &Value) {
    let own = json!({"id": "side-letter", "type": "AMENDMENT", "documentId": "letter"});
    let add = json!({"identityId": shop.me, "entitlementId": plan["id"], "contracts": [own]});
    good(&shop.staff, "entitlements.AddContracts", add).await;
    let letter = ("side-letter".to_owned(), "letter".to_owned());
    let to = |state: &str| json!({"identityId": shop.me, "entitlementId": plan["id"], "serviceArea": state});
    let change = "entitlements.ChangeServiceArea";
    let tried = good(&dry(&shop.member), change, to("NY")).await;
    assert_eq!(contracts(&shop.plan(&plan["id"]).await)[0], shop.legal("tx", version(plan)), "a dry run");
    let there = good(&shop.member, change, to("NY")).await;
    for answer in [&tried, &there] {
        assert_eq!((version(answer), &answer["serviceArea"]), (version(plan), &json!("NY")));
        assert_eq!(contracts(answer), [shop.legal("ny", version(plan)), letter.clone()]);
    }
    assert_eq!(good(&shop.member, change, to("NY")).await, there, "a repeat changes nothing");
    let document = shop.document(&format!("{LEGAL_CONTRACT}@{}", version(plan)));
    let without = good(&shop.member, change, to("OK")).await;
    assert_eq!(
        contracts(&without),
        [(LEGAL_CONTRACT.to_owned(), document), letter],
        "a state without a document of its own"
    );
    good(&shop.member, change, to("TX")).await;
}

/// Another product or tier comes in its newest version with the contracts of that; other supplements leave both.
async fn changed(shop: &Shop<'_>, plan: &Value) {
    let (bought, letter) = (version(plan), ("side-letter".to_owned(), "letter".to_owned()));
    let to = |product: &str, tier: &str, more: Value| {
        let mut wanted =
            json!({"identityId": shop.me, "entitlementId": plan["id"], "productId": product, "tierId": tier});
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        wanted
    };
    let change = "entitlements.ChangeProduct";
    let more = good(&shop.staff, change, to(LEGAL, "family", json!({"supplementIds": ["trial-defense"]}))).await;
    assert_eq!((version(&more), contracts(&more)[0].clone()), (bought, shop.legal("tx", bought)));

    let newest = shop.publish(LEGAL).await;
    let smaller = to(LEGAL, "individual", json!({}));
    let tried = good(&dry(&shop.staff), change, smaller.clone()).await;
    let keyed = shop.staff.with("idempotency-key", &format!("change {}", plan["id"]));
    let made = good(&keyed, change, smaller.clone()).await;
    for answer in [&tried, &made] {
        assert_eq!((version(answer), contracts(answer)), (newest, vec![shop.legal("tx", newest), letter.clone()]));
    }
    let terms = shop.publish(IDENTITY).await;
    assert_eq!(good(&keyed, change, smaller).await, made, "a replay");
    let other = good(&shop.staff, change, to(IDENTITY, "individual", json!({}))).await;
    let own = ("identity-contract".to_owned(), shop.document(&format!("identity-contract@{terms}")));
    assert_eq!((version(&other), contracts(&other)), (terms, vec![letter.clone(), own]), "none of the other product");
    let back = to(LEGAL, "family", json!({"productVersion": bought}));
    let back = good(&shop.staff, change, back).await;
    assert_eq!(
        (version(&back), contracts(&back)),
        (bought, vec![letter, shop.legal("tx", bought)]),
        "the named version"
    );
    unknown_version(&shop.staff, change, to(LEGAL, "individual", json!({}))).await;
}

/// A member's plan change takes the version that was sold when they asked for it. Supplements that are ordered leave it.
async fn asked(shop: &Shop<'_>, plan: &Value) {
    let newest = shop.publish(LEGAL).await;
    let wish = json!({"identityId": shop.me, "entitlementId": plan["id"], "brand": BRAND, "offerId": PERSONAL_US,
        "productId": LEGAL, "tierId": "individual", "billingPeriod": "MONTHLY", "currency": "USD"});
    let change = good(&shop.member, "provision.SubmitPlanChanges", wish).await;
    assert_eq!(version(&change["lines"][0]), newest);
    shop.publish(LEGAL).await;
    let process = json!({"provisionIds": [change["id"]]});
    good(&shop.staff, "provision.ProcessPlanChanges", process).await;
    let made = shop.plan_with(&plan["id"], "tierId", json!("individual")).await;
    assert_eq!(version(&made), newest);
    assert!(contracts(&made).contains(&shop.legal("tx", newest)), "{made}");

    let sold = shop.publish(LEGAL).await;
    let add = json!({"identityId": shop.me, "entitlementId": plan["id"], "brand": BRAND, "offerId": PERSONAL_US,
        "supplementIds": ["ride-share"]});
    let order = good(&shop.member, "orders.AddSupplements", add).await;
    assert_eq!(version(&order["offers"][0]["lines"][0]), sold);
    let buy = shop.pay(&order).await;
    good(&shop.member, "orders.PurchaseOrder", buy).await;
    let more = shop.plan_with(&plan["id"], "supplementIds", json!(["ride-share"])).await;
    assert_eq!((version(&more), contracts(&more)), (newest, contracts(&made)));
}

/// The next version drops a benefit: who bought the one before still has it, and a new buyer does not.
async fn dropped(shop: &Shop<'_>) {
    let help = json!({"id": "help", "summaries": [{"locale": "en-US", "text": "Help on Sundays"}]});
    good(&shop.staff, "products.AddBenefits", json!({"productId": LEGAL, "benefits": [help]})).await;
    let give = json!({"identityId": shop.me, "productId": LEGAL, "tierId": "family", "serviceArea": "NY"});
    let with = shop.publish(LEGAL).await;
    let before = good(&shop.staff, "entitlements.CreateEntitlement", give.clone()).await;
    let remove = json!({"productId": LEGAL, "benefitIds": ["help"]});
    good(&shop.staff, "products.RemoveBenefits", remove).await;
    let made = good(&shop.staff, "products.VersionProduct", json!({"productId": LEGAL})).await;
    let after = good(&shop.staff, "entitlements.CreateEntitlement", give).await;
    for (plan, number, has) in [(&before, with, true), (&after, version(&made), false)] {
        assert_eq!(version(&shop.plan(&plan["id"]).await), number);
        let ask = json!({"productId": LEGAL, "version": number});
        let bought = good(&shop.member, "products.GetProductVersion", ask).await;
        let benefits = bought["product"]["benefits"].as_array().unwrap();
        assert_eq!(benefits.iter().any(|benefit| benefit["id"] == "help"), has, "version {number}");
    }
    let same = good(&shop.staff, "products.VersionProduct", json!({"productId": LEGAL})).await;
    assert_eq!(same, made, "nothing changed since");
}

async fn run(engine: Engine) {
    let platform = Platform::start(engine, Cut::Whole).await.unwrap();
    let token = |caller| platform.app().token(&caller);
    let documents = Mutex::new(BTreeMap::new());
    for surface in Surface::ALL {
        let client = Client::new(platform.addresses()[0], surface, &platform.app().app.pool).unwrap();
        let wanted = json!({"realm": "User", "emails": [format!("ada-{surface:?}@example.com").to_lowercase()],
            "password": "correct horse battery"});
        let machine = client.with_token(&token(TestApp::machine()));
        let me = text(&good(&machine, "identities.CreateIdentity", wanted).await["id"]);
        let member = client.with_token(&token(TestApp::member(&me)));
        let staff = client.with_token(&token(TestApp::staff()));
        let shop = Shop { platform: &platform, staff, member, me, documents: &documents };
        let plan = bought(&shop).await;
        given(&shop).await;
        moved(&shop, &plan).await;
        changed(&shop, &plan).await;
        asked(&shop, &plan).await;
        dropped(&shop).await;
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
