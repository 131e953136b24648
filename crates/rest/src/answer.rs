//! The answer of a call with one message.

use axum::body::Body;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, SET_COOKIE, VARY};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use pavise_transcode::ToJson;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use tonic::Status;

use crate::route::Route;

/// The content type of all answers but streams.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// The form of messages for callers.
pub(crate) const SHOWN: ToJson = ToJson { defaults: true, secrets: false };

/// The metadata of an answer that become headers for callers of REST.
const PASSED: [HeaderName; 3] =
    [ETAG, HeaderName::from_static("pavise-clock"), HeaderName::from_static("x-request-id")];

/// Writes the message as JSON.
///
/// # Errors
/// `INTERNAL` when the message cannot be written as JSON.
pub(crate) fn unary(
    route: &Route,
    parts: &Parts,
    answered: &HeaderMap,
    message: &Bytes,
) -> Result<Response<Body>, Status> {
    let mut response = Response::new(Body::empty());
    pass_headers(answered, response.headers_mut());
    if reads(parts) && is_fresh(&parts.headers, response.headers().get(ETAG)) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        return Ok(response);
    }
    let mut json = Vec::with_capacity(message.len().saturating_mul(2) + 64);
    write(route, message, &mut json)?;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, JSON);
    if reads(parts) && headers.contains_key(ETAG) {
        // The reader's own browser keeps the answer, and revalidates it each time with If-None-Match.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.append(VARY, HeaderValue::from_static("authorization, cookie, accept"));
    } else {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    *response.body_mut() = Body::from(json);
    Ok(response)
}

/// Passes the metadata of an answer on to callers of REST.
pub(crate) fn pass_headers(from: &HeaderMap, to: &mut HeaderMap) {
    for name in &PASSED {
        if let Some(value) = from.get(name) {
            to.insert(name.clone(), value.clone());
        }
    }
    for cookie in from.get_all(SET_COOKIE) {
        to.append(SET_COOKIE, cookie.clone());
    }
}

/// Appends the JSON of a message, or of the field that is the answer.
///
/// # Errors
/// `INTERNAL` when the message cannot be written as JSON.
pub(crate) fn write(route: &Route, message: &Bytes, out: &mut Vec<u8>) -> Result<(), Status> {
    let Some(name) = &route.response_body else {
        return route.output.to_json(message, SHOWN, out).map_err(|error| Status::internal(error.to_string()));
    };
    let mut json = Vec::with_capacity(message.len().saturating_mul(2) + 64);
    route.output.to_json(message, SHOWN, &mut json).map_err(|error| Status::internal(error.to_string()))?;
    let fields: BTreeMap<String, &RawValue> =
        serde_json::from_slice(&json).map_err(|error| Status::internal(error.to_string()))?;
    out.extend_from_slice(fields.get(name).map_or("null", |value| value.get()).as_bytes());
    Ok(())
}

fn reads(parts: &Parts) -> bool {
    parts.method == Method::GET || parts.method == Method::HEAD
}

/// Whether the caller has this version already. The comparison is weak, as RFC 9110 demands for If-None-Match.
fn is_fresh(headers: &HeaderMap, etag: Option<&HeaderValue>) -> bool {
    let Some(etag) = etag.and_then(|value| value.to_str().ok()) else { return false };
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let own = opaque(etag);
    headers
        .get_all(IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || opaque(tag) == own)
}
