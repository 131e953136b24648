//! Tests of the query.

use serde_json::json;

use crate::scene::{self, Scene, ask};

async fn message(path: &str) -> serde_json::Value {
    let scene = Scene::new();
    let answer = ask("GET", path).send(&scene).await;
    assert_eq!(answer.status, 200, "{path}: {:?}", answer.body);
    scene::json("pavise.shop.v1.Order", &scene.seen().message)
}

#[tokio::test]
async fn every_kind_of_field_can_be_in_the_query() {
    let path = "/v1/orders/7?note=a+b%26c&amount=-12&status=Closed%20CC&tags=x&tags=y&place.city=Ada&place.next.postalCode=1\
        &isGift=true&orderedAt=2026-01-02T03:04:05Z&cardId=c";
    let expected = json!({
        "orderId": "7", "note": "a b&c", "amount": "-12", "status": "Closed CC", "tags": ["x", "y"],
        "place": {"city": "Ada", "next": {"postalCode": "1"}}, "isGift": true, "orderedAt": "2026-01-02T03:04:05Z", "cardId": "c",
    });
    assert_eq!(message(path).await, expected);
}

#[tokio::test]
async fn proto_names_are_understood_too() {
    assert_eq!(
        message("/v1/orders/7?is_gift=true&place.postal_code=1").await,
        json!({"orderId": "7", "isGift": true, "place": {"postalCode": "1"}})
    );
}

#[tokio::test]
async fn what_the_call_does_not_know_is_refused_with_the_field() {
    let scene = Scene::new();
    for (query, field) in [
        ("nope=1", "nope"),
        ("not_it=1", "not_it"),
        ("place.nope=1", "place.nope"),
        ("note.x=1", "note.x"),
        ("lines.offerId=1", "lines.offerId"),
        ("tags[]=1", "tags[]"),
        ("Note=1", "Note"),
        ("=1", ""),
    ] {
        let answer = ask("GET", &format!("/v1/orders/7?{query}")).send(&scene).await;
        answer.refused(400, "UNKNOWN_FIELD").field(field);
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn values_that_do_not_fit_are_refused_with_the_field() {
    let scene = Scene::new();
    for (query, field) in [
        ("amount=ten", "amount"),
        ("amount=", "amount"),
        ("amount=99999999999999999999", "amount"),
        ("amount=1.5", "amount"),
        ("status=NOPE", "status"),
        ("isGift=yes", "isGift"),
        ("orderedAt=yesterday", "orderedAt"),
        ("place=Ada", "place"),
        ("labels=a", "labels"),
        ("lines=a", "lines"),
        ("photo=%25%25", "photo"),
    ] {
        let answer = ask("GET", &format!("/v1/orders/7?{query}")).send(&scene).await;
        answer.refused(400, "INVALID_FIELD").field(field);
    }
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn a_field_is_said_once_and_in_one_place() {
    let scene = Scene::new();
    for (method, path, field) in [
        ("GET", "/v1/orders/7?note=a&note=b", "note"),
        ("GET", "/v1/orders/7?note=a&note=a", "note"),
        ("GET", "/v1/orders/7?orderId=8", "orderId"),
        ("GET", "/v1/orders/7?order_id=7", "orderId"),
        ("GET", "/v1/orders/7?cardId=1&invoiceId=2", "invoiceId"),
        ("GET", "/v1/orders/7?place.city=a&place.city=b", "place.city"),
        ("PUT", "/v1/orders/7/place?place.city=a", "place.city"),
        ("PUT", "/v1/orders/7?note=a", "note"),
        ("POST", "/v1/orders?note=a", "note"),
    ] {
        let answer = ask(method, path).send(&scene).await;
        answer.refused(400, "INVALID_FIELD").field(field);
    }
    ask("POST", "/v1/orders?nope=a").send(&scene).await.refused(400, "UNKNOWN_FIELD").field("nope");
    assert_eq!(scene.calls(), 0);
}

#[tokio::test]
async fn a_query_stands_beside_a_named_body() {
    let scene = Scene::new();
    let answer = ask("PUT", "/v1/orders/7/place?note=n&tags=x").json(r#"{"city":"Ada"}"#).send(&scene).await;
    let expected = json!({"orderId": "7", "note": "n", "tags": ["x"], "place": {"city": "Ada"}});
    answer.ok();
    assert_eq!(scene::json("pavise.shop.v1.Order", &scene.seen().message), expected);
}

#[tokio::test]
async fn broken_queries_are_refused() {
    let scene = Scene::new();
    ask("GET", "/v1/orders/7?note=%zz").send(&scene).await.refused(400, "MALFORMED_PATH").field("note");
    ask("GET", "/v1/orders/7?note=%ff").send(&scene).await.refused(400, "MALFORMED_PATH").field("note");
    ask("GET", "/v1/orders/7?%ff=1").send(&scene).await.refused(400, "MALFORMED_PATH");
    let deep = format!("/v1/orders/7?place.{}city=1", "next.".repeat(200));
    let answer = ask("GET", &deep).send(&scene).await;
    assert_eq!(answer.status, 400, "{:?}", answer.body);
    assert_eq!(scene.calls(), 0);
}
