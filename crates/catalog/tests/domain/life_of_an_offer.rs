//! Tests of the transitions of an offer.

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{OFFERS, actions, active_product, id, offer, offer_in, product, staff};

const STATUSES: [&str; 5] = ["PENDING_APPROVAL", "NEEDS_REVIEW", "AVAILABLE_FOR_SALE", "ENROLLABLE", "GRANDFATHERED"];

/// The table of the design: call, statuses it is allowed from, status it leads to.
const MOVES: [(&str, &[&str], &str); 4] = [
    ("pendingApproval", &["NEEDS_REVIEW", "AVAILABLE_FOR_SALE", "ENROLLABLE"], "PENDING_APPROVAL"),
    ("readyForSale", &["PENDING_APPROVAL", "NEEDS_REVIEW", "ENROLLABLE"], "AVAILABLE_FOR_SALE"),
    ("makeEnrollable", &["PENDING_APPROVAL", "NEEDS_REVIEW", "AVAILABLE_FOR_SALE"], "ENROLLABLE"),
    ("grandfather", &["AVAILABLE_FOR_SALE", "ENROLLABLE"], "GRANDFATHERED"),
];

#[tokio::test]
async fn every_move_is_allowed_exactly_where_the_design_says() {
    for engine in Engine::BOTH {
        let app = TestApp::on(engine).without_workers().start().await.unwrap();
        let rest = staff(&app);
        let product = active_product(&rest, "legal").await;
        for (call, from, to) in MOVES {
            for status in STATUSES {
                let offer = offer_in(&app, &product, status).await;
                let (_, clock) = actions(&rest, "offers", 0).await;
                let answer = rest.post(&format!("{OFFERS}/{offer}/{call}"), json!({})).await;
                let (written, _) = actions(&rest, "offers", clock).await;
                if from.contains(&status) {
                    assert_eq!(answer.expect(200)["status"], to, "{call} from {status}");
                    assert_eq!(written, ["STATUS_UPDATED"], "{call} from {status}");
                } else if status == to {
                    assert_eq!(answer.expect(200)["status"], to, "a repeated {call} changes nothing");
                    assert!(written.is_empty(), "a repeated {call} writes nothing");
                } else {
                    assert_eq!(
                        (answer.status.as_u16(), answer.reason()),
                        (409, "STATUS_NOT_ALLOWED"),
                        "{call} from {status}"
                    );
                    assert!(written.is_empty());
                }
            }
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn a_new_offer_waits_for_approval_and_can_be_deleted_until_it_is_sold() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let new = rest.post(OFFERS, offer(&[&product])).await.expect(200);
    assert_eq!(
        (&new["status"], &new["brand"], &new["type"]),
        (&json!("PENDING_APPROVAL"), &json!("pavise"), &json!("STANDARD"))
    );
    for status in STATUSES {
        let offer = offer_in(&app, &product, status).await;
        let answer = rest.delete(&format!("{OFFERS}/{offer}")).await;
        if ["PENDING_APPROVAL", "NEEDS_REVIEW"].contains(&status) {
            let _ = answer.expect(200);
            assert_eq!(rest.get(&format!("{OFFERS}/{offer}")).await.reason(), "NOT_FOUND");
        } else {
            assert_eq!(answer.reason(), "STATUS_NOT_ALLOWED", "{status}");
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn changing_the_content_of_an_offer_for_sale_asks_for_a_review() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let (one, other) = (active_product(&rest, "one").await, active_product(&rest, "other").await);
    let mut renamed = offer(&[&one]);
    renamed["names"][0]["text"] = json!("Other plans");
    let changes = [
        ("PRODUCTS_ADDED", "/addProducts", json!({"products": [{"productId": other}]})),
        ("PRODUCTS_UPDATED", "/updateProducts", json!({"products": [{"productId": one, "tierIds": ["individual"]}]})),
        ("AVAILABLE_LOCALITIES_UPDATED", "/updateAvailableLocalities", json!({"availableLocalities": ["TX", "NY"]})),
        ("UPDATED", "", renamed),
    ];
    for status in STATUSES {
        for (action, path, body) in &changes {
            let offer = offer_in(&app, &one, status).await;
            let (_, clock) = actions(&rest, "offers", 0).await;
            let path = format!("{OFFERS}/{offer}{path}");
            let answer = if *action == "UPDATED" {
                rest.put(&path, body.clone()).await
            } else {
                rest.post(&path, body.clone()).await
            };
            let expected = if status == "AVAILABLE_FOR_SALE" { "NEEDS_REVIEW" } else { status };
            assert_eq!(answer.expect(200)["status"], expected, "{action} of {status}");
            assert_eq!(actions(&rest, "offers", clock).await.0, [*action]);
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn a_change_that_changes_nothing_leaves_the_offer_for_sale() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let id = offer_in(&app, &product, "AVAILABLE_FOR_SALE").await;
    let (_, clock) = actions(&rest, "offers", 0).await;
    let same = rest.put(&format!("{OFFERS}/{id}"), offer(&[&product])).await.expect(200);
    assert_eq!(same["status"], "AVAILABLE_FOR_SALE");
    assert!(actions(&rest, "offers", clock).await.0.is_empty());
    app.finish().await;
}

#[tokio::test]
async fn incomplete_offers_are_not_put_on_sale() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let inactive = id(&rest.post("/v1/products", product("new")).await.expect(200));
    for (products, field) in [(vec![], "products"), (vec![inactive.as_str()], "products[0].productId")] {
        let offer = id(&rest.post(OFFERS, offer(&products)).await.expect(200));
        for call in ["readyForSale", "makeEnrollable"] {
            let refused = rest.post(&format!("{OFFERS}/{offer}/{call}"), json!({})).await;
            assert_eq!((refused.reason(), refused.fields()), ("OFFER_INCOMPLETE", vec![field]));
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn products_of_an_offer_exist_and_are_there_once() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let unknown = rest.post(OFFERS, offer(&[&product, crate::scene::NOBODY])).await;
    assert_eq!((unknown.status.as_u16(), unknown.fields()), (400, vec!["offer.products[1].productId"]));
    assert_eq!(rest.post(OFFERS, offer(&[&product, &product])).await.status.as_u16(), 400);
    let id = offer_in(&app, &product, "PENDING_APPROVAL").await;
    let twice = rest.post(&format!("{OFFERS}/{id}/addProducts"), json!({"products": [{"productId": product}]})).await;
    assert_eq!(twice.reason(), "PRODUCT_ALREADY_OFFERED");
    let other = active_product(&rest, "other").await;
    let absent = rest.post(&format!("{OFFERS}/{id}/updateProducts"), json!({"products": [{"productId": other}]})).await;
    assert_eq!((absent.status.as_u16(), absent.reason()), (404, "PRODUCT_NOT_OFFERED"));
    app.finish().await;
}

#[tokio::test]
async fn when_a_product_is_set_up_can_change_while_it_is_for_sale() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let offer = offer_in(&app, &product, "AVAILABLE_FOR_SALE").await;
    let (_, clock) = actions(&rest, "offers", 0).await;
    for (path, expected) in [("onFirstUse", "ON_FIRST_USE"), ("immediate", "IMMEDIATE")] {
        let changed = rest
            .post(&format!("{OFFERS}/{offer}/products/{product}/provisionType/{path}"), json!({}))
            .await
            .expect(200);
        assert_eq!(
            (&changed["products"][0]["provisionType"], &changed["status"]),
            (&json!(expected), &json!("AVAILABLE_FOR_SALE"))
        );
    }
    assert_eq!(actions(&rest, "offers", clock).await.0, ["PROVISION_TYPE_CHANGE"; 2]);
    let unknown = rest
        .post(&format!("{OFFERS}/{offer}/products/{}/provisionType/immediate", crate::scene::NOBODY), json!({}))
        .await;
    assert_eq!(unknown.reason(), "PRODUCT_NOT_OFFERED");
    app.finish().await;
}

#[tokio::test]
async fn an_offer_goes_to_another_organisation() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let offer = offer_in(&app, &product, "AVAILABLE_FOR_SALE").await;
    let (_, clock) = actions(&rest, "offers", 0).await;
    let moved = rest.post(&format!("{OFFERS}/{offer}/changeOwner"), json!({"ownerId": "acme"})).await.expect(200);
    assert_eq!((&moved["ownerId"], &moved["status"]), (&json!("acme"), &json!("AVAILABLE_FOR_SALE")));
    assert_eq!(actions(&rest, "offers", clock).await.0, ["OWNER_CHANGE"]);
    app.finish().await;
}

#[tokio::test]
async fn an_offer_has_one_name_in_each_locale() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let text = |locale: &str, text: &str| json!({"locale": locale, "text": text});
    let mut new = offer(&[&product]);
    new["names"] = json!([text("en-US", "One"), text("es-US", "Uno"), text("en-US", "Another")]);
    let refused = rest.post(OFFERS, new.clone()).await;
    assert_eq!((refused.reason(), refused.fields()), ("INVALID_FIELD", vec!["offer.names[2].locale"]));
    new["names"] = json!([text("en-US", "One"), text("es-US", "Uno")]);
    let _ = rest.post(OFFERS, new).await.expect(200);
    app.finish().await;
}
