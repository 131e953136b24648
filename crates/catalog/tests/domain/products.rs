//! Products: made, sold, taken off sale, deleted.

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{OFFERS, actions, active_product, document, id, offer_in, product, staff};

#[tokio::test]
async fn a_product_goes_from_created_to_active_and_back_to_inactive() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let new = rest.post("/v1/products", product("legal")).await.expect(200);
        assert_eq!(new["status"], "CREATED");
        let path = format!("/v1/products/{}", id(&new));
        assert_eq!(rest.post(&format!("{path}/deactivate"), json!({})).await.reason(), "STATUS_NOT_ALLOWED");
        for (call, status) in [("activate", "ACTIVE"), ("deactivate", "INACTIVE"), ("activate", "ACTIVE")] {
            assert_eq!(rest.post(&format!("{path}/{call}"), json!({})).await.expect(200)["status"], status);
        }
        let mut changed = product("legal");
        changed["taxable"] = json!(true);
        let changed = rest.put(&path, changed).await.expect(200);
        assert_eq!((&changed["taxable"], &changed["status"]), (&json!(true), &json!("ACTIVE")));
        assert_eq!(rest.delete(&path).await.expect(200)["status"], "DELETE");
        assert_eq!(rest.get(&path).await.reason(), "NOT_FOUND");
        let (written, _) = actions(&rest, "products", 0).await;
        let expected = ["CREATED", "ACTIVATED", "ACTIVATED", "DEACTIVATED", "ACTIVATED", "UPDATED", "DELETED"];
        assert_eq!(written, expected, "the first activation also froze a version");
        let clock = rest.get("/v1/products/journal/maxClock").await.expect(200);
        assert_eq!(clock["maxClock"], "7");
        app.finish().await;
    }
}

#[tokio::test]
async fn a_product_stays_while_an_offer_that_can_be_bought_has_it() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    for status in ["PENDING_APPROVAL", "NEEDS_REVIEW", "AVAILABLE_FOR_SALE", "ENROLLABLE", "GRANDFATHERED"] {
        let product = active_product(&rest, status).await;
        let offer = offer_in(&app, &product, status).await;
        let path = format!("/v1/products/{product}");
        let answer = rest.delete(&path).await;
        if ["AVAILABLE_FOR_SALE", "ENROLLABLE"].contains(&status) {
            assert_eq!((answer.status.as_u16(), answer.reason()), (409, "PRODUCT_IN_USE"));
            assert!(answer.json.to_string().contains(&offer), "the answer names the offer");
            let _ = rest.post(&format!("{OFFERS}/{offer}/pendingApproval"), json!({})).await.expect(200);
            let _ = rest.delete(&path).await.expect(200);
        } else {
            let _ = answer.expect(200);
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn the_caller_can_choose_the_id_once() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let chosen = "10000000-0000-4000-8000-0000000000aa";
    let path = format!("/v1/products?id={chosen}");
    assert_eq!(id(&rest.post(&path, product("legal")).await.expect(200)), chosen);
    assert_eq!(rest.post(&path, product("legal")).await.reason(), "ALREADY_EXISTS");
    assert_eq!(rest.post("/v1/products?id=7", product("legal")).await.status.as_u16(), 400);
    app.finish().await;
}

#[tokio::test]
async fn customers_list_active_products_of_a_group_in_their_state() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let (rest, visitor) = (staff(&app), app.visitor());
    let everywhere = active_product(&rest, "everywhere").await;
    let mut limited = product("limited");
    limited["restrictions"] = json!([{"id": "ny", "region": "NY", "type": "NOT_ALLOWED"}]);
    let limited = id(&rest.post("/v1/products", limited).await.expect(200));
    let listed = |rest: pavise_testapp::Rest, query: &str| {
        let path = format!("/v1/products?{query}");
        async move {
            let list = rest.get(&path).await.expect(200);
            let mut ids: Vec<String> = list["products"].as_array().unwrap().iter().map(id).collect();
            ids.sort();
            ids
        }
    };
    assert_eq!(listed(visitor.clone(), "").await, std::slice::from_ref(&everywhere), "one is not active yet");
    assert_eq!(visitor.get(&format!("/v1/products/{limited}")).await.reason(), "NOT_FOUND");
    let _ = rest.post(&format!("/v1/products/{limited}/activate"), json!({})).await.expect(200);
    assert_eq!(listed(visitor.clone(), "productGroup=legal-plan&locality=NY").await, std::slice::from_ref(&everywhere));
    let mut both = [everywhere, limited];
    both.sort();
    assert_eq!(listed(visitor.clone(), "family=Legal&locality=TX").await, both);
    assert!(listed(visitor.clone(), "family=Identity").await.is_empty());
    assert!(listed(visitor, "status=INACTIVE").await.is_empty());
    app.finish().await;
}

#[tokio::test]
async fn visitors_members_and_staff_see_a_product_each_in_their_view() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let mut whole = product("whole");
    whole["featureKeys"] = json!(["gunOwners"]);
    let plan = document(&app, "plan.pdf").await;
    whole["contracts"] = json!([{"id": "plan", "type": "CONTRACT", "documentId": plan}]);
    let made = id(&rest.post("/v1/products", whole).await.expect(200));
    let path = format!("/v1/products/{made}");
    let _ = rest.post(&format!("{path}/activate"), json!({})).await.expect(200);
    for (reader, contracts, features) in [
        (rest, 1, 1),
        (app.rest(&TestApp::member("anna")), 1, 0),
        (app.rest(&TestApp::group_admin("carol", &["globex"])), 1, 0),
        (app.visitor(), 0, 0),
    ] {
        let one = reader.get(&path).await.expect(200);
        let list = reader.get("/v1/products").await.expect(200);
        for seen in [&one, &list["products"][0]] {
            assert_eq!(
                (&seen["id"], &seen["name"], &seen["status"]),
                (&json!(made), &json!("whole"), &json!("ACTIVE"))
            );
            assert_eq!(seen["tiers"][0]["id"], "individual");
            let count = |field: &str| seen[field].as_array().unwrap().len();
            assert_eq!((count("contracts"), count("featureKeys")), (contracts, features), "{seen}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn invalid_products_are_refused_with_their_fields() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let mut wrong = product("legal");
    wrong["tiers"][0]["prices"][0]["renewal"]["currency"] = json!("CAD");
    wrong["requiredProductIds"] = json!(["a", "a"]);
    let refused = rest.post("/v1/products", wrong).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (400, "INVALID_FIELD"));
    assert_eq!(refused.fields(), ["product.tiers[0].prices[0].renewal.currency", "product.requiredProductIds[1]"]);
    let nameless = rest.post("/v1/products", json!({"family": "Legal"})).await;
    assert_eq!(nameless.fields(), ["product.name"]);
    app.finish().await;
}
