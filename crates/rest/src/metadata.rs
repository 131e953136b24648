//! Turns the headers of a request into the metadata of the call.

use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::ConnectInfo;
use http::header::{AUTHORIZATION, IF_MATCH, USER_AGENT};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use pavise_kernel::trace_context::TRACEPARENT;
use pavise_kernel::{Common, Error, Result};

use crate::browser::{FORWARDED, Sent, Site};
use crate::host;
use crate::rule::Rule;
use crate::upstream;

/// The header from which a service reads the caller's program. The transport of the call may set headers of its own.
const CALLERS_AGENT: HeaderName = HeaderName::from_static("pavise-user-agent");
/// The header with the seconds that a caller of REST waits.
const REQUEST_TIMEOUT: HeaderName = HeaderName::from_static("request-timeout");
const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// The headers that are passed on unchanged.
const PASSED: [HeaderName; 9] = [
    AUTHORIZATION,
    IF_MATCH,
    HeaderName::from_static("idempotency-key"),
    HeaderName::from_static("min-clock"),
    HeaderName::from_static("pavise-validate-only"),
    TRACEPARENT,
    HeaderName::from_static("tracestate"),
    HeaderName::from_static("x-request-id"),
    GRPC_TIMEOUT,
];

/// The metadata of the call that a request asks for.
///
/// # Errors
/// `INVALID_METADATA` for a header that is ambiguous or cannot be read; `ORIGIN_NOT_ALLOWED` for a foreign page that
/// uses
/// the reader's session for a write.
pub(crate) fn read(parts: &Parts, rule: Rule, site: &Site) -> Result<HeaderMap> {
    let mut out = upstream::grpc_headers(PASSED.len() + 3);
    for (name, value) in &parts.headers {
        if PASSED.contains(name) && out.insert(name.clone(), value.clone()).is_some() {
            return Err(invalid(name.as_str(), "is there more than once"));
        }
    }
    if let Some(value) = parts.headers.get(REQUEST_TIMEOUT)
        && !out.contains_key(&GRPC_TIMEOUT)
    {
        out.insert(GRPC_TIMEOUT, timeout(value)?);
    }
    if let Some(value) = parts.headers.get(USER_AGENT) {
        out.insert(CALLERS_AGENT, value.clone());
    }
    if let Some(addresses) = addresses(parts) {
        out.insert(FORWARDED, addresses);
    }
    let authority = host::authority(parts);
    Sent { headers: &parts.headers, authority, site }.admit(rule, &mut out)?;
    Ok(out)
}

/// The addresses on the way of a request, as proxies name them; else the connected one.
fn addresses(parts: &Parts) -> Option<HeaderValue> {
    let lines: Vec<&str> = parts.headers.get_all(&FORWARDED).iter().filter_map(|value| value.to_str().ok()).collect();
    if !lines.is_empty() {
        return HeaderValue::try_from(lines.join(", ")).ok();
    }
    let ConnectInfo(address) = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
    HeaderValue::try_from(address.ip().to_string()).ok()
}

fn invalid(header: &str, why: &str) -> Error {
    Error::new(Common::InvalidMetadata, format!("{header} {why}")).with("header", header)
}

/// Seconds, whole or with decimals, as gRPC writes them.
fn timeout(value: &HeaderValue) -> Result<HeaderValue> {
    let wrong = || invalid(REQUEST_TIMEOUT.as_str(), "must be a number of seconds, and more than zero");
    let seconds = value.to_str().ok().and_then(|text| text.trim().parse::<f64>().ok()).filter(|seconds| *seconds > 0.0);
    let patience = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or_else(wrong)?;
    // Eight digits are the most that gRPC allows: 27 hours in milliseconds.
    let millis = patience.as_millis().clamp(1, 99_999_999);
    HeaderValue::try_from(format!("{millis}m")).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(headers: &[(&str, &str)]) -> Parts {
        let mut request = http::Request::builder().uri("/v1/orders").header("host", "orders.localhost:8080");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[test]
    fn only_known_headers_are_passed_on() {
        let out = read(
            &parts(&[("Idempotency-Key", "k"), ("x-internal", "1"), ("min-clock", "4")]),
            Rule::default(),
            &Site::default(),
        )
        .unwrap();
        assert_eq!(out["idempotency-key"], "k");
        assert_eq!(out["min-clock"], "4");
        assert!(!out.contains_key("x-internal") && !out.contains_key("host"));
    }

    #[test]
    fn a_header_that_says_two_things_is_refused() {
        let error =
            read(&parts(&[("if-match", "1"), ("if-match", "2")]), Rule::default(), &Site::default()).unwrap_err();
        assert!(error.is(Common::InvalidMetadata));
    }

    #[test]
    fn seconds_become_a_grpc_timeout() {
        let of = |value: &str| {
            timeout(&HeaderValue::from_str(value).unwrap()).map(|value| value.to_str().unwrap().to_owned())
        };
        assert_eq!(of("2").unwrap(), "2000m");
        assert_eq!(of("0.25").unwrap(), "250m");
        assert_eq!(of("0.0001").unwrap(), "1m");
        assert_eq!(of("999999999").unwrap(), "99999999m");
        for bad in ["", "soon", "-1", "0", "0.0", "-0", "NaN", "inf", "1e400"] {
            assert!(of(bad).unwrap_err().is(Common::InvalidMetadata), "{bad}");
        }
    }
}
