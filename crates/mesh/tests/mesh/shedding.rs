use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use futures::StreamExt as _;
use http::{Request, Response};
use http_body_util::BodyExt;
use pavise_kernel::in_flight::wait_outside;
use pavise_mesh::{LoadShedLayer, guard};
use tokio::sync::Notify;
use tonic::Code;
use tonic_types::StatusExt;
use tower::ServiceExt;

use crate::scene::{CALL, app, message, messages, read, request};

/// An app with room for one call, which is taken until the test notifies its holder.
async fn full() -> (Router, Arc<Notify>, tokio::task::JoinHandle<Response<Body>>) {
    let (go, there) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (waits, arrived) = (Arc::clone(&go), Arc::clone(&there));
    let app = app(move |request: Request<Body>| {
        let (waits, arrived) = (Arc::clone(&waits), Arc::clone(&arrived));
        async move {
            if request.uri().path() == "/wait" {
                arrived.notify_one();
                waits.notified().await;
            }
            message("done")
        }
    });
    let app = app.layer(LoadShedLayer::new(1));
    let first = tokio::spawn(app.clone().oneshot(Request::get("/wait").body(Body::empty()).unwrap()));
    there.notified().await;
    let first = tokio::spawn(async move { first.await.unwrap().unwrap() });
    (app, go, first)
}

fn grpc(path: &str) -> Request<Body> {
    request(path, &[]).map(Body::new)
}

#[tokio::test]
async fn what_is_too_much_is_refused_at_once_and_told_when_to_come_back() {
    let (app, go, first) = full().await;
    let status = read(app.clone().oneshot(grpc(CALL)).await.unwrap()).await.unwrap_err();
    assert_eq!(status.code(), Code::ResourceExhausted);
    let details = status.get_error_details();
    assert_eq!(details.error_info().unwrap().reason, "OVERLOADED");
    assert_eq!(details.retry_info().unwrap().retry_delay, Some(Duration::from_secs(1)));

    let rest = app.clone().oneshot(Request::get("/v1/orders").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!((rest.status().as_u16(), rest.headers()["retry-after"].to_str().unwrap()), (429, "1"));
    let text = rest.into_body().collect().await.unwrap().to_bytes();
    let text = std::str::from_utf8(&text).unwrap();
    assert!(text.contains("\"reason\":\"OVERLOADED\"") && text.contains("\"retryDelay\":\"1s\""), "{text}");

    let mut web = grpc(CALL);
    web.headers_mut().insert("content-type", http::HeaderValue::from_static("application/grpc-web+proto"));
    let web = app.clone().oneshot(web).await.unwrap();
    assert_eq!(web.headers()["content-type"], "application/grpc-web+proto");
    assert_eq!(web.headers()["grpc-status"], "8");

    go.notify_one();
    first.await.unwrap();
    assert_eq!(read(app.oneshot(grpc(CALL)).await.unwrap()).await.unwrap(), "done");
}

#[tokio::test]
async fn health_is_always_answered() {
    let (app, go, first) = full().await;
    assert_eq!(read(app.oneshot(grpc("/grpc.health.v1.Health/Check")).await.unwrap()).await.unwrap(), "done");
    go.notify_one();
    first.await.unwrap();
}

#[tokio::test]
async fn a_caller_who_goes_makes_room() {
    let app = app(|request: Request<Body>| async move {
        if request.uri().path() == "/wait" {
            std::future::pending::<()>().await;
        }
        message("done")
    });
    let app = app.layer(LoadShedLayer::new(1));
    let gone = app.clone().oneshot(Request::get("/wait").body(Body::empty()).unwrap());
    assert!(tokio::time::timeout(Duration::from_millis(50), gone).await.is_err());
    assert_eq!(read(app.oneshot(grpc(CALL)).await.unwrap()).await.unwrap(), "done");
}

#[tokio::test]
async fn an_open_stream_takes_no_room() {
    let app = guard(app(|_| async { messages(vec!["a".into()], None) }), 1, pavise_mesh::Spans::default());
    let open = app.clone().oneshot(grpc(CALL)).await.unwrap();
    let second = app.oneshot(grpc(CALL)).await.unwrap();
    assert!(!second.headers().contains_key("grpc-status"));
    drop(open);
}

/// A request whose body never ends, and the answer to it, from an app that reads bodies before it answers.
fn slow(app: &Router) -> tokio::task::JoinHandle<Response<Body>> {
    let drip = futures::stream::once(async { Ok::<_, std::io::Error>("{") }).chain(futures::stream::pending());
    let request = Request::post("/v1/orders").body(Body::from_stream(drip)).unwrap();
    let answer = app.clone().oneshot(request);
    tokio::spawn(async move { answer.await.unwrap() })
}

fn reading(limit: usize) -> Router {
    let app = app(|request: Request<Body>| async move {
        let body = request.into_body().collect().await;
        message(if body.is_ok() { "done" } else { "broken" })
    });
    app.layer(LoadShedLayer::new(limit))
}

/// A thousand senders hold all places with bodies that do not end. Others get places after two seconds.
#[tokio::test(start_paused = true)]
async fn slow_bodies_keep_nobody_out() {
    let app = reading(1_000);
    let mut slow: Vec<_> = (0..1_000).map(|_| slow(&app)).collect();
    tokio::time::sleep(Duration::from_millis(1_900)).await;
    let early = read(app.clone().oneshot(grpc(CALL)).await.unwrap()).await.unwrap_err();
    assert_eq!(early.code(), Code::ResourceExhausted, "every body has two seconds");
    tokio::time::sleep(Duration::from_millis(100)).await;
    let began = tokio::time::Instant::now();
    for _ in 0..10 {
        assert_eq!(read(app.clone().oneshot(grpc(CALL)).await.unwrap()).await.unwrap(), "done");
    }
    assert!(began.elapsed() < Duration::from_millis(100), "{:?}", began.elapsed());
    let refused = slow.remove(0).await.unwrap();
    assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "1"));
    tokio::task::yield_now().await;
    assert_eq!(slow.iter().filter(|slow| slow.is_finished()).count(), 0, "one place served all who came one by one");
    slow.iter().for_each(tokio::task::JoinHandle::abort);
}

/// A call that is at work keeps its place, however long its body took.
#[tokio::test(start_paused = true)]
async fn a_body_that_has_arrived_loses_no_place() {
    let (app, go, first) = full().await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(read(app.clone().oneshot(grpc(CALL)).await.unwrap()).await.is_err());
    go.notify_one();
    first.await.unwrap();

    let (app, go) = (reading(1), Arc::new(Notify::new()));
    let waits = Arc::clone(&go);
    let late = futures::stream::once(async move {
        waits.notified().await;
        Ok::<_, std::io::Error>("{}")
    });
    let request = Request::post("/v1/orders").body(Body::from_stream(late)).unwrap();
    let late = tokio::spawn(app.clone().oneshot(request));
    tokio::time::sleep(Duration::from_secs(60)).await;
    go.notify_one();
    assert_eq!(read(late.await.unwrap().unwrap()).await.unwrap(), "done", "nobody needed its place");
    assert_eq!(read(app.oneshot(grpc(CALL)).await.unwrap()).await.unwrap(), "done", "and it is free again");
}

#[tokio::test]
async fn who_waits_for_others_keeps_no_place() {
    let (go, there) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (waits, arrived) = (Arc::clone(&go), Arc::clone(&there));
    let app = app(move |request: Request<Body>| {
        let (waits, arrived) = (Arc::clone(&waits), Arc::clone(&arrived));
        async move {
            let wait = async {
                arrived.notify_one();
                waits.notified().await;
            };
            match request.uri().path() {
                "/outside" => match wait_outside(wait).await {
                    Ok(()) => message("done"),
                    Err(error) => message(error.reason()),
                },
                "/inside" => {
                    wait.await;
                    message("done")
                }
                _ => message("done"),
            }
        }
    });
    let app = app.layer(LoadShedLayer::new(1));
    let ask = |path: &str| {
        let asked = app.clone().oneshot(grpc(path));
        tokio::spawn(async move { read(asked.await.unwrap()).await })
    };
    let outside = ask("/outside");
    there.notified().await;
    assert_eq!(ask("/").await.unwrap().unwrap(), "done", "there is a place while it waits");
    go.notify_one();
    assert_eq!(outside.await.unwrap().unwrap(), "done");
    // After the wait it needs a place again.
    let outside = ask("/outside");
    there.notified().await;
    let inside = ask("/inside");
    there.notified().await;
    assert!(ask("/").await.unwrap().is_err(), "the only place is taken");
    // The first one that waits is woken first.
    go.notify_one();
    assert_eq!(outside.await.unwrap().unwrap(), "OVERLOADED");
    go.notify_one();
    assert_eq!(inside.await.unwrap().unwrap(), "done");
    assert_eq!(ask("/").await.unwrap().unwrap(), "done", "and no place is lost");
}
