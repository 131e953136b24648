//! Benefits (rules 138, 220, 279, 387, 393): made, promised, changed, canceled, deleted.

use pavise_testapp::{Engine, TestApp};
use serde_json::{Value, json};

use crate::scene::{NOBODY, actions, id, product, staff};

const BENEFITS: &str = "/v1/benefits";

/// A benefit with everything that callers see differently.
fn benefit(internal_name: &str) -> Value {
    json!({
        "name": "Will",
        "internalName": internal_name,
        "descriptions": [{"locale": "en-US", "text": "A will, written for you."}],
        "productTypes": ["INDIVIDUAL", "FAMILY"],
        "authorizedUserTypes": ["PRIMARY", "SPOUSE", "ANY", "ALL"],
        "areaOfLawIds": ["WL"],
        "regions": ["TX"],
        "limit": {"amount": 1, "unit": "DOCUMENTS", "per": "YEAR"},
        "waitingDays": 30,
        "untilAge": 26,
        "provisioning": {"vendor": "Wills", "type": "ON_FIRST_USE", "address": "https://wills.example.com"},
    })
}

#[tokio::test]
async fn it_is_activated_and_canceled_and_then_deleted() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let made = rest.post(BENEFITS, benefit("will")).await.expect(200);
        assert_eq!(made["status"], "CREATED");
        let path = format!("{BENEFITS}/{}", id(&made));
        let step = |call: &'static str| {
            let (rest, path) = (rest.clone(), format!("{path}/{call}"));
            async move { rest.post(&path, json!({})).await }
        };
        assert_eq!(step("cancel").await.reason(), "STATUS_NOT_ALLOWED");
        assert_eq!(step("activate").await.expect(200)["status"], "ACTIVE");
        assert_eq!(rest.delete(&path).await.reason(), "STATUS_NOT_ALLOWED");
        assert_eq!(step("cancel").await.expect(200)["status"], "INACTIVE");
        assert_eq!(step("activate").await.expect(200)["status"], "ACTIVE");
        assert_eq!(step("cancel").await.expect(200)["status"], "INACTIVE");
        let mut new = benefit("will");
        new["waitingDays"] = json!(0);
        assert_eq!(rest.put(&path, new).await.expect(200)["waitingDays"], 0);
        assert_eq!(rest.delete(&path).await.expect(200)["status"], "DELETE");
        assert_eq!(rest.get(&path).await.reason(), "NOT_FOUND");
        let (written, _) = actions(&rest, "benefits", 0).await;
        assert_eq!(written, ["CREATE", "ACTIVATE", "DEACTIVATE", "ACTIVATE", "DEACTIVATE", "CHANGE", "DELETE"]);
        assert_eq!(rest.get("/v1/benefits/journal/maxClock").await.expect(200)["maxClock"], "7");
        app.finish().await;
    }
}

#[tokio::test]
async fn each_part_has_a_call_and_an_action() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let path = format!("{BENEFITS}/{}", id(&rest.post(BENEFITS, benefit("will")).await.expect(200)));
    let text = json!([{"locale": "fr-CA", "text": "Testament"}]);
    let parts = [
        ("Descriptions", "descriptions", text.clone(), "UPDATE_DESCRIPTIONS"),
        ("FriendlyTranslations", "friendlyTranslations", text.clone(), "UPDATE_FRIENDLY_TRANSLATIONS"),
        ("Name", "name", json!("Last will"), "UPDATE_NAME"),
        ("Categories", "categories", json!([{"id": "c", "names": text}]), "UPDATE_CATEGORIES"),
    ];
    let mut expected = Vec::new();
    for (call, field, value, action) in parts {
        let changed = rest.post(&format!("{path}/update{call}"), json!({field: value})).await.expect(200);
        assert_eq!(changed[field], value, "{call}");
        expected.push(action);
    }
    let marketing = json!({"marketing": [{"locale": "en-US", "headline": "Sleep well"}]});
    let changed = rest.post(&format!("{path}/updateMarketingData"), marketing).await.expect(200);
    assert_eq!(changed["marketing"][0]["headline"], "Sleep well");
    let provisioning = json!({"provisioning": {"type": "IMMEDIATE"}});
    let changed = rest.post(&format!("{path}/updateProvisioning"), provisioning).await.expect(200);
    assert_eq!(
        (&changed["provisioning"]["type"], &changed["provisioning"]["vendor"]),
        (&json!("IMMEDIATE"), &json!(""))
    );
    let named = rest.post(&format!("{path}/updateInternalName?internalName=last-will"), json!({})).await.expect(200);
    assert_eq!(named["internalName"], "last-will");
    let fact = |query: &'static str| {
        let (rest, path) = (rest.clone(), format!("{path}/updateProvisioningMetaData?{query}"));
        async move { rest.post(&path, json!({})).await }
    };
    assert_eq!(fact("key=sku&value=7").await.expect(200)["metadata"], json!([{"key": "sku", "value": "7"}]));
    assert_eq!(fact("key=sku&value=").await.expect(200)["metadata"], json!([]));
    assert_eq!(fact("key=%20&value=7").await.fields(), ["key"]);
    expected.extend(["UPDATE_MARKETING_DATA", "UPDATE_PROVISIONING", "UPDATE_INTERNAL_NAME"]);
    expected.extend(["UPDATE_PROVISIONING_METADATA"; 2]);
    let (written, _) = actions(&rest, "benefits", 1).await;
    assert_eq!(written, expected);
    assert_eq!(rest.post(BENEFITS, benefit("LAST-WILL")).await.reason(), "ALREADY_EXISTS");
    app.finish().await;
}

#[tokio::test]
async fn callers_see_active_benefits_each_in_their_view() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let active = id(&rest.post(BENEFITS, benefit("will")).await.expect(200));
    let path = format!("{BENEFITS}/{active}");
    let _ = rest.post(&format!("{path}/activate"), json!({})).await.expect(200);
    let _ = rest.post(&format!("{path}/updateProvisioningMetaData?key=sku&value=7"), json!({})).await.expect(200);
    let hidden = id(&rest.post(BENEFITS, benefit("hidden")).await.expect(200));
    let by_ids = format!("{BENEFITS}/getBenefitsByIdList");
    for (reader, internal, setup) in [
        (rest.clone(), true, true),
        (app.rest(&TestApp::member("anna")), false, true),
        (app.rest(&TestApp::group_admin("carol", &["globex"])), false, true),
        (app.visitor(), false, false),
    ] {
        let one = reader.get(&path).await.expect(200);
        let ask = json!({"ids": [hidden, active, NOBODY]});
        let several = reader.post(&by_ids, ask).await.expect(200);
        let found = several["benefits"].as_array().unwrap();
        assert_eq!(found.len(), if internal { 2 } else { 1 });
        assert_eq!(*found.last().unwrap(), one, "the order asked");
        let missing = if internal { json!([NOBODY]) } else { json!([hidden, NOBODY]) };
        assert_eq!(several["notFound"], missing);
        let list = reader.get(BENEFITS).await.expect(200);
        assert_eq!(list["benefits"].as_array().unwrap().len(), if internal { 2 } else { 1 });
        let text = one.to_string();
        assert_eq!(text.contains("\"will\""), internal, "{text}");
        assert_eq!(text.contains("sku"), internal, "{text}");
        assert_eq!(text.contains("wills.example.com"), setup, "{text}");
        assert!(text.contains("A will, written for you."));
        assert_eq!(reader.get(&format!("{BENEFITS}/{hidden}")).await.status.as_u16(), if internal { 200 } else { 404 });
    }
    let many: Vec<String> = (0..501).map(|number| format!("b{number}")).collect();
    assert_eq!(rest.post(&by_ids, json!({"ids": many})).await.fields(), ["ids"]);
    assert_eq!(app.visitor().post(BENEFITS, benefit("mine")).await.reason(), "TOKEN_MISSING");
    app.finish().await;
}

#[tokio::test]
async fn a_benefit_stays_while_a_product_names_it_and_products_name_benefits_that_exist() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let made = id(&rest.post(BENEFITS, benefit("will")).await.expect(200));
        let named = |benefit: &str| json!([{"id": "will", "benefitId": benefit, "summaries": [{"locale": "en-US", "text": "A will"}]}]);
        let mut new = product("legal");
        new["benefits"] = named(NOBODY);
        assert_eq!(rest.post("/v1/products", new.clone()).await.fields(), ["product.benefits[0].benefitId"]);
        new["benefits"] = named(&made);
        let product = format!("/v1/products/{}", id(&rest.post("/v1/products", new.clone()).await.expect(200)));
        new["benefits"] = named(NOBODY);
        assert_eq!(rest.put(&product, new).await.fields(), ["product.benefits[0].benefitId"]);
        for call in ["addBenefits", "updateBenefits"] {
            let refused = rest.post(&format!("{product}/{call}"), json!({"benefits": named(NOBODY)})).await;
            assert_eq!(refused.fields(), ["benefits[0].benefitId"], "{call}");
        }
        let refused = rest.delete(&format!("{BENEFITS}/{made}")).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "BENEFIT_IN_USE"));
        let remove = json!({"benefitIds": ["will"]});
        let _ = rest.post(&format!("{product}/removeBenefits"), remove).await.expect(200);
        let _ = rest.delete(&format!("{BENEFITS}/{made}")).await.expect(200);
        app.finish().await;
    }
}

#[tokio::test]
async fn wrong_content_is_refused_with_its_fields() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    for (field, value, path) in [
        ("limit", json!({"amount": 101, "unit": "PERCENT_OFF", "per": "YEAR"}), "benefit.limit.amount"),
        ("limit", json!({"amount": 0, "unit": "USES", "per": "YEAR"}), "benefit.limit.amount"),
        ("limit", json!({"amount": 1, "unit": "USES"}), "benefit.limit.per"),
        ("regions", json!(["TX", "TX"]), "benefit.regions[1]"),
        ("untilAge", json!(121), "benefit.untilAge"),
        ("provisioning", json!({"type": "IMMEDIATE", "address": "javascript:x"}), "benefit.provisioning.address"),
        (
            "descriptions",
            json!([{"locale": "en-US", "text": "a"}, {"locale": "en-US", "text": "b"}]),
            "benefit.descriptions[1].locale",
        ),
    ] {
        let mut new = benefit("will");
        new[field] = value;
        let refused = rest.post(BENEFITS, new).await;
        assert_eq!((refused.status.as_u16(), refused.fields()), (400, vec![path]));
    }
    app.finish().await;
}
