//! Bodies that the app leaves unread: no request of the same connection is lost.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use futures::StreamExt as _;
use http::{Request, Response, StatusCode, Version};
use http_body::Frame;
use http_body_util::{BodyExt as _, StreamBody};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::scene::{Server, app};

/// Refuses each request by its head alone, but for `/read`.
fn refuser() -> Router {
    app(|request: Request<Body>| async move {
        let refused = request.uri().path() != "/read";
        if !refused {
            let _ = request.into_body().collect().await;
        }
        let mut response = Response::new(Body::from(if refused { "refused" } else { "read" }));
        *response.status_mut() = if refused { StatusCode::NOT_FOUND } else { StatusCode::OK };
        response
    })
}

/// A connection of HTTP/1 that a client keeps.
struct Kept {
    stream: TcpStream,
    /// Bytes after the last answer.
    rest: Vec<u8>,
}

impl Kept {
    async fn open(server: &Server) -> Self {
        Self { stream: server.connect().await, rest: Vec::new() }
    }

    /// Sends the head, and after it the body in a packet of its own, as most clients do.
    async fn send(&mut self, head: &str, body: &[u8]) {
        self.stream.write_all(head.as_bytes()).await.unwrap();
        self.stream.flush().await.unwrap();
        tokio::task::yield_now().await;
        // The server may have closed the connection after its answer.
        let _ = self.stream.write_all(body).await;
    }

    /// The head of the next answer, whose body is skipped; empty when the connection ends without one.
    async fn answer(&mut self) -> String {
        let read = async {
            loop {
                if let Some(end) = self.rest.windows(4).position(|four| four == b"\r\n\r\n") {
                    let head = String::from_utf8_lossy(&self.rest[..end]).to_lowercase();
                    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                    let whole = end + 4 + length.unwrap().parse::<usize>().unwrap();
                    if self.rest.len() >= whole {
                        self.rest.drain(..whole);
                        return head;
                    }
                }
                let mut space = [0; 4096];
                match self.stream.read(&mut space).await {
                    Ok(read) if read > 0 => self.rest.extend_from_slice(&space[..read]),
                    _ => return String::new(),
                }
            }
        };
        timeout(Duration::from_secs(20), read).await.expect("an answer")
    }
}

fn post(path: &str, body: usize) -> String {
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {body}\r\n\r\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_loses_no_request_after_a_refusal() {
    let server = Server::start(refuser()).await;
    let (mut sent, mut closed) = (0, 0);
    for connection in 0..6 {
        let mut kept = Kept::open(&server).await;
        for number in 0..211 {
            let (path, size) = match (number + connection) % 5 {
                0 => ("/read", 3_000),
                1 => ("/no", 10),
                2 => ("/no", 60_000),
                3 => ("/no", 0),
                _ => ("/no", 300_000),
            };
            kept.send(&post(path, size), &vec![b'a'; size]).await;
            let head = kept.answer().await;
            sent += 1;
            assert!(head.starts_with(if path == "/read" { "http/1.1 200" } else { "http/1.1 404" }), "{sent}: {head}");
            let announced = head.contains("\r\nconnection: close");
            assert_eq!(announced, size > 64 << 10, "{size}: {head}");
            if announced {
                closed += 1;
                kept = Kept::open(&server).await;
            }
        }
    }
    assert_eq!(sent, 1_266);
    assert!(closed > 200, "{closed}");
}

#[tokio::test]
async fn small_chunks_are_read_and_others_end_the_connection() {
    let server = Server::start(refuser()).await;
    let chunked = "POST /no HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
    let mut kept = Kept::open(&server).await;
    for _ in 0..20 {
        kept.send(chunked, b"5\r\nhello\r\n0\r\n\r\n").await;
        let head = kept.answer().await;
        assert!(head.starts_with("http/1.1 404") && !head.contains("connection: close"), "{head}");
    }
    // A body that never ends, and a caller who waits to be asked for it.
    for (head, body) in [(chunked.to_owned(), "5\r\nhello\r\n"), (post("/no", 10), "short")] {
        let mut kept = Kept::open(&server).await;
        kept.send(&head, body.as_bytes()).await;
        let answer = kept.answer().await;
        assert!(answer.starts_with("http/1.1 404") && answer.contains("connection: close"), "{answer}");
        assert_eq!(kept.answer().await, "", "and is closed");
    }
    let mut kept = Kept::open(&server).await;
    kept.send("POST /no HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n", b"").await;
    let answer = kept.answer().await;
    assert!(answer.starts_with("http/1.1 404") && answer.contains("connection: close"), "not asked for: {answer}");
}

#[tokio::test]
async fn a_refused_caller_who_sends_much_reads_the_answer() {
    let server = Server::start(refuser()).await;
    for _ in 0..20 {
        let mut kept = Kept::open(&server).await;
        let size = 8 << 20;
        kept.send(&post("/no", size), &vec![b'a'; size]).await;
        let head = kept.answer().await;
        assert!(head.starts_with("http/1.1 404") && head.contains("connection: close"), "{head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http2_each_refused_call_has_its_answer() {
    let server = Server::start(refuser()).await;
    let client = Client::builder(TokioExecutor::new()).http2_only(true).build_http::<Body>();
    let ask = |path: &'static str, size: usize| {
        let (client, url) = (client.clone(), format!("{}{path}", server.url()));
        async move {
            // Frames that come one by one, as a stream's.
            let frames =
                futures::stream::iter(vec![Bytes::from(vec![b'a'; 8_000]); size / 8_000]).then(|bytes| async {
                    tokio::task::yield_now().await;
                    Ok::<_, Infallible>(Frame::data(bytes))
                });
            let request =
                Request::post(url).version(Version::HTTP_2).body(Body::new(StreamBody::new(Box::pin(frames))));
            let response =
                client.request(request.unwrap()).await.map_err(|error| format!("{path} {size}: {error:?}"))?;
            let status = response.status().as_u16();
            let body = response.into_body().collect().await.map_err(|error| format!("{path} {size}: {error:?}"))?;
            Ok::<_, String>((status, body.to_bytes()))
        }
    };
    let mut lost = Vec::new();
    for round in 0..40 {
        let sizes = [0, 8_000, 56_000, 160_000, 800_000];
        let refused = sizes.map(|size| ask("/no", size));
        let (refused, read) = tokio::join!(futures::future::join_all(refused), ask("/read", 80_000 + round));
        assert_eq!(read.unwrap().0, 200);
        for answer in refused {
            match answer {
                Ok((status, body)) => assert_eq!((status, &body[..]), (404, b"refused".as_slice())),
                Err(error) => lost.push(error),
            }
        }
    }
    assert_eq!(lost, Vec::<String>::new());
}
