//! A span and a log line for each request, and a W3C trace context for those that came without.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, HeaderValue, Request, Response};
use pavise_kernel::call::hex;
use pavise_kernel::time::Ids;
use pavise_rest::Matched;
use tower::{Layer, Service};
use tracing::{Instrument, Span, field};

use crate::refusal::{Speech, trace_id};

/// Who is told of each request's span, where spans are exported.
#[derive(Debug, Clone, Copy)]
pub struct Spans {
    /// A span has begun for a request with these headers: it may hang below its caller's.
    pub begun: fn(&Span, &HeaderMap),
    /// The request was answered; this is the route that it took, after which the span is named.
    pub routed: fn(&Span, &str),
}

impl Default for Spans {
    /// Nobody.
    fn default() -> Self {
        Self { begun: |_, _| {}, routed: |_, _| {} }
    }
}

/// Puts a span around each request. What is logged is the route, never the path, the query, a header or a body: those
/// hold ids, tokens and personal data.
#[derive(Debug, Clone)]
pub struct TraceLayer {
    ids: Ids,
    spans: Spans,
}

impl TraceLayer {
    /// New traces get their ids from `ids`.
    #[must_use]
    pub fn new(ids: Ids) -> Self {
        Self { ids, spans: Spans::default() }
    }

    /// The same, and these are told.
    #[must_use]
    pub fn telling(mut self, spans: Spans) -> Self {
        self.spans = spans;
        self
    }

    /// A trace context that nobody has used.
    fn new_context(&self) -> Option<HeaderValue> {
        let mut bytes = [0; 24];
        self.ids.fill(&mut bytes);
        let (trace, span) = bytes.split_at(16);
        HeaderValue::try_from(format!("00-{}-{}-01", hex(trace), hex(span))).ok()
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
        if !has_context(request.headers())
            && let Some(context) = self.layer.new_context()
        {
            request.headers_mut().insert("traceparent", context);
        }
        let grpc = Speech::of(request.headers()) != Speech::Rest;
        // The path of a gRPC call is the name of the call.
        let route: String = if grpc { request.uri().path().chars().take(200).collect() } else { String::new() };
        let trace = trace_id(request.headers());
        let span = tracing::info_span!(
            "request",
            otel.kind = "server",
            http.request.method = %request.method(),
            http.route = field::Empty,
            trace_id = %trace,
        );
        (self.layer.spans.begun)(&span, request.headers());
        let began = Instant::now();
        let work = self.inner.call(request);
        let (own, routed) = (span.clone(), self.layer.spans.routed);
        Box::pin(
            async move {
                let result = work.await;
                if let Ok(response) = &result {
                    routed(&own, finished(&own, response, &route, began));
                }
                result
            }
            .instrument(span),
        )
    }
}

/// Logs the answer; the route that it took.
fn finished<'r, R>(span: &Span, response: &'r Response<R>, path: &'r str, began: Instant) -> &'r str {
    let matched = response.extensions().get::<Matched>();
    let route = match matched {
        Some(matched) => &matched.0,
        None if path.is_empty() => "(none)",
        None => path,
    };
    let status = response.status().as_u16();
    let grpc_status = response.headers().get("grpc-status").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
    if response.status().is_server_error() {
        tracing::warn!(target: "pavise::access", route, status, grpc_status, micros, "answered");
    } else {
        tracing::info!(target: "pavise::access", route, status, grpc_status, micros, "answered");
    }
    // For whoever exports the span; the line above says it already.
    span.record("http.route", route);
    route
}

/// Whether the caller sent a trace context that can be used.
fn has_context(headers: &HeaderMap) -> bool {
    let Some(text) = headers.get("traceparent").and_then(|value| value.to_str().ok()) else { return false };
    let mut parts = text.split('-');
    let mut next = |length: usize| {
        parts.next().is_some_and(|part| {
            part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        })
    };
    let well_formed = next(2) && next(32) && next(16) && next(2);
    let zero = |at: usize| text.split('-').nth(at).is_some_and(|part| part.bytes().all(|byte| byte == b'0'));
    well_formed && !text.starts_with("ff") && !zero(1) && !zero(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_well_formed_context_is_kept() {
        let kept = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("traceparent", HeaderValue::from_str(value).unwrap());
            has_context(&headers)
        };
        assert!(kept("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        for bad in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473x-00f067aa0ba902b7-01",
        ] {
            assert!(!kept(bad), "{bad}");
        }
    }

    #[test]
    fn a_new_context_is_well_formed() {
        let mut headers = HeaderMap::new();
        headers.insert("traceparent", TraceLayer::new(Ids::seeded(1)).new_context().unwrap());
        assert!(has_context(&headers));
    }
}
