//! Tests of the order of a server's parts.

use axum::Router;
use axum::body::Body;
use axum::routing::get;
use http::Request;
use http_body_util::BodyExt;
use pavise_kernel::peers::Peers;
use tower::ServiceExt;

use crate::scene::{POOL, TRANSCODER, options};

async fn answered(path: &str) -> (u16, String) {
    let rest = pavise_rest::facade(&POOL, TRANSCODER.clone(), Peers::default(), options()).unwrap();
    let others = Router::new().route("/page", get(|| async { "a page" })).route("/v1/page", get(|| async { "never" }));
    let front = rest.clone().before(others.fallback_service(rest));
    let response = front.oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn paths_of_the_contract_are_the_facades_and_all_others_theirs_who_know_them() {
    assert_eq!(answered("/page").await, (200, "a page".to_owned()));
    let (status, body) = answered("/v1/orders/7").await;
    assert!(
        status == 503 && body.contains("UNAVAILABLE"),
        "the call was found, its domain is not there: {status} {body}"
    );
    for unknown in ["/v1/page", "/nothing", "/", "/%761/page"] {
        let (status, body) = answered(unknown).await;
        assert!(status == 404 && body.contains("ROUTE_NOT_FOUND"), "{unknown}: {status} {body}");
    }
    let (status, _) = answered("/%761/orders/7").await;
    assert_eq!(status, 503, "an encoded beginning leads there, too");
}
