//! The other domains. One client serves a domain in this process and a domain over the network.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use tonic::Code;
use tonic::body::Body;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Service};

use crate::call::services::direct::{Direct, Unary};
use crate::call::trace_context::TRACEPARENT;
use crate::time::Micros;

/// The header with the offset of business time, in microseconds. It is believed from parts of the platform alone.
pub(crate) const TEST_CLOCK: &str = "pavise-test-clock";

/// A connection to a domain.
pub type Transport = BoxCloneSyncService<Request<Body>, Response<Body>, BoxError>;

/// Marks a request, in its extensions, whose body is a stream of any length. It is sent once, and never kept for a repeat.
#[derive(Debug, Clone, Copy)]
pub struct Once;

/// Gives the token with which one part of the platform calls another.
pub trait Credential: Send + Sync + fmt::Debug + 'static {
    /// A token that is valid now, without the scheme.
    fn token(&self, now: Micros) -> String;
}

/// The transport to each domain. Filled once, when all domains are built; shared by all of them.
#[derive(Clone, Default)]
pub struct Peers(Arc<OnceLock<Places>>);

struct Places {
    transports: BTreeMap<String, Transport>,
    direct: Direct,
}

impl Peers {
    /// Sets the transports of the domains. Only the first call counts.
    pub fn set_transports(&self, transports: BTreeMap<String, Transport>) {
        self.install_with(transports, Direct::default());
    }

    /// Sets the transports and the calls that can be made directly. Only the first call counts.
    pub fn install_with(&self, transports: BTreeMap<String, Transport>, direct: Direct) {
        let _ = self.0.set(Places { transports, direct });
    }

    /// The transport to `domain`, once it is known.
    #[must_use]
    pub fn find_transport(&self, domain: &str) -> Option<Transport> {
        self.0.get()?.transports.get(domain).cloned()
    }

    /// The call at a gRPC path, if it is unary and served in this process.
    #[must_use]
    pub fn find_direct(&self, path: &str) -> Option<&Unary> {
        self.0.get()?.direct.find(path)
    }
}

impl fmt::Debug for Peers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.get().into_iter().flat_map(|places| places.transports.keys())).finish()
    }
}

/// A domain as a gRPC channel. Calls through it carry the platform's token, the trace and the rest of the deadline.
#[derive(Clone)]
pub struct PeerChannel {
    domain: String,
    transport: Option<Transport>,
    headers: HeaderMap,
    deadline: Option<Instant>,
    /// Whether the token is the platform's own.
    own: bool,
}

impl PeerChannel {
    /// A channel to a domain for the bearer of `token`; an empty token means none.
    #[must_use]
    pub fn new(peers: &Peers, domain: &str, token: &str, traceparent: &str, deadline: Option<Instant>) -> Self {
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_str(&format!("Bearer {token}"))
            && !token.is_empty()
        {
            headers.insert(http::header::AUTHORIZATION, value);
        }
        if let Ok(value) = HeaderValue::from_str(traceparent)
            && !traceparent.is_empty()
        {
            headers.insert(TRACEPARENT, value);
        }
        Self { domain: domain.to_owned(), transport: peers.find_transport(domain), headers, deadline, own: false }
    }

    /// The same channel with the platform's own token. If a peer refuses that token, the caller is not at fault.
    pub(crate) fn own(self) -> Self {
        Self { own: true, ..self }
    }

    /// The same channel with the offset of business time, where the process has a test clock.
    pub(crate) fn carrying(mut self, offset: Option<Micros>) -> Self {
        if let Some(offset) = offset {
            self.headers.insert(HeaderName::from_static(TEST_CLOCK), HeaderValue::from(offset));
        }
        self
    }
}

/// Turns a peer's refusal of the platform's own token into an error of the platform. A caller would take a 401 as a
/// refusal of its own token.
fn ours(mut response: Response<Body>, domain: &str) -> Response<Body> {
    const REFUSED: Code = Code::Unauthenticated;
    let status = response.headers().get("grpc-status").and_then(|status| status.to_str().ok()?.parse().ok());
    if status == Some(REFUSED as i32) {
        tracing::error!(domain, "a peer refuses the platform's token: do all processes have the same mesh secret?");
        let headers = response.headers_mut();
        headers.insert("grpc-status", HeaderValue::from(Code::Unavailable as i32));
        headers.insert("grpc-message", HeaderValue::from_static("a part of the platform does not answer"));
        headers.remove("grpc-status-details-bin");
    }
    response
}

impl fmt::Debug for PeerChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PeerChannel({})", self.domain)
    }
}

impl Service<Request<Body>> for PeerChannel {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        match &mut self.transport {
            Some(transport) => transport.poll_ready(context),
            None => Poll::Ready(Err(format!("no peer serves {}", self.domain).into())),
        }
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        for (name, value) in &self.headers {
            if !request.headers().contains_key(name) {
                request.headers_mut().insert(name, value.clone());
            }
        }
        if let Some(deadline) = self.deadline
            && !request.headers().contains_key("grpc-timeout")
        {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis();
            if let Ok(value) = HeaderValue::from_str(&format!("{}m", left.min(99_999_999))) {
                request.headers_mut().insert("grpc-timeout", value);
            }
        }
        match &mut self.transport {
            Some(transport) => {
                let (call, domain) = (transport.call(request), self.own.then(|| self.domain.clone()));
                Box::pin(async move {
                    let response = call.await?;
                    Ok(match domain {
                        Some(domain) => ours(response, &domain),
                        None => response,
                    })
                })
            }
            None => Box::pin(std::future::ready(Err(BoxError::from("no such peer")))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn answered(status: Code) -> Response<Body> {
        let peer = tower::service_fn(move |_: Request<Body>| async move {
            let mut response = tonic::Status::new(status, "said the peer").into_http::<Body>();
            response.headers_mut().insert("grpc-status-details-bin", HeaderValue::from_static("AAAA"));
            Ok::<_, BoxError>(response)
        });
        let peers = Peers::default();
        peers.set_transports(BTreeMap::from([("billing".to_owned(), BoxCloneSyncService::new(peer))]));
        PeerChannel::new(&peers, "billing", "token", "", None).own().call(Request::new(Body::empty())).await.unwrap()
    }

    #[tokio::test]
    async fn a_refused_platform_token_is_not_the_callers_fault() {
        let response = answered(Code::Unauthenticated).await;
        assert_eq!(response.headers()["grpc-status"], "14");
        assert!(!response.headers().contains_key("grpc-status-details-bin"));
        let response = answered(Code::PermissionDenied).await;
        assert_eq!(response.headers()["grpc-status"], "7", "a peer's own refusals stay");
        assert!(response.headers().contains_key("grpc-status-details-bin"));
    }
}
