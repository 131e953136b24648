//! The proxy through which a browser reaches the admitted hosts, and nothing else.
//!
//! It looks a host up once, refuses it if one of its addresses is not public, and connects to the address that it looked
//! at. The pages of the platform itself may be at a private address. A page that is in memory has a name that no host has.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_TYPE, HOST, HeaderName, PROXY_AUTHORIZATION, TE, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Empty, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::hosts::{AllowedHosts, is_public};

/// The host of the page in memory. No host has such a name.
pub(crate) const MEMORY: &str = "page.invalid";
/// Headers that are for the proxy, and not for the host.
const HOP: [HeaderName; 5] = [CONNECTION, PROXY_AUTHORIZATION, TE, TRANSFER_ENCODING, UPGRADE];

type Body = BoxBody<Bytes, hyper::Error>;

/// The places that a browser may reach.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    /// The page in memory, if it is that which is printed.
    pub(crate) page: Option<Bytes>,
    /// The admitted hosts.
    pub(crate) hosts: AllowedHosts,
    /// The host of the printed page.
    pub(crate) main: String,
}

/// A proxy for one printed page. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Proxy {
    /// Its address on this machine.
    pub(crate) address: SocketAddr,
    state: Arc<State>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct State {
    reach: Reach,
    /// The printed page itself was reached.
    is_reached: AtomicBool,
    /// The printed page itself was answered with an error.
    is_refused: AtomicBool,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Proxy {
    /// Starts it.
    pub(crate) async fn start(reach: Reach) -> std::io::Result<Self> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let state = Arc::new(State { reach, is_reached: AtomicBool::new(false), is_refused: AtomicBool::new(false) });
        let task = tokio::spawn(accept(listener, Arc::clone(&state)));
        Ok(Self { address, state, task })
    }

    /// Whether the browser got the page that it was to print.
    pub(crate) fn has_served(&self) -> bool {
        self.state.is_reached.load(Ordering::Relaxed) && !self.state.is_refused.load(Ordering::Relaxed)
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    // Connections end with the proxy, because they are in its set.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let state = Arc::clone(&state);
                connections.spawn(async move {
                    let service = service_fn(move |request| {
                        let state = Arc::clone(&state);
                        async move { Ok::<_, Infallible>(state.answer(request).await) }
                    });
                    let served = hyper::server::conn::http1::Builder::new()
                        .preserve_header_case(true)
                        .serve_connection(TokioIo::new(stream), service)
                        .with_upgrades();
                    let _ = served.await;
                });
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

impl State {
    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        if request.method() == Method::CONNECT {
            return self.tunnel(request).await;
        }
        let uri = request.uri();
        let (Some(host), port) = (uri.host().map(str::to_owned), uri.port_u16().unwrap_or(80)) else {
            return status(StatusCode::BAD_REQUEST);
        };
        if host == MEMORY {
            return self.answer_page(request.uri().path());
        }
        let is_main = host == self.reach.main;
        if uri.scheme_str() != Some("http") || !matches!(*request.method(), Method::GET | Method::HEAD) {
            return status(StatusCode::FORBIDDEN);
        }
        let Some(stream) = self.connect("http", &host, port).await else { return status(StatusCode::FORBIDDEN) };
        match forward(stream, request).await {
            Ok(response) => {
                if is_main && !self.is_reached.swap(true, Ordering::Relaxed) && response.status().as_u16() >= 400 {
                    self.is_refused.store(true, Ordering::Relaxed);
                }
                response
            }
            Err(_) => status(StatusCode::BAD_GATEWAY),
        }
    }

    fn answer_page(&self, path: &str) -> Response<Body> {
        let Some(page) = self.reach.page.clone().filter(|_| path == "/") else { return status(StatusCode::NOT_FOUND) };
        self.is_reached.store(true, Ordering::Relaxed);
        let mut response = Response::new(Full::new(page).map_err(|never| match never {}).boxed());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        // Whatever a text holds, it runs nothing and loads nothing.
        let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; img-src data:");
        response.headers_mut().insert(http::header::CONTENT_SECURITY_POLICY, policy);
        response
    }

    /// Opens a tunnel for TLS.
    async fn tunnel(&self, request: Request<Incoming>) -> Response<Body> {
        let Some(authority) = request.uri().authority().cloned() else { return status(StatusCode::BAD_REQUEST) };
        let (host, port) = (authority.host().to_owned(), authority.port_u16().unwrap_or(443));
        let Some(mut stream) = self.connect("https", &host, port).await else { return status(StatusCode::FORBIDDEN) };
        if host == self.reach.main {
            self.is_reached.store(true, Ordering::Relaxed);
        }
        tokio::spawn(async move {
            if let Ok(upgraded) = hyper::upgrade::on(request).await {
                let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(upgraded), &mut stream).await;
            }
        });
        status(StatusCode::OK)
    }

    /// A connection to an admitted host, at the address that was looked at.
    async fn connect(&self, scheme: &str, host: &str, port: u16) -> Option<TcpStream> {
        let admitted = self.reach.hosts.find(scheme, host, port)?;
        let name = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let addresses: Vec<SocketAddr> = tokio::net::lookup_host((name, port)).await.ok()?.collect();
        if !admitted.is_own && !addresses.iter().all(|address| is_public(address.ip())) {
            return None;
        }
        for address in addresses {
            if let Ok(stream) = TcpStream::connect(address).await {
                return Some(stream);
            }
        }
        None
    }
}

/// Passes a request on, and its answer back.
async fn forward(stream: TcpStream, request: Request<Incoming>) -> Result<Response<Body>, hyper::Error> {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let (mut parts, body) = request.into_parts();
    if let Some(host) = parts.uri.authority().and_then(|host| HeaderValue::from_str(host.as_str()).ok()) {
        parts.headers.insert(HOST, host);
    }
    let path = parts.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    parts.uri = path.parse().unwrap_or_default();
    for name in HOP {
        parts.headers.remove(name);
    }
    parts.headers.remove("proxy-connection");
    let mut response = sender.send_request(Request::from_parts(parts, body)).await?;
    for name in HOP {
        response.headers_mut().remove(name);
    }
    Ok(response.map(http_body_util::BodyExt::boxed))
}

fn status(code: StatusCode) -> Response<Body> {
    let mut response = Response::new(Empty::new().map_err(|never| match never {}).boxed());
    *response.status_mut() = code;
    response
}
