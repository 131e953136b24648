//! Calls that get the body of a request as it is, and answers in another system's form.

use axum::body::Body;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use pavise_kernel::common::v1::RawAnswer;
use pavise_kernel::{Common, Error, Result};
use prost::Message as _;
use tonic::Status;

use crate::answer::pass_headers;
use crate::assemble::add_text;
use crate::byte_rule::RawRule;
use crate::route::Route;
use crate::{content, host, wire};

/// Appends the fields of the body, its type, the headers and the address to the message `out`. `site` is the public address of the server, or empty.
///
/// # Errors
/// `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, and `INVALID_METADATA` for a header that is there twice.
pub(crate) async fn add(
    route: &Route,
    rule: &RawRule,
    (parts, body): (&Parts, Body),
    site: &str,
    out: &mut Vec<u8>,
) -> Result<()> {
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !rule.types.is_empty() && !rule.types.iter().any(|one| pavise_contract::takes_type(one, kind)) {
        let message = format!("send {}", rule.types.join(" or "));
        return Err(Error::new(Common::UnsupportedMediaType, message));
    }
    if let Some(place) = &rule.content_type {
        add_text(route, place, kind, out)?;
    }
    if let Some(place) = &rule.url {
        add_text(route, place, &address(parts, site), out)?;
    }
    for (name, place) in &rule.headers {
        let mut values = parts.headers.get_all(name).iter();
        let value = values.next().map(HeaderValue::to_str).transpose();
        let value = value.map_err(|_| invalid(name, "is not ASCII"))?.unwrap_or_default();
        if values.next().is_some() {
            return Err(invalid(name, "is there more than once"));
        }
        add_text(route, place, value, out)?;
    }
    let bytes = content::collect(parts, body, rule.most).await?;
    wire::append(rule.body.numbers.last().copied().unwrap_or_default(), &bytes, out);
    Ok(())
}

fn invalid(header: &HeaderName, why: &str) -> Error {
    Error::new(Common::InvalidMetadata, format!("{header} {why}")).with("header", header.as_str())
}

/// The address that the sender used.
fn address(parts: &Parts, site: &str) -> String {
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    if site.is_empty() { format!("http://{}{path}", host::authority(parts)) } else { format!("{site}{path}") }
}

/// Writes an answer in the caller's own form.
///
/// # Errors
/// `INTERNAL` when the call answers something else.
pub(crate) fn answer(answered: &HeaderMap, message: Bytes) -> Result<Response<Body>, Status> {
    let unreadable = |cause: &dyn std::fmt::Display| Status::internal(cause.to_string());
    let raw = RawAnswer::decode(message).map_err(|error| unreadable(&error))?;
    let mut response = Response::new(Body::empty());
    pass_headers(answered, response.headers_mut());
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if raw.body.is_empty() {
        *response.status_mut() = StatusCode::NO_CONTENT;
        return Ok(response);
    }
    let kind = HeaderValue::try_from(raw.content_type).map_err(|error| unreadable(&error))?;
    response.headers_mut().insert(CONTENT_TYPE, kind);
    *response.body_mut() = Body::from(raw.body);
    Ok(response)
}
