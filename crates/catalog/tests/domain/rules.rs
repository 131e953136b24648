//! Rules of the specification by number, where no other test of the catalog names them.

use pavise_testapp::{Engine, Rest, TestApp};
use serde_json::{Value, json};

use crate::scene::{OFFERS, id, offer, product, staff};

/// An offer of one product, for sale; asks for the price of its only tier with more of a request.
struct Shop {
    visitor: Rest,
    path: String,
    product: String,
}

impl Shop {
    async fn of(app: &TestApp, change: impl FnOnce(&mut Value)) -> Self {
        let rest = staff(app);
        let mut new = product("legal");
        change(&mut new);
        let product = id(&rest.post("/v1/products", new).await.expect(200));
        let _ = rest.post(&format!("/v1/products/{product}/activate"), json!({})).await.expect(200);
        let offer = id(&rest.post(OFFERS, offer(&[&product])).await.expect(200));
        let _ = rest.post(&format!("{OFFERS}/{offer}/readyForSale"), json!({})).await.expect(200);
        Self { visitor: app.visitor(), path: format!("{OFFERS}/{offer}/validateSelections"), product }
    }

    async fn ask(&self, more: Value) -> pavise_testapp::Answer {
        let mut request = json!({"selections": [{"productId": self.product, "tierId": "individual"}]});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.visitor.post(&self.path, request).await
    }

    /// The kinds of the problems.
    async fn problems(&self, more: Value) -> Vec<String> {
        let answer = self.ask(more).await.expect(200);
        let problems = answer["problems"].as_array().unwrap();
        problems.iter().map(|problem| problem["kind"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn rules_86_to_91_and_98_the_locale_gives_the_currency_and_the_period_is_a_month() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let shop = Shop::of(&app, |product| {
        let money = json!({"currency": "CAD", "amount": 3295});
        let canadian = json!({"billingPeriod": "MONTHLY", "initial": money, "renewal": money});
        product["tiers"][0]["prices"].as_array_mut().unwrap().push(canadian);
    })
    .await;
    for (locale, currency, amount) in [
        (json!("en-CA"), "CAD", "3295"),
        (json!("fr-CA"), "CAD", "3295"),
        (json!("en-US"), "USD", "2995"),
        (json!("es-US"), "USD", "2995"),
        (Value::Null, "USD", "2995"),
    ] {
        let answer = shop.ask(json!({"locale": locale})).await.expect(200);
        assert_eq!(answer["initialTotal"], json!({"currency": currency, "amount": amount}), "{locale}");
        assert_eq!(answer["lines"][0]["billingPeriod"], "MONTHLY", "{locale}");
    }
    let other = shop.ask(json!({"locale": "de-DE"})).await;
    assert_eq!((other.status.as_u16(), other.fields()), (400, vec!["locale"]), "ours: there are four");
    app.finish().await;
}

#[tokio::test]
async fn rules_103_to_105_a_tier_is_sold_in_a_period_with_a_price_and_where_the_product_is() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let shop = Shop::of(&app, |product| {
        product["countries"] = json!(["USA"]);
        product["restrictions"] = json!([{"id": "ny", "region": "NY", "type": "NOT_ALLOWED"}]);
    })
    .await;
    assert!(shop.problems(json!({"locality": "TX"})).await.is_empty());
    assert_eq!(shop.problems(json!({"locality": "TX", "billingPeriod": "ANNUAL"})).await, ["PRICE_MISSING"]);
    assert_eq!(shop.problems(json!({"locality": "ON"})).await, ["LOCALITY_NOT_ALLOWED"], "another country");
    assert_eq!(shop.problems(json!({"locality": "NY"})).await, ["LOCALITY_NOT_ALLOWED"], "a region");
    assert_eq!(shop.problems(json!({})).await, ["LOCALITY_MISSING"], "the region is needed");
    app.finish().await;
}

#[tokio::test]
async fn rules_112_and_392_there_is_a_family_of_each_kind_and_it_is_canceled_with_one_l() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let list = rest.get("/v1/productFamilies").await.expect(200);
    let mut kinds: Vec<&str> =
        list["families"].as_array().unwrap().iter().map(|family| family["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["Associate", "Books", "Business", "CDLP", "Identity", "Legal", "Shipping"]);
    let path = format!("/v1/productFamilies/{}/updateStatus", id(&list["families"][0]));
    assert_eq!(rest.post(&format!("{path}/CANCELLED"), json!({})).await.status.as_u16(), 400);
    assert_eq!(rest.post(&format!("{path}/CANCELED"), json!({})).await.expect(200)["status"], "CANCELED");
    app.finish().await;
}

#[tokio::test]
async fn rules_136_and_137_products_take_the_relation_types_any_and_all() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let mut new = product("legal");
    let types = json!(["PRIMARY", "SPOUSE", "ANY", "ALL"]);
    new["tiers"][0]["authorizedUserTypes"] = types.clone();
    let summaries = json!([{"locale": "en-US", "text": "Help"}]);
    new["benefits"] = json!([{"id": "help", "summaries": summaries, "authorizedUserTypes": types}]);
    let made = rest.post("/v1/products", new).await.expect(200);
    assert_eq!(
        (&made["tiers"][0]["authorizedUserTypes"], &made["benefits"][0]["authorizedUserTypes"]),
        (&types, &types)
    );
    app.finish().await;
}

#[tokio::test]
async fn rule_189_a_product_of_an_offer_is_set_up_at_once_or_on_first_use() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let shop = Shop::of(&app, |_| ()).await;
    assert_eq!(shop.ask(json!({})).await.expect(200)["lines"][0]["provisionType"], "IMMEDIATE", "not set");
    let offer = shop.path.trim_end_matches("/validateSelections");
    for (path, provision) in [("onFirstUse", "ON_FIRST_USE"), ("immediate", "IMMEDIATE")] {
        let call = format!("{offer}/products/{}/provisionType/{path}", shop.product);
        let _ = staff(&app).post(&call, json!({})).await.expect(200);
        assert_eq!(shop.ask(json!({})).await.expect(200)["lines"][0]["provisionType"], provision);
    }
    app.finish().await;
}
