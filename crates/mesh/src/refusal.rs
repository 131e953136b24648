//! Refusals by the mesh itself, in the protocol of the caller.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use pavise_kernel::Error;

use crate::body::Enclose;

/// The header with the request's id in journals, as in successful answers.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The header with the status of a gRPC call.
pub(crate) const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// The protocol of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Speech {
    /// gRPC or gRPC-web, with this content type.
    Grpc(HeaderValue),
    /// Anything else.
    Rest,
}

impl Speech {
    /// The protocol of a request with these headers.
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

    /// The answer that refuses the request.
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
