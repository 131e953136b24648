//! The other domains: the same client serves one in this process and one over the network.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, HeaderValue, Request, Response};
use tonic::body::Body;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Service};

use crate::time::Micros;

/// How a domain is reached.
pub type Transport = BoxCloneSyncService<Request<Body>, Response<Body>, BoxError>;

/// The token with which one part of the platform calls another.
pub trait Credential: Send + Sync + fmt::Debug + 'static {
    /// A token that is valid now, without the scheme.
    fn token(&self, now: Micros) -> String;
}

/// Where each domain is. Filled once, when all domains are built; shared by all of them.
#[derive(Clone, Default)]
pub struct Peers(Arc<OnceLock<BTreeMap<String, Transport>>>);

impl Peers {
    /// Says where the domains are. Only the first call counts.
    pub fn install(&self, transports: BTreeMap<String, Transport>) {
        let _ = self.0.set(transports);
    }

    /// How `domain` is reached, once it is known.
    #[must_use]
    pub fn transport(&self, domain: &str) -> Option<Transport> {
        self.0.get()?.get(domain).cloned()
    }
}

impl fmt::Debug for Peers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.get().into_iter().flat_map(BTreeMap::keys)).finish()
    }
}

/// A domain as a gRPC channel: calls through it carry the platform's token, the trace and what is left of the deadline.
#[derive(Clone)]
pub struct PeerChannel {
    domain: String,
    transport: Option<Transport>,
    headers: HeaderMap,
    deadline: Option<Instant>,
}

impl PeerChannel {
    /// A domain as the bearer of `token` reaches it (no token for an empty one).
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
            headers.insert("traceparent", value);
        }
        Self { domain: domain.to_owned(), transport: peers.transport(domain), headers, deadline }
    }
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
            Some(transport) => Box::pin(transport.call(request)),
            None => Box::pin(std::future::ready(Err(BoxError::from("no such peer")))),
        }
    }
}
