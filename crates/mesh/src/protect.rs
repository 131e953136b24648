//! The headers of protection on every answer of a port, whichever part gives it.

use http::header::{
    CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue};

/// An answer that sets none of these is data: a browser runs nothing of it, frames it nowhere and takes it for nothing
/// else. Pages set a policy of their own.
const PROTECTION: [(HeaderName, HeaderValue); 4] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// The policy of data.
pub(crate) const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A year, for the hosts of the services below this one as well.
const BY_TLS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

/// Adds the headers that the answer does not set itself.
pub(crate) fn protect(headers: &mut HeaderMap, strict_transport: bool) {
    headers.reserve(PROTECTION.len() + 1);
    for (name, value) in PROTECTION {
        headers.entry(name).or_insert(value);
    }
    if strict_transport {
        headers.entry(STRICT_TRANSPORT_SECURITY).or_insert(BY_TLS_ONLY);
    }
}
