use std::io;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use http::{Request, Response};
use pavise_kernel::time::Ids;
use pavise_mesh::TraceLayer;
use tower::ServiceExt;
use tracing_subscriber::fmt::MakeWriter;

use crate::scene::{CALL, app, message, request};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

fn traced() -> Router {
    let echo = app(|request: Request<Body>| async move {
        let mut response: Response<Body> = message("");
        response.headers_mut().insert("seen", request.headers()["traceparent"].clone());
        if request.uri().path().starts_with("/v1") {
            response.headers_mut().insert("x-request-id", http::HeaderValue::from_static("r-17"));
            response.extensions_mut().insert(pavise_rest::Matched(Arc::from("GET /v1/orders/{order_id}")));
        }
        response
    });
    echo.layer(TraceLayer::new(Ids::from_seed(1)))
}

async fn seen(request: Request<Body>) -> String {
    traced().oneshot(request).await.unwrap().headers()["seen"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_trace_is_continued_or_begun() {
    let sent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let with = |value: &str| Request::get("/").header("traceparent", value).body(Body::empty()).unwrap();
    assert_eq!(seen(with(sent)).await, sent);
    let begun = seen(with("rubbish")).await;
    assert_ne!(begun, "rubbish");
    assert_eq!(begun.len(), sent.len());
    assert_ne!(seen(Request::new(Body::empty())).await, "");
}

#[tokio::test]
async fn the_log_names_the_route_and_nothing_that_the_caller_said() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().json().with_writer(log.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let secret = Request::get("/v1/orders/ada@example.com?token=t0p")
        .header("authorization", "Bearer s3cret")
        .header("cookie", "pavise_session=s3cret")
        .body(Body::from("{\"password\":\"hunter2\"}"))
        .unwrap();
    traced().oneshot(secret).await.unwrap();
    traced().oneshot(request(CALL, &[("authorization", "Bearer s3cret")]).map(Body::new)).await.unwrap();
    traced().oneshot(Request::get("/reset/ada@example.com").body(Body::empty()).unwrap()).await.unwrap();
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for route in ["GET /v1/orders/{order_id}", CALL, "(none)"] {
        assert!(text.contains(&format!("\"route\":\"{route}\"")), "{route} is not in {text}");
    }
    assert!(text.contains("\"trace_id\":"), "{text}");
    let named: Vec<&str> = text.lines().filter(|line| line.contains("\"request_id\":\"r-17\"")).collect();
    assert!(
        matches!(named.as_slice(), [one] if one.contains("GET /v1/orders")),
        "what an answer is called in journals: {text}"
    );
    for secret in ["ada", "t0p", "s3cret", "hunter2", "/reset"] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
}
