use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use http::{Method, Request, Response, StatusCode, Version};
use http_body_util::BodyExt;
use pavise_mesh::Serving;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use tower::ServiceExt;

use crate::scene::{GET, Server, app, call, message, request, say};

fn hello() -> Router {
    app(|request: Request<Body>| async move { message(&format!("{:?}", request.version())) })
}

fn impatient() -> Serving {
    Serving { head_timeout: Duration::from_millis(200), ..Serving::default() }
}

#[tokio::test]
async fn one_port_speaks_both() {
    let server = Server::start(hello()).await;
    assert_eq!(call(&server.channel(|_| false), &[]).await.unwrap(), "HTTP/2.0");
    assert!(say(server.connect().await, GET).await.contains("HTTP/1.1\r\n"), "the answer's body names the version");
}

/// Over HTTP/2 an answer to HEAD with a body breaks its stream.
#[tokio::test]
async fn an_answer_to_head_has_no_body() {
    let page = tower::service_fn(|_: Request<Body>| async {
        let mut response = Response::new(Body::from("a page"));
        *response.status_mut() = StatusCode::NOT_FOUND;
        Ok::<_, Infallible>(response)
    });
    let server = Server::start(page).await;
    let mut head = request("/page", &[]);
    *head.method_mut() = Method::HEAD;
    let answer = server.channel(|_| false).oneshot(head).await.unwrap();
    assert_eq!((answer.version(), answer.status()), (Version::HTTP_2, StatusCode::NOT_FOUND));
    assert_eq!(answer.headers()["content-length"], "6");
    assert_eq!(answer.into_body().collect().await.unwrap().to_bytes().len(), 0);
}

#[tokio::test]
async fn the_app_learns_who_calls() {
    let server = Server::start(app(|request: Request<Body>| async move {
        message(&request.extensions().get::<ConnectInfo<SocketAddr>>().unwrap().0.ip().to_string())
    }))
    .await;
    assert_eq!(call(&server.channel(|_| false), &[]).await.unwrap(), "127.0.0.1");
}

#[tokio::test]
async fn those_who_say_nothing_or_half_of_it_are_closed() {
    let server = Server::with(hello(), impatient()).await;
    for beginning in [
        "",
        "P",
        "PRI * HTTP/2.0\r\n\r\nSM",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: loc",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: 1\r\n",
    ] {
        let began = Instant::now();
        timeout(Duration::from_secs(5), say(server.connect().await, beginning)).await.expect(beginning);
        assert!(began.elapsed() >= Duration::from_millis(150), "{beginning}");
    }
    assert!(say(server.connect().await, GET).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_slow_but_steady_beginning_is_not_enough() {
    let server = Server::with(hello(), impatient()).await;
    let mut stream = server.connect().await;
    let closed = async {
        for byte in "GET / HTTP/1.1\r\nHost: localhost\r\nX-Very-Slow: 1\r\nX-More: 2\r\n\r\n".bytes() {
            tokio::time::sleep(Duration::from_millis(25)).await;
            if stream.write_all(&[byte]).await.is_err() {
                return;
            }
        }
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
        assert!(!rest.starts_with(b"HTTP/1.1 200"), "the whole head took a second and a half");
    };
    timeout(Duration::from_secs(5), closed).await.unwrap();
}

#[tokio::test]
async fn more_connections_than_allowed_wait_for_their_turn() {
    let server = Server::with(hello(), Serving { max_connections: 1, ..Serving::default() }).await;
    let first = server.connect().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let second = tokio::spawn(say(server.connect().await, GET));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!second.is_finished());
    drop(first);
    let answer = timeout(Duration::from_secs(5), second).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn rubbish_does_no_harm() {
    let server = Server::start(hello()).await;
    for rubbish in [
        "\0\0\0\0",
        "\x16\x03\x01\x02\0\x01\0\x01\u{7f}",
        "HELO there\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n",
    ] {
        let stream = server.connect().await;
        let _ = timeout(Duration::from_millis(300), say(stream, rubbish)).await;
    }
    let large = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: {}\r\n\r\n", "a".repeat(1 << 20));
    let mut stream = server.connect().await;
    let _ = stream.write_all(large.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = timeout(Duration::from_secs(5), stream.read_to_end(&mut answer)).await;
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
    assert!(say(server.connect().await, GET).await.starts_with("HTTP/1.1 200"));
}
