//! The listening end: HTTP/1 and HTTP/2 on one port, with or without TLS, until shutdown.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use http::{Method, Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

use crate::first_bytes::FirstBytes;
use crate::malformed::{Answers, Explained, refuse_host};
use crate::protect::protect;
use crate::unread::Unread;

/// The settings of a server.
#[derive(Debug, Clone)]
pub struct Serving {
    /// The configuration from [`ServerTls::config`](crate::ServerTls::config); `None` serves without TLS.
    pub tls: Option<Arc<ServerConfig>>,
    /// The server stops when this token is cancelled.
    pub shutdown: CancellationToken,
    /// The time that calls in flight still have after shutdown.
    pub grace: Duration,
    /// The most connections at once; more wait in the system's queue.
    pub max_connections: usize,
    /// The most calls at once on one HTTP/2 connection.
    pub max_streams: u32,
    /// Tells browsers to use TLS only, for the host and those below it.
    pub strict_transport: bool,
    /// The time within which a client must send a head, choose its HTTP version, and agree on TLS.
    pub head_timeout: Duration,
}

impl Default for Serving {
    fn default() -> Self {
        Self {
            tls: None,
            shutdown: CancellationToken::new(),
            grace: Duration::from_secs(20),
            max_connections: 10_000,
            max_streams: 256,
            strict_transport: false,
            head_timeout: Duration::from_secs(15),
        }
    }
}

/// The outcome of a server's shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drained {
    /// The connections that were open at shutdown.
    pub open: usize,
    /// The connections that had not finished within the grace, and were cut.
    pub cut: usize,
}

/// Serves `app` on `listener` until `shutdown` is cancelled. The server then stops accepting, gives calls in flight
/// the
/// `grace` to finish, and closes. [`Serving`] has more settings.
pub async fn serve<S>(
    listener: TcpListener,
    app: S,
    tls: Option<Arc<ServerConfig>>,
    shutdown: CancellationToken,
    grace: Duration,
) -> Drained
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    Serving { tls, shutdown, grace, ..Serving::default() }.run(listener, app).await
}

impl Serving {
    /// Serves `app` on `listener` until shutdown, and drains.
    pub async fn run<S>(self, listener: TcpListener, app: S) -> Drained
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send + 'static,
    {
        run(self, listener, app).await
    }
}

async fn run<S>(serving: Serving, listener: TcpListener, app: S) -> Drained
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    let acceptor = serving.tls.clone().map(TlsAcceptor::from);
    let builder = Arc::new(builder(&serving));
    let free = Arc::new(Semaphore::new(serving.max_connections.min(Semaphore::MAX_PERMITS)));
    let connections = TaskTracker::new();
    let cut = CancellationToken::new();
    while let Some((stream, peer, permit)) = next(&listener, &free, &serving.shutdown).await {
        let connection = Connection {
            app: app.clone(),
            peer,
            builder: Arc::clone(&builder),
            acceptor: acceptor.clone(),
            shutdown: serving.shutdown.clone(),
            head_timeout: serving.head_timeout,
            strict_transport: serving.strict_transport,
        };
        let cut = cut.clone();
        connections.spawn(async move {
            let _permit = permit;
            // Dropping a connection closes it and stops the calls on it.
            let _ = cut.run_until_cancelled(connection.run(stream)).await;
        });
    }
    // The system refuses a client that comes now, and the client goes elsewhere.
    drop(listener);
    connections.close();
    let open = connections.len();
    let cut_off = match timeout(serving.grace, connections.wait()).await {
        Ok(()) => 0,
        Err(_) => connections.len(),
    };
    cut.cancel();
    connections.wait().await;
    tracing::info!(open, cut = cut_off, "stopped");
    Drained { open, cut: cut_off }
}

type Accepted = (TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit);

/// The next connection, once there is room for it; `None` at shutdown.
async fn next(listener: &TcpListener, free: &Arc<Semaphore>, shutdown: &CancellationToken) -> Option<Accepted> {
    let accept = async {
        let permit = Arc::clone(free).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => return Some((stream, peer, permit)),
                Err(error) => {
                    // Mostly the process is out of file descriptors: some will be closed soon.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    };
    shutdown.run_until_cancelled(accept).await.flatten()
}

fn builder(serving: &Serving) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    // pipeline_flush stays off: with it, hyper drops unsent answers when a later request cannot be parsed.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(serving.head_timeout).max_buf_size(128 << 10);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(serving.max_streams)
        .max_header_list_size(32 << 10)
        .initial_stream_window_size(256 << 10)
        .initial_connection_window_size(2 << 20)
        .keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(15));
    builder
}

struct Connection<S> {
    app: S,
    peer: SocketAddr,
    builder: Arc<Builder<TokioExecutor>>,
    acceptor: Option<TlsAcceptor>,
    shutdown: CancellationToken,
    head_timeout: Duration,
    strict_transport: bool,
}

impl<S> Connection<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    async fn run(self, stream: TcpStream) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        match self.acceptor.clone() {
            None => self.speak(stream).await,
            Some(acceptor) => {
                let handshake = timeout(self.head_timeout, acceptor.accept(stream));
                match self.shutdown.clone().run_until_cancelled(handshake).await {
                    Some(Ok(Ok(stream))) => self.speak(stream).await,
                    Some(Ok(Err(error))) => tracing::debug!(%error, "no TLS"),
                    Some(Err(_)) => tracing::debug!("no TLS in time"),
                    None => {}
                }
            }
        }
    }

    async fn speak<I: AsyncRead + AsyncWrite + Unpin + Send + 'static>(self, stream: I) {
        let Self { app, peer, builder, shutdown, head_timeout, strict_transport, .. } = self;
        let answers = Answers::default();
        let counted = answers.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let (mut request, unread) = Unread::keep(request);
            request.extensions_mut().insert(ConnectInfo(peer));
            let (head, version) = (request.method() == Method::HEAD, request.version());
            let work = match refuse_host(&request) {
                None => Ok(app.clone().call(request)),
                Some(refusal) => Err(refusal),
            };
            let counted = counted.clone();
            async move {
                let mut response = match work {
                    Ok(work) => work.await?,
                    Err(refusal) => refusal,
                };
                protect(response.headers_mut(), strict_transport);
                if let Some(unread) = unread {
                    unread.finish_reading(&mut response, &counted).await;
                }
                // Over HTTP/2 hyper would send the body, which breaks the stream for its caller.
                if head {
                    pavise_rest::without_body(&mut response);
                }
                Ok::<_, Infallible>(response.map(|body| counted.count(version, body)))
            }
        });
        let io = TokioIo::new(Explained::new(FirstBytes::within(stream, head_timeout), answers));
        let connection = builder.serve_connection_with_upgrades(io, service);
        tokio::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = shutdown.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(error, "a connection broke off");
        }
    }
}
