//! Refusals by the mesh itself, in the language that the caller speaks.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use pavise_kernel::Error;

use crate::body::Enclose;

/// The W3C trace context.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// How a gRPC call ended.
pub(crate) const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// What a caller speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Speech {
    /// gRPC or gRPC-web, with this content type.
    Grpc(HeaderValue),
    /// Anything else.
    Rest,
}

impl Speech {
    /// What a request with these headers speaks.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        match headers.get(CONTENT_TYPE) {
            Some(value) if value.as_bytes().starts_with(b"application/grpc") => Self::Grpc(value.clone()),
            _ => Self::Rest,
        }
    }

    /// gRPC proper, whose status may stand in trailers.
    pub(crate) fn has_trailers(&self) -> bool {
        matches!(self, Self::Grpc(value) if !value.as_bytes().starts_with(b"application/grpc-web"))
    }

    /// The answer that says no.
    pub(crate) fn refuse<B: Enclose>(self, error: Error, trace_id: &str) -> Response<B> {
        let status = error.into_status("pavise", trace_id);
        match self {
            Self::Rest => pavise_rest::refuse(&status).map(B::enclose),
            Self::Grpc(content_type) => {
                let mut response = status.into_http::<B>();
                response.headers_mut().insert(CONTENT_TYPE, content_type);
                response
            }
        }
    }
}

/// The trace that a request belongs to, or nothing.
pub(crate) fn trace_id(headers: &HeaderMap) -> String {
    headers.get(TRACEPARENT).map(trace_of).unwrap_or_default()
}

/// The trace in a `traceparent`, or nothing.
pub(crate) fn trace_of(traceparent: &HeaderValue) -> String {
    let traceparent = traceparent.to_str().unwrap_or_default();
    traceparent.split('-').nth(1).filter(|trace| trace.len() == 32).unwrap_or_default().to_owned()
}
