use std::time::{Duration, Instant};

use axum::body::Body;
use http::{Request, Response};
use http_body_util::BodyExt;
use pavise_mesh::{DeadlineLayer, Endpoint, guard, local, remote, timeout_of};
use tokio::net::TcpListener;
use tonic::Code;
use tonic::service::Routes;
use tonic_types::StatusExt;

use crate::scene::{CALL, Server, app, call, message, messages, never, request};

const SOON: Duration = Duration::from_secs(3);

fn no_reads(_: &str) -> bool {
    false
}

async fn echo_timeout(request: Request<Body>) -> Response<Body> {
    let left = timeout_of(request.headers()).expect("a deadline is passed on");
    message(&left.as_millis().to_string())
}

#[tokio::test]
async fn what_is_left_of_a_deadline_is_passed_on() {
    let server = Server::start(app(echo_timeout)).await;
    let channel = server.channel(no_reads);
    let left: u64 = call(&channel, &[("grpc-timeout", "5S")]).await.unwrap().parse().unwrap();
    assert!((4000..=5000).contains(&left), "{left}");
    let left: u64 = call(&channel, &[]).await.unwrap().parse().unwrap();
    assert!((29_000..=30_000).contains(&left), "the endpoint's own: {left}");
    let left: u64 = call(&channel, &[("grpc-timeout", "2H")]).await.unwrap().parse().unwrap();
    assert!((7_190_000..=7_200_000).contains(&left), "{left}");
}

#[tokio::test]
async fn a_peer_that_does_not_answer_costs_no_more_than_the_deadline() {
    let server = Server::start(app(never)).await;
    for reads in [no_reads, |_: &str| true] {
        let began = Instant::now();
        let status = call(&server.channel(reads), &[("grpc-timeout", "100m")]).await.unwrap_err();
        assert_eq!(status.code(), Code::DeadlineExceeded);
        assert_eq!(status.get_details_error_info().unwrap().reason, "DEADLINE_EXCEEDED");
        assert!(began.elapsed() < SOON);
    }
}

#[tokio::test]
async fn a_half_open_peer_costs_no_more_than_the_deadline() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint::new(format!("http://{}", listener.local_addr().unwrap()));
    let held = tokio::spawn(async move {
        let mut held = Vec::new();
        loop {
            held.push(listener.accept().await.unwrap());
        }
    });
    let began = Instant::now();
    let status = call(&remote(&endpoint, no_reads).unwrap(), &[("grpc-timeout", "150m")]).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(began.elapsed() < SOON);
    held.abort();
}

#[tokio::test]
async fn the_server_ends_what_takes_too_long_in_the_callers_language() {
    let slow = app(never).layer(DeadlineLayer::new(Duration::from_millis(100)));
    let grpc = tower::ServiceExt::oneshot(slow.clone(), request(CALL, &[]).map(Body::new)).await.unwrap();
    assert_eq!((grpc.status().as_u16(), grpc.headers()["grpc-status"].to_str().unwrap()), (200, "4"));
    let rest = tower::ServiceExt::oneshot(slow, Request::get("/v1/orders").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(rest.status(), 504);
    let text = rest.into_body().collect().await.unwrap().to_bytes();
    assert!(std::str::from_utf8(&text).unwrap().contains("\"reason\":\"DEADLINE_EXCEEDED\""));
}

#[tokio::test]
async fn the_callers_deadline_wins_but_not_without_end() {
    let layer = DeadlineLayer::new(Duration::from_secs(60)).at_most(Duration::from_millis(100));
    for headers in [&[("grpc-timeout", "50m")][..], &[("grpc-timeout", "1H")], &[("grpc-timeout", "soon")], &[]] {
        let began = Instant::now();
        let answer =
            tower::ServiceExt::oneshot(app(never).layer(layer), request(CALL, headers).map(Body::new)).await.unwrap();
        assert_eq!(answer.headers()["grpc-status"], "4");
        assert!(began.elapsed() < SOON);
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_deadline_and_only_with_one() {
    let stream = || app(|_| async { messages(vec!["a".into(), "b".into()], None) });
    let server =
        Server::start(axum::Router::new().fallback_service(guard(stream(), 10, pavise_mesh::Spans::default()))).await;
    let channel = server.channel(no_reads);
    let status = call(&channel, &[("grpc-timeout", "150m")]).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert_eq!(status.get_details_error_info().unwrap().reason, "DEADLINE_EXCEEDED");

    let bounded = stream().layer(DeadlineLayer::new(Duration::from_millis(50)));
    let answer = tower::ServiceExt::oneshot(bounded, request(CALL, &[]).map(Body::new)).await.unwrap();
    let whole = tokio::time::timeout(Duration::from_millis(300), answer.into_body().collect()).await;
    assert!(whole.is_err(), "the default bounds the head only: the stream is still open");
}

#[tokio::test]
async fn deadlines_hold_in_process_too() {
    let transport = local(Routes::from(app(never)));
    let began = Instant::now();
    let status = call(&transport, &[("grpc-timeout", "100m")]).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(began.elapsed() < SOON);
    let transport = local(Routes::from(app(echo_timeout)));
    assert_eq!(call(&transport, &[("grpc-timeout", "5S")]).await.unwrap(), "5000");
    let transport = local(Routes::from(app(|_| async { messages(vec!["a".into()], None) })));
    assert_eq!(call(&transport, &[("grpc-timeout", "100m")]).await.unwrap_err().code(), Code::DeadlineExceeded);
}
