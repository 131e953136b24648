//! Offer maps (rule 317): made of what an offer sells, and asked for the plans of a choice.

use http::Method;
use pavise_catalog::contract::v1::offer_map_service_client::OfferMapServiceClient;
use pavise_catalog::demo::{BUSINESS_US, Demo, IDENTITY, LEGAL, PERSONAL_US, SMALL_BUSINESS, build_demo};
use pavise_testapp::{Engine, Rest, TestApp, stock};
use serde_json::{Value, json};

use crate::scene::{NOBODY, actions, active_product, id, offer_in, product, staff};

const MAPS: &str = "/v1/offerMaps";

/// A product with two supplements, in an offer that can be bought: the ids of both.
async fn sold(app: &TestApp, rest: &Rest) -> (String, String) {
    let product = active_product(rest, "legal").await;
    let supplements = json!({"supplements": [{"id": "guns", "name": "Guns"}, {"id": "ride", "name": "Ride"}]});
    let _ = rest.post(&format!("/v1/products/{product}/addSupplements"), supplements).await.expect(200);
    let offer = offer_in(app, &product, "AVAILABLE_FOR_SALE").await;
    (product, offer)
}

fn plan(code: &str, supplements: &[&str]) -> Value {
    json!({"id": code, "tierId": "individual", "supplementIds": supplements, "planCode": code})
}

fn map(offer: &str, product: &str, plans: &[Value]) -> Value {
    json!({
        "brand": "pavise",
        "offerId": offer,
        "billingProvider": "SYSTEM I",
        "products": [{"productId": product, "plans": plans}],
    })
}

#[tokio::test]
async fn products_are_added_updated_and_removed() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let (product, offer) = sold(&app, &rest).await;
        let made = rest.post(MAPS, map(&offer, &product, &[plan("P1", &[])])).await.expect(200);
        assert_eq!(made["status"], "ACTIVE");
        let map_id = id(&made);
        let path = format!("{MAPS}/{map_id}");
        let twice = rest.post(MAPS, map(&offer, &product, &[])).await;
        assert_eq!(twice.reason(), "ALREADY_EXISTS", "one for each provider");
        let remove = |product: &str| {
            let (rest, path) = (rest.clone(), format!("{path}/removeProduct?productId={product}"));
            async move { rest.post(&path, json!({})).await }
        };
        assert_eq!(remove(&product).await.expect(200)["products"], json!([]));
        assert_eq!(remove(&product).await.reason(), "ITEM_NOT_FOUND");
        let nameless = json!({"tierId": "individual", "planCode": "P2", "effectiveFrom": "2026-01-01"});
        let mapped = json!({"productId": product, "plans": [nameless]});
        let added = rest.post(&format!("{path}/addProduct"), mapped.clone()).await.expect(200);
        assert_ne!(added["products"][0]["plans"][0]["id"], "");
        assert_eq!(rest.post(&format!("{path}/addProduct"), mapped.clone()).await.reason(), "ITEM_EXISTS");
        let other = json!({"productId": product, "plans": [plan("P3", &["guns"])]});
        let updated = rest.post(&format!("{path}/updateProduct"), other).await.expect(200);
        assert_eq!(updated["products"][0]["plans"][0]["planCode"], "P3");
        assert_eq!(rest.get(&path).await.expect(200), updated);
        let list = rest.get("/v1/brands/pavise/offerMaps").await.expect(200);
        assert_eq!(list["offerMaps"], json!([updated]));
        assert_eq!(rest.get("/v1/brands/other/offerMaps").await.expect(200)["offerMaps"], json!([]));
        let ask = json!({"ids": [NOBODY, map_id]});
        let several = rest.send(Method::GET, &format!("{MAPS}/getByIdList"), Some(ask)).await.expect(200);
        assert_eq!((&several["offerMaps"], &several["notFound"]), (&json!([updated]), &json!([NOBODY])));
        assert_eq!(rest.delete(&path).await.expect(200)["status"], "DELETED");
        assert_eq!(rest.get(&path).await.reason(), "NOT_FOUND");
        let _ = rest.post(MAPS, map(&offer, &product, &[])).await.expect(200);
        let written = actions(&rest, "offerMaps", 0).await.0;
        let expected = ["CREATED", "PRODUCT_REMOVED", "PRODUCT_ADDED", "PRODUCT_UPDATED", "DELETED", "CREATED"];
        assert_eq!(written, expected);
        assert_eq!(rest.get("/v1/offerMaps/journal/maxClock").await.expect(200)["maxClock"], "6");
        app.finish().await;
    }
}

#[tokio::test]
async fn a_map_names_what_its_offer_sells_and_is_never_ambiguous() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let (product_id, offer) = sold(&app, &rest).await;
    let foreign = id(&rest.post("/v1/products", product("other")).await.expect(200));
    let mut tier = plan("P1", &[]);
    tier["tierId"] = json!("family");
    for (body, field) in [
        (map(NOBODY, &product_id, &[]), "offerId"),
        (map(&offer, &foreign, &[]), "products[0].productId"),
        (map(&offer, &product_id, &[tier]), "products[0].plans[0].tierId"),
        (map(&offer, &product_id, &[plan("P1", &["boat"])]), "products[0].plans[0].supplementIds[0]"),
        (map(&offer, &product_id, &[plan("P1", &["guns", "guns"])]), "products[0].plans[0].supplementIds[1]"),
    ] {
        let refused = rest.post(MAPS, body).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec![field]));
    }
    let two = [plan("P1", &["guns", "ride"]), plan("P2", &["ride", "guns"])];
    let refused = rest.post(MAPS, map(&offer, &product_id, &two)).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "OFFER_MAP_AMBIGUOUS"));
    assert_eq!(refused.fields(), ["products[0].plans[1]"]);
    let mut elsewhere = map(&offer, &product_id, &[]);
    elsewhere["brand"] = json!("other");
    assert_eq!(rest.post(MAPS, elsewhere).await.fields(), ["offerId"]);
    let path = format!("{MAPS}/{}", id(&rest.post(MAPS, map(&offer, &product_id, &[])).await.expect(200)));
    let refused = rest.post(&format!("{path}/addProduct"), json!({"productId": foreign})).await;
    assert_eq!(refused.fields(), ["product.productId"]);
    app.finish().await;
}

#[tokio::test]
async fn a_choice_has_its_plans_and_what_it_lacks() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let (product, offer) = sold(&app, &rest).await;
        let ask = |supplements: &[&str], locality: &str| {
            let selection = json!({"productId": product, "tierId": "individual", "supplementIds": supplements});
            let mut body = json!({"selections": [selection], "billingPeriod": "MONTHLY"});
            if !locality.is_empty() {
                body["locality"] = json!(locality);
            }
            let (rest, path) = (rest.clone(), format!("/v1/offers/{offer}/planMap"));
            async move { rest.post(&path, body).await.expect(200) }
        };
        let codes = |answer: &Value| {
            let lines = answer["lines"].as_array().unwrap().iter();
            lines.map(|line| line["planCode"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(ask(&[], "TX").await["unmapped"][0]["reason"], "NO_MAP");
        let mut texas = plan("TEXAS", &[]);
        texas["region"] = json!("TX");
        let mut annual = plan("ANNUAL", &[]);
        annual["billingPeriod"] = json!("ANNUAL");
        let rows = [plan("BARE", &[]), texas, annual, plan("GUNS", &["guns"]), plan("BOTH", &["guns", "ride"])];
        let _ = rest.post(MAPS, map(&offer, &product, &rows)).await.expect(200);
        let clock = rest.get("/v1/offerMaps/journal/maxClock").await.expect(200);
        assert_eq!(codes(&ask(&[], "TX").await), ["TEXAS"]);
        assert_eq!(codes(&ask(&[], "NY").await), ["BARE"]);
        assert_eq!(codes(&ask(&[], "").await), ["BARE"]);
        assert_eq!(codes(&ask(&["ride", "guns"], "TX").await), ["BOTH"]);
        assert_eq!(codes(&ask(&["guns"], "TX").await), ["GUNS"]);
        let part = ask(&["ride"], "NY").await;
        assert_eq!(codes(&part), ["BARE"]);
        let missing = &part["unmapped"][0];
        assert_eq!((&missing["supplementId"], &missing["reason"]), (&json!("ride"), &json!("NO_PLAN")));
        assert_eq!(rest.get("/v1/offerMaps/journal/maxClock").await.expect(200), clock, "it writes nothing");
        let member = app.rest(&TestApp::member("anna"));
        let body = json!({"selections": [{"productId": product, "tierId": "individual"}], "billingPeriod": "MONTHLY"});
        let path = format!("/v1/offers/{offer}/planMap");
        assert_eq!(member.post(&path, body.clone()).await.reason(), "REALM_NOT_ALLOWED");
        assert_eq!(rest.post(&format!("/v1/offers/{NOBODY}/planMap"), body).await.reason(), "NOT_FOUND");
        assert_eq!(rest.post(&path, json!({"billingPeriod": "MONTHLY"})).await.fields(), ["selections"]);
        app.finish().await;
    }
}

/// Every choice of some products: each tier alone, and with each supplement that it can have.
fn choices(demo: &Demo, product_ids: &[&str]) -> Vec<Value> {
    let mut choices = Vec::new();
    for request in demo.products.iter().filter(|request| product_ids.contains(&request.id.as_str())) {
        let product = request.product.as_ref().unwrap();
        let choice = |tier: &str, supplements: &[&str]| json!({"productId": request.id, "tierId": tier, "supplementIds": supplements});
        for tier in &product.tiers {
            choices.push(choice(&tier.id, &[]));
            let fits =
                product.supplements.iter().filter(|one| one.tier_ids.is_empty() || one.tier_ids.contains(&tier.id));
            choices.extend(fits.map(|one| choice(&tier.id, &[&one.id])));
        }
    }
    choices
}

#[tokio::test]
async fn the_demonstration_has_a_complete_map_and_one_that_lacks_a_supplement() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    stock(|domain| app.channel(domain, &TestApp::machine())).await.unwrap();
    let demo = build_demo();
    let mut maps = OfferMapServiceClient::new(app.channel("catalog", &TestApp::machine()));
    for request in demo.offer_maps.clone() {
        maps.create_offer_map(request).await.unwrap();
    }
    let rest = staff(&app);
    let lacking = json!([{"productId": SMALL_BUSINESS, "tierId": "up-to-50", "supplementId": "trial-defense-business",
        "reason": "NO_PLAN"}]);
    for (offer, products, count, lacks) in [
        (PERSONAL_US, [LEGAL, IDENTITY].as_slice(), 12, json!([])),
        (BUSINESS_US, [SMALL_BUSINESS].as_slice(), 3, lacking),
    ] {
        let selections = choices(&demo, products);
        assert_eq!(selections.len(), count, "{offer}");
        for period in ["MONTHLY", "ANNUAL"] {
            let ask = json!({"selections": selections, "billingPeriod": period, "locality": "TX"});
            let planned = rest.post(&format!("/v1/offers/{offer}/planMap"), ask).await.expect(200);
            assert_eq!(planned["unmapped"], lacks, "{offer} {period}");
            assert!(planned["lines"].as_array().unwrap().len() >= count, "{planned}");
        }
    }
    app.finish().await;
}
