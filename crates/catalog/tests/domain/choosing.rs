//! The price of a choice, over REST.

use pavise_testapp::{Engine, TestApp};
use serde_json::json;

use crate::scene::{NOBODY, OFFERS, active_product, offer_in, staff};

#[tokio::test]
async fn visitor_learns_the_price_of_a_choice() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let product = active_product(&staff(&app), "legal").await;
    let offer = offer_in(&app, &product, "AVAILABLE_FOR_SALE").await;
    let path = format!("{OFFERS}/{offer}/validateSelections");
    let good = app
        .visitor()
        .post(&path, json!({"selections": [{"productId": product, "tierId": "individual"}], "locality": "TX"}))
        .await
        .expect(200);
    assert_eq!((&good["valid"], &good["initialTotal"]), (&json!(true), &json!({"currency": "USD", "amount": "2995"})));
    assert_eq!((&good["lines"][0]["family"], &good["offerName"]), (&json!("lgl"), &json!("Plans")));
    let bad = app
        .visitor()
        .post(&path, json!({"selections": [{"productId": NOBODY}], "billingPeriod": "ANNUAL"}))
        .await
        .expect(200);
    assert_eq!(bad["valid"], json!(false));
    assert_eq!(
        (&bad["problems"][0]["kind"], &bad["problems"][0]["field"]),
        (&json!("PRODUCT_NOT_OFFERED"), &json!("selections[0].product_id"))
    );
    app.finish().await;
}

#[tokio::test]
async fn only_an_offer_that_does_not_exist_is_refused() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let path = format!("{OFFERS}/{NOBODY}/validateSelections");
    assert_eq!(app.visitor().post(&path, json!({})).await.reason(), "NOT_FOUND");
    app.finish().await;
}

#[tokio::test]
async fn prices_of_what_is_not_sold_yet_are_shown_to_staff_only() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let offer = offer_in(&app, &product, "PENDING_APPROVAL").await;
    let path = format!("{OFFERS}/{offer}/validateSelections");
    let choice = json!({"selections": [{"productId": product, "tierId": "individual"}]});
    for (rest, lines, name) in [(rest, 1, "Plans"), (app.visitor(), 0, "")] {
        let answer = rest.post(&path, choice.clone()).await.expect(200);
        assert_eq!(answer["problems"][0]["kind"], "OFFER_NOT_FOR_SALE");
        assert_eq!((answer["lines"].as_array().unwrap().len(), &answer["offerName"]), (lines, &json!(name)));
    }
    app.finish().await;
}

#[tokio::test]
async fn a_product_off_sale_cannot_be_bought_in_an_offer_for_sale() {
    let app = TestApp::on(Engine::Sqlite).without_workers().start().await.unwrap();
    let rest = staff(&app);
    let product = active_product(&rest, "legal").await;
    let offer = offer_in(&app, &product, "AVAILABLE_FOR_SALE").await;
    let _ = rest.post(&format!("/v1/products/{product}/deactivate"), json!({})).await.expect(200);
    let choice = json!({"selections": [{"productId": product, "tierId": "individual"}]});
    let answer = rest.post(&format!("{OFFERS}/{offer}/validateSelections"), choice).await.expect(200);
    assert_eq!((&answer["valid"], &answer["problems"][0]["kind"]), (&json!(false), &json!("PRODUCT_NOT_ACTIVE")));
    app.finish().await;
}
