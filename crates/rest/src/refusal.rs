//! The one shape of every failed answer: a gRPC status as JSON.

use axum::body::Body;
use http::{HeaderValue, Response, StatusCode, header};
use pavise_kernel::{Common, Error, Reason, code_name};
use pavise_transcode::Transcoder;
use prost::Message as _;
use prost_reflect::{Kind, MessageDescriptor};
use serde_json::{Map, Value, json};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _, pb};

use crate::answer::{JSON, SHOWN};

/// The parts of the request that shape the refusal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked<'a> {
    /// The request carried If-Match.
    pub(crate) conditional: bool,
    /// The request message, for the names of its fields.
    pub(crate) input: Option<&'a MessageDescriptor>,
    /// The service that answers, where the status does not name it.
    pub(crate) service: &'a str,
    /// The trace, where the status does not name it.
    pub(crate) trace_id: &'a str,
    /// The transcoder for details that are messages of the contract.
    pub(crate) transcoder: Option<&'a Transcoder>,
}

/// The JSON answer of a gRPC status: `{"code", "status", "message", "details"}`, with `Retry-After` where the status
/// has it.
#[must_use]
pub fn refuse(status: &Status) -> Response<Body> {
    response(status, Asked { service: "pavise", ..Asked::default() })
}

/// The body of a refusal with that HTTP status.
#[must_use]
pub fn refusal_json(status: &Status, http: StatusCode) -> String {
    body(status, &status.get_error_details(), http, Asked { service: "pavise", ..Asked::default() }).to_string()
}

/// The answer of an error of the facade itself.
pub(crate) fn refuse_error(error: Error, asked: Asked<'_>) -> Response<Body> {
    response(&error.into_status(asked.service, asked.trace_id), asked)
}

/// The answer of a status that a service or a channel gave.
pub(crate) fn response(status: &Status, asked: Asked<'_>) -> Response<Body> {
    let http = http_status(status, asked.conditional);
    let status = known(status, asked);
    let details = status.get_error_details();
    let mut response = Response::new(Body::from(body(&status, &details, http, asked).to_string()));
    *response.status_mut() = http;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, JSON);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(delay) = details.retry_info().and_then(|info| info.retry_delay) {
        let seconds = delay.as_secs() + u64::from(delay.subsec_nanos() > 0);
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if http == StatusCode::RANGE_NOT_SATISFIABLE {
        let size = details.error_info().and_then(|info| info.metadata.get("size"));
        if let Some(range) = size.and_then(|size| HeaderValue::try_from(format!("bytes */{size}")).ok()) {
            headers.insert(header::CONTENT_RANGE, range);
        }
    }
    if http == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// The refusal as JSON for the body, for streams that have begun already.
pub(crate) fn value(status: &Status, asked: Asked<'_>) -> Value {
    let http = http_status(status, asked.conditional);
    let status = known(status, asked);
    body(&status, &status.get_error_details(), http, asked)
}

/// The status with a reason. A status of a channel or of the gRPC library has none, and its text is for the log.
fn known<'a>(status: &'a Status, asked: Asked<'_>) -> std::borrow::Cow<'a, Status> {
    use std::borrow::Cow;
    if status.get_details_error_info().is_some() {
        return Cow::Borrowed(status);
    }
    tracing::warn!(
        service = asked.service,
        code = code_name(status.code()),
        cause = status.message(),
        "a refusal without a reason"
    );
    let error = match status.code() {
        Code::Unavailable => Error::unavailable(asked.service, status.message()),
        Code::DeadlineExceeded => Error::new(Common::DeadlineExceeded, "the call took longer than the caller waits"),
        Code::Unimplemented => Error::new(Common::Unimplemented, "this server does not run this call"),
        Code::OutOfRange => Error::new(Common::BodyTooLarge, "the body is larger than the service takes"),
        Code::ResourceExhausted => Error::new(Common::Overloaded, "too many calls at once; try again")
            .retry_after(std::time::Duration::from_secs(1)),
        _ => Error::internal(status.message()),
    };
    Cow::Owned(error.into_status(asked.service, asked.trace_id))
}

/// The HTTP status of a gRPC status; a few reasons have one of their own.
fn http_status(status: &Status, conditional: bool) -> StatusCode {
    let info = status.get_details_error_info();
    let is = |reason: Common| info.as_ref().is_some_and(|info| info.reason == reason.name());
    if is(Common::MethodNotAllowed) {
        return StatusCode::METHOD_NOT_ALLOWED;
    }
    if is(Common::BodyTooLarge) {
        return StatusCode::PAYLOAD_TOO_LARGE;
    }
    if is(Common::RangeNotSatisfiable) {
        return StatusCode::RANGE_NOT_SATISFIABLE;
    }
    if is(Common::UnsupportedMediaType) {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE;
    }
    // A condition in a header does not hold: If-Match or Min-Clock. A clock that is not reached is no failure of the
    // server, whatever clock the caller made up.
    if is(Common::ClockNotReached) || (conditional && is(Common::VersionMismatch)) {
        return StatusCode::PRECONDITION_FAILED;
    }
    if info.is_none() && status.code() == Code::OutOfRange {
        return StatusCode::PAYLOAD_TOO_LARGE;
    }
    match status.code() {
        Code::Ok => StatusCode::OK,
        Code::InvalidArgument | Code::OutOfRange => StatusCode::BAD_REQUEST,
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::PermissionDenied => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::AlreadyExists | Code::FailedPrecondition | Code::Aborted => StatusCode::CONFLICT,
        Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::Cancelled => StatusCode::from_u16(499).unwrap_or(StatusCode::BAD_REQUEST),
        Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
        Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
        Code::Internal | Code::Unknown | Code::DataLoss => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn body(status: &Status, details: &ErrorDetails, http: StatusCode, asked: Asked<'_>) -> Value {
    let mut list = Vec::new();
    if let Some(info) = details.error_info() {
        let metadata: Map<String, Value> =
            info.metadata.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
        list.push(detail("ErrorInfo", json!({"reason": info.reason, "domain": info.domain, "metadata": metadata})));
    }
    if let Some(bad) = details.bad_request() {
        let violations: Vec<Value> = bad
            .field_violations
            .iter()
            .map(|one| json!({"field": json_path(&one.field, asked.input), "description": one.description}))
            .collect();
        list.push(detail("BadRequest", json!({"fieldViolations": violations})));
    }
    if let Some(failure) = details.precondition_failure() {
        let violations: Vec<Value> = failure
            .violations
            .iter()
            .map(|one| json!({"type": one.r#type, "subject": one.subject, "description": one.description}))
            .collect();
        list.push(detail("PreconditionFailure", json!({"violations": violations})));
    }
    if let Some(delay) = details.retry_info().and_then(|info| info.retry_delay) {
        list.push(detail("RetryInfo", json!({"retryDelay": seconds(delay)})));
    }
    if let Some(info) = details.request_info() {
        list.push(detail("RequestInfo", json!({"requestId": info.request_id})));
    }
    list.extend(asked.transcoder.into_iter().flat_map(|transcoder| own_details(status, transcoder)));
    json!({"code": http.as_u16(), "status": code_name(status.code()), "message": status.message(), "details": list})
}

fn detail(name: &str, mut content: Value) -> Value {
    if let Some(object) = content.as_object_mut() {
        object.insert("@type".to_owned(), json!(format!("type.googleapis.com/google.rpc.{name}")));
    }
    content
}

/// The details that are messages of the contract, written as `Any`. Types of `google.rpc` are not among them: those
/// that callers may see are written one by one.
fn own_details(status: &Status, transcoder: &Transcoder) -> Vec<Value> {
    let all = pb::Status::decode(status.details()).unwrap_or_default().details;
    let own = all.iter().filter_map(|any| {
        let name = any.type_url.rsplit('/').next().filter(|name| !name.starts_with("google.rpc."))?;
        let mut out = Vec::new();
        transcoder.schema(name)?.to_json(&any.value, SHOWN, &mut out).ok()?;
        let mut content: Value = serde_json::from_slice(&out).ok()?;
        if name.starts_with("google.protobuf.") || !content.is_object() {
            content = json!({ "value": content });
        }
        content.as_object_mut()?.insert("@type".to_owned(), json!(any.type_url));
        Some(content)
    });
    own.collect()
}

/// A duration as ProtoJSON writes it: with no, three, six or nine digits after the point.
fn seconds(delay: std::time::Duration) -> String {
    let (whole, nanos) = (delay.as_secs(), delay.subsec_nanos());
    if nanos == 0 {
        format!("{whole}s")
    } else if nanos.is_multiple_of(1_000_000) {
        format!("{whole}.{:03}s", nanos / 1_000_000)
    } else if nanos.is_multiple_of(1_000) {
        format!("{whole}.{:06}s", nanos / 1_000)
    } else {
        format!("{whole}.{nanos:09}s")
    }
}

/// A field's path as the JSON of the request writes it: `offers[0].offer_id` → `offers[0].offerId`.
pub(crate) fn json_path(path: &str, input: Option<&MessageDescriptor>) -> String {
    let mut out = String::with_capacity(path.len());
    let mut message = input.cloned();
    let mut rest = path;
    loop {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let field = message
            .as_ref()
            .and_then(|message| message.get_field_by_name(name).or_else(|| message.get_field_by_json_name(name)));
        match (&field, &message) {
            (Some(field), _) => out.push_str(field.json_name()),
            // A name that the message does not have comes from the caller.
            (None, Some(_)) => out.push_str(name),
            (None, None) => camel(name, &mut out),
        }
        message = field.and_then(|field| match field.kind() {
            Kind::Message(inner) if field.is_map() => inner.map_entry_value_field().kind().as_message().cloned(),
            Kind::Message(inner) => Some(inner),
            _ => None,
        });
        let (index, after) = subscript(after);
        out.push_str(index);
        match after.strip_prefix('.') {
            Some(next) => {
                out.push('.');
                rest = next;
            }
            None => {
                out.push_str(after);
                return out;
            }
        }
    }
}

/// Splits `[0].id` or `["a.b"].id` after the bracket that closes.
fn subscript(text: &str) -> (&str, &str) {
    if !text.starts_with('[') {
        return ("", text);
    }
    let mut quoted = false;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return text.split_at(at + 1),
            _ => {}
        }
    }
    (text, "")
}

fn camel(name: &str, out: &mut String) {
    let mut upper = false;
    for letter in name.chars() {
        if letter == '_' {
            upper = true;
        } else if std::mem::take(&mut upper) {
            out.extend(letter.to_uppercase());
        } else {
            out.push(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn field_paths_are_written_as_json_writes_them() {
        for (path, expected) in [
            ("offer_id", "offerId"),
            ("offers[0].offer_id", "offers[0].offerId"),
            (r#"labels["a.b_c]"].long_name"#, r#"labels["a.b_c]"].longName"#),
            ("alreadyJson", "alreadyJson"),
            ("", ""),
        ] {
            assert_eq!(json_path(path, None), expected);
        }
    }

    #[test]
    fn delays_are_seconds_with_no_three_six_or_nine_digits() {
        assert_eq!(seconds(Duration::from_secs(1)), "1s");
        assert_eq!(seconds(Duration::from_millis(1500)), "1.500s");
        assert_eq!(seconds(Duration::from_micros(1)), "0.000001s");
        assert_eq!(seconds(Duration::from_nanos(1)), "0.000000001s");
    }

    #[test]
    fn each_code_has_its_http_status_and_some_reasons_their_own() {
        let of = |status: &Status| http_status(status, false).as_u16();
        let plain = |code| of(&Status::new(code, ""));
        let codes = [
            (Code::InvalidArgument, 400),
            (Code::Unauthenticated, 401),
            (Code::PermissionDenied, 403),
            (Code::NotFound, 404),
            (Code::AlreadyExists, 409),
            (Code::FailedPrecondition, 409),
            (Code::Aborted, 409),
            (Code::ResourceExhausted, 429),
            (Code::Internal, 500),
            (Code::Unimplemented, 501),
            (Code::Unavailable, 503),
            (Code::DeadlineExceeded, 504),
        ];
        for (code, expected) in codes {
            assert_eq!(plain(code), expected, "{code:?}");
        }
        let reason = |reason: Common| Error::new(reason, "").into_status("orders", "");
        assert_eq!(of(&reason(Common::MethodNotAllowed)), 405);
        assert_eq!(of(&reason(Common::BodyTooLarge)), 413);
        assert_eq!(of(&reason(Common::UnsupportedMediaType)), 415);
        assert_eq!(of(&reason(Common::RouteNotFound)), 404);
        assert_eq!(of(&reason(Common::ClockNotReached)), 412);
        assert_eq!(of(&reason(Common::VersionMismatch)), 409);
        assert_eq!(http_status(&reason(Common::VersionMismatch), true).as_u16(), 412);
    }

    #[tokio::test]
    async fn the_text_of_a_failure_without_a_reason_is_not_told() {
        let response = refuse(&Status::internal("password of the database is x"));
        let bytes = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(!text.contains("database"), "{text}");
        assert!(text.contains(r#""reason":"INTERNAL""#), "{text}");
    }
}
