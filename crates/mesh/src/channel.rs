//! Channels to the domains.

use std::convert::Infallible;
use std::time::Duration;

use http::{Request, Response, Uri};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use pavise_kernel::peers::Transport;
use pavise_kernel::time::Ids;
use tokio::io::{AsyncRead, AsyncWrite};
use tonic::body::Body;
use tonic::service::Routes;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Layer, Service, ServiceExt};

use crate::deadline::DeadlineLayer;
use crate::first_bytes::FirstBytes;
use crate::retry::Remote;
use crate::tls::{ClientTls, TlsError};

/// Where a domain is, when it is not in this process.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// `http://host:port` or `https://host:port`.
    pub url: String,
    /// Certificates, for `https`.
    pub tls: Option<ClientTls>,
    /// How long a call may take when its caller does not say.
    pub timeout: Duration,
    /// How long a connection may take.
    pub connect_timeout: Duration,
    /// How often a call that may be repeated is tried, the first time included.
    pub attempts: u32,
    /// What decides how long exactly it is waited between two tries.
    pub dice: Ids,
}

impl Endpoint {
    /// A domain at `url`, with patience that suits one data centre.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }
}

impl Default for Endpoint {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            url: String::new(),
            tls: None,
            timeout: seconds(30),
            connect_timeout: seconds(1),
            attempts: 4,
            dice: Ids::random(),
        }
    }
}

/// A peer that is there says its first word, its HTTP/2 settings or its certificate, within this time. One that cannot is
/// asked again on a new connection: a network may let a connection be made and swallow all that is sent on it.
const FIRST_WORD: Duration = Duration::from_millis(750);
/// After so much silence a connection is asked whether it is still one, and waited so long for its answer: together a second.
/// Calls that are on their way when there is none fail; those that may be repeated are, on a new connection. The answer comes
/// from the task of the peer's connection, whatever its calls wait for; only a peer that stands still as a whole is late.
const SILENCE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_millis(750));

/// How long a call in process may take when its caller does not say. The kernel's own limit is shorter and says more.
const LOCAL_PATIENCE: Duration = Duration::from_secs(120);

/// Calls the services of this process, without a socket.
#[must_use]
pub fn local(routes: Routes) -> Transport {
    let routes = routes.prepare();
    let service = DeadlineLayer::new(LOCAL_PATIENCE).layer(routes);
    let service = ServiceExt::<Request<Body>>::map_err(service, |never: Infallible| -> BoxError { match never {} });
    BoxCloneSyncService::new(service)
}

/// Calls the services at `endpoint`. The connection is made with the first call and again whenever it is lost. A call
/// is repeated only if that changes nothing: it has an idempotency key, or `reads` says that its path is that of a read.
///
/// # Errors
/// When the address or a certificate cannot be used. That nobody answers there is no error here.
pub fn remote(endpoint: &Endpoint, reads: impl Fn(&str) -> bool + Send + Sync + 'static) -> Result<Transport, TlsError> {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_keepalive(Some(Duration::from_secs(30)));
    connector.set_connect_timeout(Some(endpoint.connect_timeout));
    remote_through(endpoint, reads, connector.map_response(TokioIo::into_inner))
}

/// The same with connections that another hand makes.
///
/// # Errors
/// As [`remote`].
pub fn remote_through<C>(
    endpoint: &Endpoint,
    reads: impl Fn(&str) -> bool + Send + Sync + 'static,
    connector: C,
) -> Result<Transport, TlsError>
where
    C: Service<Uri> + Clone + Send + Sync + 'static,
    C::Response: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    C::Future: Send + 'static,
    BoxError: From<C::Error> + Send,
{
    let wrong = |error: tonic::transport::Error| {
        let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        TlsError::new(&endpoint.url, cause)
    };
    let mut channel = tonic::transport::Endpoint::from_shared(endpoint.url.clone())
        .map_err(wrong)?
        .connect_timeout(endpoint.connect_timeout)
        .http2_keep_alive_interval(SILENCE.0)
        .keep_alive_timeout(SILENCE.1)
        .keep_alive_while_idle(true)
        .initial_stream_window_size(1 << 20)
        .initial_connection_window_size(4 << 20);
    match (&endpoint.tls, endpoint.url.starts_with("https://")) {
        (Some(tls), true) => channel = channel.tls_config(tls.config()?).map_err(wrong)?,
        (None, false) => {}
        (Some(_), false) => return Err(TlsError::new(&endpoint.url, "certificates need an https address")),
        (None, true) => return Err(TlsError::new(&endpoint.url, "an https address needs the certificate of its authority")),
    }
    // A connection has to prove itself.
    let proven = connector.map_response(|stream| TokioIo::new(FirstBytes::soon(stream, FIRST_WORD)));
    let remote = Remote::new(move || channel.connect_with_connector_lazy(proven.clone()), endpoint, reads);
    Ok(BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
        let remote = remote.clone();
        async move { Ok::<Response<Body>, BoxError>(remote.call(request).await) }
    })))
}
