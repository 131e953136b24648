//! The depth of products: prices in force, parts that offers name, offers on trial.

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{OFFERS, active_product, id, offer, product, staff};

#[tokio::test]
async fn a_price_in_force_gets_a_last_day_and_another_begins() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let path = format!("/v1/products/{}", active_product(&rest, "legal").await);
        let tier = product("legal")["tiers"][0].clone();
        let put = |tier: serde_json::Value| {
            let (rest, path) = (rest.clone(), format!("{path}/updateTiers"));
            async move { rest.post(&path, json!({"tiers": [tier]})).await }
        };
        let mut raised = tier.clone();
        raised["prices"][0]["renewal"]["amount"] = json!(3695);
        let refused = put(raised.clone()).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "PRICE_IN_FORCE"));
        assert_eq!(refused.fields(), ["tiers[0].prices"]);
        let mut next = raised["prices"][0].clone();
        next["effectiveFrom"] = json!("2199-01-01");
        let mut shut = tier.clone();
        shut["prices"][0]["effectiveUntil"] = json!("2198-12-31");
        shut["prices"].as_array_mut().unwrap().push(next);
        let changed = put(shut).await.expect(200);
        assert_eq!(changed["tiers"][0]["prices"].as_array().unwrap().len(), 2);
        let mut whole = product("legal");
        whole["tiers"] = json!([raised]);
        assert_eq!(rest.put(&path, whole).await.reason(), "PRICE_IN_FORCE");
        let never = format!("/v1/products/{}", id(&rest.post("/v1/products", product("new")).await.expect(200)));
        let mut free = product("new");
        free["tiers"][0]["prices"][0]["renewal"]["amount"] = json!(3695);
        let _ = rest.put(&never, free).await.expect(200);
        app.finish().await;
    }
}

#[tokio::test]
async fn a_tier_that_an_offer_on_sale_names_stays() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product_id = active_product(&rest, "legal").await;
    let path = format!("/v1/products/{product_id}");
    let more = json!({"tiers": [{"id": "spare", "name": "Spare", "coverage": "FAMILY"}]});
    let _ = rest.post(&format!("{path}/addTiers"), more).await.expect(200);
    let mut draft = offer(&[&product_id]);
    draft["products"][0]["tierIds"] = json!(["individual"]);
    let offer_id = id(&rest.post(OFFERS, draft).await.expect(200));
    let _ = rest.post(&format!("{OFFERS}/{offer_id}/readyForSale"), json!({})).await.expect(200);
    let remove = |tier: &str| {
        let (rest, path, body) = (rest.clone(), format!("{path}/removeTiers"), json!({"tierIds": [tier]}));
        async move { rest.post(&path, body).await }
    };
    let refused = remove("individual").await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (409, "PRODUCT_IN_USE"));
    assert!(refused.json.to_string().contains(&offer_id));
    let _ = remove("spare").await.expect(200);
    let _ = rest.post(&format!("{OFFERS}/{offer_id}/pendingApproval"), json!({})).await.expect(200);
    let _ = remove("individual").await.expect(200);
    app.finish().await;
}

#[tokio::test]
async fn an_offer_on_trial_is_on_sale_for_a_cohort_only() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product_id = active_product(&rest, "legal").await;
    let mut draft = offer(&[&product_id]);
    draft["type"] = json!("EXPERIMENTAL");
    let path = format!("{OFFERS}/{}", id(&rest.post(OFFERS, draft.clone()).await.expect(200)));
    for call in ["readyForSale", "makeEnrollable"] {
        let refused = rest.post(&format!("{path}/{call}"), json!({})).await;
        assert_eq!((refused.status.as_u16(), refused.reason()), (409, "OFFER_EXPERIMENTAL"), "{call}");
        assert!(refused.json.to_string().contains("names no cohort"));
    }
    assert_eq!(app.visitor().get(&path).await.reason(), "NOT_FOUND");
    draft["type"] = json!("STANDARD");
    let _ = rest.put(&path, draft.clone()).await.expect(200);
    let _ = rest.post(&format!("{path}/makeEnrollable"), json!({})).await.expect(200);
    draft["type"] = json!("EXPERIMENTAL");
    assert_eq!(rest.put(&path, draft.clone()).await.reason(), "OFFER_EXPERIMENTAL");
    draft["cohort"] = json!("SHIELD_AT_WORK_BETA");
    let _ = rest.put(&path, draft.clone()).await.expect(200);
    for (rest, seen) in [(&rest, 200), (&app.visitor(), 404), (&app.rest(&TestApp::member("anna")), 404)] {
        assert_eq!(rest.get(&path).await.status.as_u16(), seen);
    }
    draft["type"] = json!("STANDARD");
    assert_eq!(rest.put(&path, draft.clone()).await.fields(), ["offer.cohort"]);
    draft["type"] = json!("EXPERIMENTAL");
    draft.as_object_mut().unwrap().remove("cohort");
    assert_eq!(rest.put(&path, draft).await.status.as_u16(), 409, "on sale it keeps a cohort");
    app.finish().await;
}
