//! Channels to the domains.

use std::convert::Infallible;
use std::time::Duration;

use http::{Request, Response, Uri};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use pavise_kernel::peers::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tonic::body::Body;
use tonic::service::Routes;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Layer, Service, ServiceExt};

use crate::deadline::DeadlineLayer;
use crate::endpoint::Endpoint;
use crate::first_bytes::FirstBytes;
use crate::retry::Remote;
use crate::tls::TlsError;

/// The time within which a peer must send its first bytes, its HTTP/2 settings or its certificate. A later peer is
/// asked again on a new connection: a network may accept a connection and lose all that is sent on it.
const FIRST_WORD: Duration = Duration::from_millis(750);
/// The silence after which a connection is pinged, and the longest wait for the reply: together a second. Without a
/// reply, calls in flight fail; those that may be repeated go to a new connection. The task of the peer's connection
/// replies, whatever its calls wait for, so only a peer that stands still as a whole is late.
const SILENCE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_millis(750));

/// The deadline of a call in process whose caller sets none. The kernel's own limit is shorter, and its refusal says
/// more.
const LOCAL_PATIENCE: Duration = Duration::from_secs(120);

/// Calls the services of this process, without a socket.
#[must_use]
pub fn local(routes: Routes) -> Transport {
    let routes = routes.prepare();
    let service = DeadlineLayer::new(LOCAL_PATIENCE).layer(routes);
    let service = ServiceExt::<Request<Body>>::map_err(service, |never: Infallible| -> BoxError { match never {} });
    BoxCloneSyncService::new(service)
}

/// Calls the services at `endpoint`. The first call makes the connection, and later calls make it again when it is
/// lost. A call is repeated only when that is safe: it has an idempotency key, or `reads` says that its path is a
/// read's.
///
/// # Errors
/// When the address or a certificate cannot be used. An endpoint that does not answer is no error here.
pub fn remote(
    endpoint: &Endpoint,
    reads: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> Result<Transport, TlsError> {
    let mut connector = HttpConnector::new();
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_keepalive(Some(Duration::from_secs(30)));
    connector.set_connect_timeout(Some(endpoint.connect_timeout));
    remote_through(endpoint, reads, connector.map_response(TokioIo::into_inner))
}

/// The same, with connections that the given connector makes.
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
        (None, true) => {
            return Err(TlsError::new(&endpoint.url, "an https address needs the certificate of its authority"));
        }
    }
    // A connection must send its first bytes in time.
    let proven = connector.map_response(|stream| TokioIo::new(FirstBytes::soon(stream, FIRST_WORD)));
    let remote = Remote::new(move || channel.connect_with_connector_lazy(proven.clone()), endpoint, reads);
    Ok(BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
        let remote = remote.clone();
        async move { Ok::<Response<Body>, BoxError>(remote.call(request).await) }
    })))
}
