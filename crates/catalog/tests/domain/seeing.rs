//! The offers and products that each caller sees.

use http::Method;
use pavise_testapp::{Engine, TestApp};
use serde_json::{Value, json};

use crate::scene::{NOBODY, OFFERS, active_product, group, id, offer, offer_in, product, staff};

/// The ids in a list.
fn ids(list: &Value, of: &str) -> Vec<String> {
    list[of].as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn a_visitor_sees_what_is_sold_and_no_more() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let (rest, visitor, member) = (staff(&app), app.visitor(), app.rest(&TestApp::member("anna")));
    let product = active_product(&rest, "legal").await;
    for (status, by_visitor, by_member) in [
        ("PENDING_APPROVAL", 404, 404),
        ("NEEDS_REVIEW", 404, 404),
        ("AVAILABLE_FOR_SALE", 200, 200),
        ("ENROLLABLE", 200, 200),
        ("GRANDFATHERED", 404, 200),
    ] {
        let path = format!("{OFFERS}/{}", offer_in(&app, &product, status).await);
        assert_eq!(visitor.get(&path).await.status.as_u16(), by_visitor, "{status} for a visitor");
        assert_eq!(member.get(&path).await.status.as_u16(), by_member, "{status} for a member");
        assert_eq!(rest.get(&path).await.status.as_u16(), 200, "{status} for staff");
    }
    let shop = visitor.get(OFFERS).await.expect(200);
    let statuses: Vec<_> =
        shop["offers"].as_array().unwrap().iter().map(|offer| offer["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["AVAILABLE_FOR_SALE"]);
    assert!(ids(&visitor.get(&format!("{OFFERS}?status=PENDING_APPROVAL")).await.expect(200), "offers").is_empty());
    assert_eq!(ids(&rest.get(OFFERS).await.expect(200), "offers").len(), 5);
    assert_eq!(ids(&rest.get(&format!("{OFFERS}?status=ENROLLABLE")).await.expect(200), "offers").len(), 1);
    app.finish().await;
}

#[tokio::test]
async fn an_offer_is_found_under_its_own_brand_only() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let sold = offer_in(&app, &product, "AVAILABLE_FOR_SALE").await;
    let there = format!("/v1/brands/other/offers/{sold}");
    let draft = offer(&[&product]);
    let products = json!({"products": [{"productId": product}]});
    let calls = [
        (Method::GET, String::new(), None),
        (Method::PUT, String::new(), Some(draft.clone())),
        (Method::DELETE, String::new(), None),
        (Method::POST, "/addProducts".to_owned(), Some(products.clone())),
        (Method::POST, "/updateProducts".to_owned(), Some(products)),
        (Method::POST, "/updateAvailableLocalities".to_owned(), Some(json!({"availableLocalities": ["TX"]}))),
        (Method::POST, "/validateSelections".to_owned(), Some(json!({}))),
        (Method::POST, "/changeOwner".to_owned(), Some(json!({"ownerId": "acme"}))),
        (Method::POST, "/pendingApproval".to_owned(), None),
        (Method::POST, "/makeEnrollable".to_owned(), None),
        (Method::POST, "/readyForSale".to_owned(), None),
        (Method::POST, "/grandfather".to_owned(), None),
        (Method::POST, format!("/products/{product}/provisionType/onFirstUse"), None),
        (Method::POST, format!("/products/{product}/provisionType/immediate"), None),
    ];
    for (method, path, body) in calls {
        let answer = rest.send(method.clone(), &format!("{there}{path}"), body).await;
        assert_eq!((answer.status.as_u16(), answer.reason()), (404, "NOT_FOUND"), "{method} {path}");
    }
    let migrated = rest
        .post("/v1/brands/other/offers/migrate", json!({"id": sold, "status": "NEEDS_REVIEW", "offer": draft}))
        .await;
    assert_eq!(migrated.reason(), "NOT_FOUND");
    let untouched = rest.get(&format!("{OFFERS}/{sold}")).await.expect(200);
    assert_eq!((&untouched["version"], &untouched["status"]), (&json!("1"), &json!("AVAILABLE_FOR_SALE")));
    app.finish().await;
}

#[tokio::test]
async fn offers_are_read_by_ids_with_a_get_that_has_a_body() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let (rest, visitor) = (staff(&app), app.visitor());
    let product = active_product(&rest, "legal").await;
    let sold = offer_in(&app, &product, "AVAILABLE_FOR_SALE").await;
    let hidden = offer_in(&app, &product, "PENDING_APPROVAL").await;
    let ask = json!({"ids": [hidden, NOBODY, sold]});
    let path = format!("{OFFERS}/getByIdList");
    let by_staff = rest.send(Method::GET, &path, Some(ask.clone())).await.expect(200);
    assert_eq!(ids(&by_staff, "offers"), [hidden.clone(), sold.clone()]);
    assert_eq!(by_staff["notFound"], json!([NOBODY]));
    let by_visitor = visitor.send(Method::GET, &path, Some(ask.clone())).await.expect(200);
    assert_eq!(ids(&by_visitor, "offers"), std::slice::from_ref(&sold));
    assert_eq!(by_visitor["notFound"], json!([hidden, NOBODY]), "a hidden offer and none look alike");
    let elsewhere = rest.send(Method::GET, "/v1/brands/other/offers/getByIdList", Some(ask)).await.expect(200);
    assert!(ids(&elsewhere, "offers").is_empty());
    assert_eq!(elsewhere["notFound"], json!([hidden, NOBODY, sold]));
    let twice = rest.send(Method::GET, &path, Some(json!({"ids": [sold, sold]}))).await.expect(200);
    assert_eq!(ids(&twice, "offers"), [sold]);
    let many: Vec<String> = (0..501).map(|number| format!("offer-{number}")).collect();
    let refused = rest.send(Method::GET, &path, Some(json!({"ids": many}))).await;
    assert_eq!((refused.status.as_u16(), refused.reason()), (400, "INVALID_FIELD"));
    app.finish().await;
}

#[tokio::test]
async fn which_employers_have_an_offer_is_shown_to_nobody_else() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let mut draft = offer(&[&product]);
    draft["channel"] = json!("GROUP");
    draft["groupIds"] = json!(["acme", "globex"]);
    for id in ["acme", "globex"] {
        group(&app, id).await;
    }
    let offer = id(&rest.post(OFFERS, draft).await.expect(200));
    let _ = rest.post(&format!("{OFFERS}/{offer}/makeEnrollable"), json!({})).await.expect(200);
    let path = format!("{OFFERS}/{offer}");
    let groups = |answer: Value| answer["groupIds"].clone();
    assert_eq!(groups(rest.get(&path).await.expect(200)), json!(["acme", "globex"]));
    assert_eq!(groups(app.visitor().get(&path).await.expect(200)), json!([]));
    let admin = app.rest(&TestApp::group_admin("carol", &["globex"]));
    assert_eq!(groups(admin.get(&path).await.expect(200)), json!(["globex"]));
    let member = app.rest(&TestApp::member("anna"));
    assert!(ids(&member.get(OFFERS).await.expect(200), "offers").is_empty(), "it lies in no public window");
    let through = member.get(&format!("{OFFERS}?groupId=acme")).await.expect(200);
    assert_eq!(groups(through["offers"][0].clone()), json!(["acme"]));
    app.finish().await;
}

#[tokio::test]
async fn only_staff_change_the_catalog_and_read_its_journal() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product_id = active_product(&rest, "legal").await;
    let offer_id = offer_in(&app, &product_id, "AVAILABLE_FOR_SALE").await;
    let (visitor, member) = (app.visitor(), app.rest(&TestApp::member("anna")));
    let reader =
        app.rest(&TestApp::with_permissions(pavise_kernel::table::Realm::Internal, "reader", &["catalog.offers.read"]));
    for (method, path, body) in [
        (Method::POST, "/v1/products".to_owned(), Some(product("other"))),
        (Method::DELETE, format!("/v1/products/{product_id}"), None),
        (Method::POST, OFFERS.to_owned(), Some(offer(&[&product_id]))),
        (Method::POST, format!("{OFFERS}/{offer_id}/grandfather"), None),
        (Method::GET, "/v1/offers/journal".to_owned(), None),
        (Method::GET, "/v1/products/journal/maxClock".to_owned(), None),
    ] {
        let of = |rest: pavise_testapp::Rest| {
            let (method, path, body) = (method.clone(), path.clone(), body.clone());
            async move { rest.send(method, &path, body).await.reason().to_owned() }
        };
        assert_eq!(of(visitor.clone()).await, "TOKEN_MISSING", "{method} {path}");
        assert_eq!(of(member.clone()).await, "REALM_NOT_ALLOWED", "{method} {path}");
        assert_eq!(of(reader.clone()).await, "PERMISSION_MISSING", "{method} {path}");
    }
    app.finish().await;
}
