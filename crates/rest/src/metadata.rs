//! What of a request's headers becomes metadata of the call.

use std::time::Duration;

use http::header::{AUTHORIZATION, COOKIE, IF_MATCH, ORIGIN, REFERER};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use pavise_kernel::{Common, Error, Result};

use crate::host;
use crate::upstream;

/// The cookie that holds the access token of a browser.
const SESSION_COOKIE: &str = "pavise_session";
/// The header in which callers of REST say how many seconds they wait.
const REQUEST_TIMEOUT: &str = "request-timeout";
const GRPC_TIMEOUT: &str = "grpc-timeout";

/// The headers that are passed on as they are.
const PASSED: [HeaderName; 9] = [
    AUTHORIZATION,
    IF_MATCH,
    HeaderName::from_static("idempotency-key"),
    HeaderName::from_static("min-clock"),
    HeaderName::from_static("pavise-validate-only"),
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("tracestate"),
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static(GRPC_TIMEOUT),
];

/// The metadata of the call that a request asks for. `writes` says that the call may change something; `open` that it
/// is for callers without a token only.
///
/// # Errors
/// `INVALID_METADATA` for a header that says two things or nothing that can be read; `ORIGIN_NOT_ALLOWED` for a page of
/// somebody else that uses the reader's session to change something.
pub(crate) fn read(parts: &Parts, writes: bool, open: bool, allowed_origins: &[String]) -> Result<HeaderMap> {
    let mut out = upstream::grpc_headers(PASSED.len());
    for name in &PASSED {
        let mut values = parts.headers.get_all(name).iter();
        if let Some(value) = values.next() {
            if values.next().is_some() {
                return Err(invalid(name.as_str(), "is there more than once"));
            }
            out.insert(name.clone(), value.clone());
        }
    }
    if let Some(value) = parts.headers.get(REQUEST_TIMEOUT)
        && !out.contains_key(GRPC_TIMEOUT)
    {
        out.insert(HeaderName::from_static(GRPC_TIMEOUT), timeout(value)?);
    }
    if !open
        && !out.contains_key(AUTHORIZATION)
        && let Some(token) = session(&parts.headers)
    {
        if writes {
            check_origin(parts, allowed_origins)?;
        }
        let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| invalid("cookie", "holds no token"))?;
        value.set_sensitive(true);
        out.insert(AUTHORIZATION, value);
    }
    Ok(out)
}

/// The trace that a `traceparent` names, or nothing.
pub(crate) fn trace_id(headers: &HeaderMap) -> &str {
    let traceparent = headers.get("traceparent").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let trace = traceparent.split('-').nth(1).unwrap_or_default();
    if trace.len() == 32 && trace.bytes().all(|byte| byte.is_ascii_hexdigit()) { trace } else { "" }
}

fn invalid(header: &str, why: &str) -> Error {
    Error::new(Common::InvalidMetadata, format!("{header} {why}")).with("header", header)
}

/// Seconds, whole or with decimals, as gRPC writes them.
fn timeout(value: &HeaderValue) -> Result<HeaderValue> {
    let seconds = value.to_str().ok().and_then(|text| text.trim().parse::<f64>().ok()).filter(|seconds| *seconds >= 0.0);
    let patience = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let patience = patience.ok_or_else(|| invalid(REQUEST_TIMEOUT, "must be a number of seconds"))?;
    // Eight digits are the most that gRPC allows: 27 hours in milliseconds.
    let millis = patience.as_millis().min(99_999_999);
    HeaderValue::try_from(format!("{millis}m")).map_err(|_| invalid(REQUEST_TIMEOUT, "must be a number of seconds"))
}

fn session(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == SESSION_COOKIE && !value.is_empty()).then_some(value))
}

/// A browser sends the cookie with whatever any page asks for; it says which page that was.
fn check_origin(parts: &Parts, allowed: &[String]) -> Result<()> {
    let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let origin = text(ORIGIN).or_else(|| text(REFERER).and_then(origin_of));
    let same = |origin: &str| {
        origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host::authority(parts)))
            || allowed.iter().any(|one| one.eq_ignore_ascii_case(origin))
    };
    match origin {
        Some(origin) if same(origin) => Ok(()),
        _ => {
            let message = "with a session cookie, this call can be made from the platform's own pages only; send a token instead";
            Err(Error::new(Common::OriginNotAllowed, message))
        }
    }
}

/// `https://app.example.com/x?y` → `https://app.example.com`.
fn origin_of(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    address.get(..scheme.len() + 3 + end)
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
        let out = read(&parts(&[("Idempotency-Key", "k"), ("x-internal", "1"), ("min-clock", "4")]), true, false, &[]).unwrap();
        assert_eq!(out["idempotency-key"], "k");
        assert_eq!(out["min-clock"], "4");
        assert!(!out.contains_key("x-internal") && !out.contains_key("host"));
    }

    #[test]
    fn a_header_that_says_two_things_is_refused() {
        let error = read(&parts(&[("if-match", "1"), ("if-match", "2")]), true, false, &[]).unwrap_err();
        assert!(error.is(Common::InvalidMetadata));
    }

    #[test]
    fn seconds_become_a_grpc_timeout() {
        let of = |value: &str| timeout(&HeaderValue::from_str(value).unwrap()).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(of("2").unwrap(), "2000m");
        assert_eq!(of("0.25").unwrap(), "250m");
        assert_eq!(of("999999999").unwrap(), "99999999m");
        for bad in ["", "soon", "-1", "NaN", "inf", "1e400"] {
            assert!(of(bad).unwrap_err().is(Common::InvalidMetadata), "{bad}");
        }
    }

    #[test]
    fn the_session_cookie_is_a_token_where_none_is_sent() {
        let cookie = ("cookie", "a=b; pavise_session=t1; c=d");
        assert_eq!(read(&parts(&[cookie]), false, false, &[]).unwrap()["authorization"], "Bearer t1");
        let both = parts(&[cookie, ("authorization", "Bearer t2")]);
        assert_eq!(read(&both, true, false, &[]).unwrap()["authorization"], "Bearer t2");
        assert!(!read(&parts(&[cookie]), true, true, &[]).unwrap().contains_key("authorization"));
    }

    #[test]
    fn a_cookie_changes_nothing_for_the_pages_of_others() {
        let cookie = ("cookie", "pavise_session=t1");
        let allowed = ["https://app.example.com".to_owned()];
        let ok = |extra: (&str, &str)| read(&parts(&[cookie, extra]), true, false, &allowed).is_ok();
        assert!(ok(("origin", "http://orders.localhost:8080")));
        assert!(ok(("origin", "https://app.example.com")));
        assert!(ok(("referer", "https://app.example.com/cart?x=1")));
        for bad in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("referer", "https://evil.example/app.example.com"),
            ("accept", "*/*"),
        ] {
            let error = read(&parts(&[cookie, bad]), true, false, &allowed).unwrap_err();
            assert!(error.is(Common::OriginNotAllowed), "{bad:?}");
        }
        assert!(
            read(&parts(&[cookie, ("origin", "https://evil.example")]), false, false, &allowed).is_ok(),
            "reads are for CORS to guard"
        );
    }
}
