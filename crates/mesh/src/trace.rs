//! A span and a log line for each request, and a W3C trace context for each request without one.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, HeaderValue, Method, Request, Response};
use pavise_kernel::time::Ids;
use pavise_kernel::trace_context::{self, TRACEPARENT};
use pavise_rest::Matched;
use tower::{Layer, Service};
use tracing::{Instrument, Span};

use crate::refusal::{GRPC_STATUS, REQUEST_ID, Speech};

/// The functions that make and complete spans of requests.
#[derive(Debug, Clone, Copy)]
pub struct Spans {
    /// Makes the span of a request with this method, these headers and this trace.
    pub begin: fn(&Method, &HeaderMap, &str) -> Span,
    /// Notes the route of an answered request.
    pub routed: fn(&Span, &str),
}

impl Default for Spans {
    /// For logs alone: their lines name the trace, and the line about the answer names the route.
    fn default() -> Self {
        Self { begin: |_, _, trace_id| tracing::info_span!("request", %trace_id), routed: |_, _| {} }
    }
}

/// Puts a span around each request. Logs hold the route, never the path, the query, a header or a body: those hold ids,
/// tokens and personal data.
#[derive(Debug, Clone)]
pub struct TraceLayer {
    ids: Ids,
    spans: Spans,
}

impl TraceLayer {
    /// Takes the ids of new traces from `ids`.
    #[must_use]
    pub fn new(ids: Ids) -> Self {
        Self { ids, spans: Spans::default() }
    }

    /// Makes spans of this kind.
    #[must_use]
    pub fn with(mut self, spans: Spans) -> Self {
        self.spans = spans;
        self
    }

    /// The trace of a request. A request without one gets a new trace context.
    fn trace(&self, headers: &mut HeaderMap) -> String {
        if let Some(trace) = trace_context::named_by(headers) {
            return trace.to_owned();
        }
        let (context, trace) = trace_context::begin_trace(&self.ids);
        if let Ok(context) = HeaderValue::try_from(context) {
            headers.insert(TRACEPARENT, context);
        }
        trace
    }
}

impl<S> Layer<S> for TraceLayer {
    type Service = Trace<S>;

    fn layer(&self, inner: S) -> Trace<S> {
        Trace { inner, layer: self.clone() }
    }
}

/// A service whose requests are traced.
#[derive(Debug, Clone)]
pub struct Trace<S> {
    inner: S,
    layer: TraceLayer,
}

impl<S, B, R> Service<Request<B>> for Trace<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let trace = self.layer.trace(request.headers_mut());
        let grpc = Speech::of(request.headers()) != Speech::Rest;
        // The path of a gRPC call is the name of the call.
        let route: String = if grpc { request.uri().path().chars().take(200).collect() } else { String::new() };
        let method = request.method().clone();
        let span = (self.layer.spans.begin)(request.method(), request.headers(), &trace);
        let began = Instant::now();
        let work = self.inner.call(request);
        let (own, routed) = (span.clone(), self.layer.spans.routed);
        Box::pin(
            async move {
                let result = work.await;
                if let Ok(response) = &result {
                    routed(&own, finished(response, &method, &route, began));
                }
                result
            }
            .instrument(span),
        )
    }
}

/// Logs the answer, and returns its route.
fn finished<'r, R>(response: &'r Response<R>, method: &Method, path: &'r str, began: Instant) -> &'r str {
    let matched = response.extensions().get::<Matched>();
    let route = match matched {
        Some(matched) => &matched.0,
        None if path.is_empty() => "(none)",
        None => path,
    };
    let status = response.status().as_u16();
    let grpc_status = response.headers().get(GRPC_STATUS).and_then(|value| value.to_str().ok());
    // The request's id in the journal, where the request was a write.
    let request_id = response.headers().get(REQUEST_ID).and_then(|value| value.to_str().ok());
    // The route contains the method.
    let method = (matched.is_none() && path.is_empty()).then(|| method.as_str());
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    if response.status().is_server_error() {
        tracing::warn!(target: "pavise::access", route, method, status, grpc_status, request_id, micros, "answered");
    } else {
        tracing::info!(target: "pavise::access", route, method, status, grpc_status, request_id, micros, "answered");
    }
    route
}
