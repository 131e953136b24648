//! Refusals by path, method, content type and RPC leave the body unread: no request of the same connection is lost.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

use std::time::Duration;

use pavise_testapp::{Cut, Engine, Platform};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The next request of the connection.
const NEXT: &str = "GET /v1/products?pageSize=1 HTTP/1.1\r\nHost: localhost\r\n\r\n";
/// The largest body after which a connection stays open.
const SMALL: usize = 64 << 10;

/// A request that is refused by its head alone.
struct Refused {
    start: &'static str,
    kind: &'static str,
    /// The start of the answer.
    status: &'static str,
    /// A header of the answer; empty for none.
    header: &'static str,
}

const REFUSED: [Refused; 5] = [
    Refused { start: "POST /v1/nothing", kind: "application/json", status: "http/1.1 404", header: "" },
    Refused { start: "PATCH /v1/tokens", kind: "application/json", status: "http/1.1 405", header: "" },
    Refused { start: "POST /v1/tokens", kind: "text/plain", status: "http/1.1 415", header: "" },
    Refused {
        start: "POST /pavise.catalog.v1.ProductService/Nothing",
        kind: "application/grpc-web+proto",
        status: "http/1.1 200",
        header: "grpc-status: 12",
    },
    // Plain gRPC needs HTTP/2.
    Refused {
        start: "POST /pavise.catalog.v1.ProductService/Nothing",
        kind: "application/grpc",
        status: "http/1.1 400",
        header: "",
    },
];

impl Refused {
    fn head(&self, body: &str) -> String {
        format!("{} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {}\r\n{body}\r\n\r\n", self.start, self.kind)
    }

    /// Checks the head of the answer; whether it announces the end of the connection.
    fn check(&self, head: &str) -> bool {
        assert!(head.starts_with(self.status), "{}: {head}", self.start);
        assert!(head.contains(self.header), "{}: {head}", self.start);
        head.contains("\r\nconnection: close")
    }
}

/// A connection of HTTP/1.1 that a client keeps.
struct Kept {
    stream: TcpStream,
    /// Bytes after the last answer.
    rest: Vec<u8>,
}

impl Kept {
    async fn open(address: &str) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), rest: Vec::new() }
    }

    /// Sends the head, and after it the rest in a packet of its own, as most clients do.
    async fn send(&mut self, head: &str, rest: &[u8]) {
        self.stream.write_all(head.as_bytes()).await.unwrap();
        tokio::task::yield_now().await;
        // The server may have closed the connection after its answer.
        let _ = self.stream.write_all(rest).await;
    }

    /// The head of the next answer in lower case, whose body is skipped.
    async fn answer(&mut self) -> String {
        let end = loop {
            match self.rest.windows(4).position(|four| four == b"\r\n\r\n") {
                Some(end) => break end,
                None => self.read().await,
            }
        };
        let head: Vec<u8> = self.rest.drain(..end + 4).collect();
        let head = String::from_utf8_lossy(&head[..end]).to_lowercase();
        if let Some(length) = head.lines().find_map(|line| line.strip_prefix("content-length: ")) {
            self.skip(length.parse().unwrap()).await;
        } else if head.contains("\r\ntransfer-encoding: chunked") {
            while self.skip_chunk().await {}
        }
        head
    }

    /// Skips a chunk with its size; whether more follow.
    async fn skip_chunk(&mut self) -> bool {
        let end = loop {
            match self.rest.windows(2).position(|two| two == b"\r\n") {
                Some(end) => break end,
                None => self.read().await,
            }
        };
        let size = usize::from_str_radix(std::str::from_utf8(&self.rest[..end]).unwrap(), 16).unwrap();
        self.skip(end + 2 + size + 2).await;
        size > 0
    }

    async fn skip(&mut self, bytes: usize) {
        while self.rest.len() < bytes {
            self.read().await;
        }
        self.rest.drain(..bytes);
    }

    async fn read(&mut self) {
        let mut space = [0; 4096];
        let read = timeout(Duration::from_secs(20), self.stream.read(&mut space)).await.expect("an answer").unwrap();
        assert!(read > 0, "the connection ended without an answer");
        self.rest.extend_from_slice(&space[..read]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_loses_no_request_after_a_refusal_that_leaves_its_body() {
    let platform = Platform::start(Engine::Sqlite, Cut::Whole).await.unwrap();
    let address = platform.addresses()[0].trim_start_matches("http://").to_owned();
    let mut kept = Kept::open(&address).await;
    let (mut stayed, mut closed) = (0, 0);
    for round in 0..24 {
        for (number, refused) in REFUSED.iter().enumerate() {
            let size = [10, 3_000, 60_000, 300_000][(round + number) % 4];
            // The next request comes after the answer, or at once with the body.
            let is_pipelined = round % 2 == 1;
            let mut rest = vec![b'a'; size];
            if is_pipelined {
                rest.extend_from_slice(NEXT.as_bytes());
            }
            kept.send(&refused.head(&format!("Content-Length: {size}")), &rest).await;
            let is_closed = refused.check(&kept.answer().await);
            assert_eq!(is_closed, size > SMALL, "{}: {size}", refused.start);
            if is_closed {
                closed += 1;
                kept = Kept::open(&address).await;
            } else {
                stayed += 1;
            }
            if is_closed || !is_pipelined {
                kept.send(NEXT, b"").await;
            }
            let next = kept.answer().await;
            assert!(next.starts_with("http/1.1 200"), "after {} with {size} bytes: {next}", refused.start);
        }
    }
    assert_eq!((stayed, closed), (90, 30));
    platform.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_body_in_chunks_is_no_request() {
    let platform = Platform::start(Engine::Sqlite, Cut::Whole).await.unwrap();
    let mut kept = Kept::open(platform.addresses()[0].trim_start_matches("http://")).await;
    // The chunk would be a request if it were read as one.
    let smuggled = "DELETE /v1/tokens HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let chunks = format!("{:x}\r\n{smuggled}\r\n0\r\n\r\n", smuggled.len());
    for refused in REFUSED.iter().cycle().take(20) {
        kept.send(&refused.head("Transfer-Encoding: chunked"), chunks.as_bytes()).await;
        assert!(!refused.check(&kept.answer().await), "{}", refused.start);
        kept.send(NEXT, b"").await;
        let next = kept.answer().await;
        assert!(next.starts_with("http/1.1 200"), "after {}: {next}", refused.start);
    }
    drop(kept);
    platform.finish().await;
}
