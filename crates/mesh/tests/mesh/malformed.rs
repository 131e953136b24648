//! Requests that are no HTTP/1.1, byte for byte.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use futures::StreamExt as _;
use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use pavise_mesh::Serving;
use tokio::time::timeout;

use crate::scene::{GET, Server, app, say};

/// Counts its calls, reads bodies, and answers 400 to a body that breaks off.
fn reader(calls: Arc<AtomicUsize>) -> Router {
    app(move |request: Request<Body>| {
        calls.fetch_add(1, Ordering::SeqCst);
        async move {
            let read = request.into_body().collect().await;
            let mut response = Response::new(Body::from(if read.is_ok() { "whole" } else { "broken" }));
            *response.status_mut() = if read.is_ok() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
            response
        }
    })
}

/// The server's answer to these bytes, and the number of the app's calls.
async fn said(text: &str) -> (String, usize) {
    let calls = Arc::new(AtomicUsize::new(0));
    let server = Server::with(reader(calls.clone()), Serving::default()).await;
    let answer =
        timeout(Duration::from_secs(10), say(server.connect().await, text)).await.expect("the connection stays open");
    (answer, calls.load(Ordering::SeqCst))
}

/// Asserts that an answer is a refusal in the documented shape.
fn is_refusal(answer: &str, status: u16, of: &str) {
    let (head, body) = answer.split_once("\r\n\r\n").expect(of);
    assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{of}: {head}");
    let has = |line: &str| head.split("\r\n").any(|one| one.eq_ignore_ascii_case(line));
    assert!(has("content-type: application/json") && has(&format!("content-length: {}", body.len())), "{of}: {head}");
    let json: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!((&json["code"], &json["status"]), (&status.into(), &"INVALID_ARGUMENT".into()), "{of}");
    assert_eq!(json["details"][0]["reason"], "MALFORMED_REQUEST", "{of}");
    assert!(json["message"].as_str().is_some_and(|message| !message.is_empty()), "{of}");
}

#[tokio::test]
async fn a_head_that_cannot_be_read_is_refused_in_the_documented_shape() {
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(66_000));
    let many: String = (0..120).map(|number| format!("X-{number}: 1\r\n")).collect();
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    let large = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: {}\r\n\r\n", "a".repeat(600_000));
    let cases = [
        (414, long.as_str()),
        (431, many.as_str()),
        (431, large.as_str()),
        (400, "GET / HTTP/1.1\r\nHost: localhost\r\nBad Name: 1\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
        (400, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: strange\r\n\r\nab"),
        (400, "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"),
        (400, "G@T / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (400, "GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ];
    for (status, text) in cases {
        let of = text.get(..60).unwrap_or(text);
        let (answer, calls) = said(text).await;
        is_refusal(&answer, status, of);
        assert_eq!(calls, 0, "{of}");
    }
}

#[tokio::test]
async fn a_request_has_exactly_one_host() {
    for hosts in ["", "Host: a\r\nHost: b\r\n", "Host: a\r\nhost: a\r\n"] {
        let (answer, calls) = said(&format!("GET / HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n")).await;
        is_refusal(&answer, 400, hosts);
        assert_eq!(calls, 0, "{hosts}");
    }
    let (answer, calls) = said("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n").await;
    assert!(answer.contains("MALFORMED_REQUEST") && calls == 0, "{answer}");
    let (answer, calls) = said("GET / HTTP/1.0\r\n\r\n").await;
    assert!(answer.contains(" 200 OK") && calls == 1, "HTTP/1.0 needs none: {answer}");
}

#[tokio::test]
async fn answers_before_it_stay_as_they_are() {
    let ask = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let (answer, calls) = said(&format!("{ask}{ask}Bad Name / HTTP/1.1\r\n\r\n")).await;
    assert_eq!(
        (calls, answer.matches("HTTP/1.1 200 OK").count(), answer.matches("whole").count()),
        (2, 2, 2),
        "{answer}"
    );
    let last = answer.rfind("HTTP/1.1 400").unwrap();
    is_refusal(&answer[last..], 400, "the third");
}

#[tokio::test]
async fn a_bad_chunk_reaches_the_app_as_a_body_that_breaks_off() {
    let text = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n";
    let (answer, calls) = said(text).await;
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.ends_with("broken") && calls == 1, "{answer}");
}

/// The bytes of an answer belong to the app, whatever they look like.
#[tokio::test]
async fn a_body_that_looks_like_a_refusal_is_left_alone() {
    const LOOKS: &str = "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n";
    let server = Server::start(app(|_: Request<Body>| async {
        // Each part is written alone: a body that makes its writer wait is flushed.
        let frames = futures::stream::iter([LOOKS, LOOKS]).then(|text| async move {
            tokio::task::yield_now().await;
            Ok::<_, Infallible>(text)
        });
        Response::new(Body::from_stream(frames))
    }))
    .await;
    let answer = say(server.connect().await, GET).await;
    assert_eq!(answer.matches(LOOKS).count(), 2, "{answer}");
    assert!(!answer.contains("MALFORMED_REQUEST"), "{answer}");
}
