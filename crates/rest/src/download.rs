//! The answer of a call with bytes: the head becomes headers, and the chunks the body.

use async_stream::try_stream;
use axum::body::Body;
use bytes::Bytes;
use futures::Stream;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG, IF_NONE_MATCH, IF_RANGE, LAST_MODIFIED, RANGE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use pavise_kernel::common::v1::{ByteAnswer, ByteHead};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use prost::Message as _;
use tonic::Status;

use crate::answer::pass_headers;
use crate::upstream::Answer;

/// The headers of a request for a part of a file.
const ASKED: [HeaderName; 3] = [RANGE, IF_RANGE, IF_NONE_MATCH];
/// A browser that shows a file lets it run nothing.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'");
/// The characters of a file's name that RFC 8187 leaves as they are.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Marks an answer whose bytes stay as they are: they have a digest, and ranges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AsIs;

/// Passes on what a request says of the part that it wants. A range is for GET alone.
pub(crate) fn pass_asked(parts: &Parts, metadata: &mut HeaderMap) {
    for name in ASKED.into_iter().filter(|name| parts.method == Method::GET || name == IF_NONE_MATCH) {
        for value in parts.headers.get_all(&name) {
            metadata.append(name.clone(), value.clone());
        }
    }
}

/// Writes the head, and the body as it comes.
///
/// # Errors
/// The status that the call ended with before its first byte.
pub(crate) async fn answer(mut answer: Answer) -> Result<Response<Body>, Status> {
    let first = answer.next().await?.ok_or_else(|| Status::internal("a download was answered without a head"))?;
    let head = piece(first)?.head.ok_or_else(|| Status::internal("a download begins without a head"))?;
    let mut response = Response::new(Body::empty());
    pass_headers(&answer.headers, response.headers_mut());
    *response.status_mut() = write_head(&head, response.headers_mut())?;
    response.extensions_mut().insert(AsIs);
    if head.not_modified || head.length == Some(0) {
        // The end of the call is read, so that it counts as answered.
        while answer.next().await?.is_some() {}
        return Ok(response);
    }
    *response.body_mut() = Body::from_stream(chunks(answer));
    Ok(response)
}

fn chunks(mut answer: Answer) -> impl Stream<Item = Result<Bytes, Status>> + Send {
    try_stream! {
        while let Some(message) = answer.next().await? {
            yield piece(message)?.chunk;
        }
    }
}

fn piece(message: Bytes) -> Result<ByteAnswer, Status> {
    ByteAnswer::decode(message).map_err(|error| Status::internal(error.to_string()))
}

fn write_head(head: &ByteHead, headers: &mut HeaderMap) -> Result<StatusCode, Status> {
    let value = |text: String| HeaderValue::try_from(text).map_err(|error| Status::internal(error.to_string()));
    headers.remove(ETAG);
    let private = if head.etag.is_empty() { "no-store" } else { "private, no-cache" };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(private));
    if !head.etag.is_empty() {
        headers.insert(ETAG, value(format!("\"{}\"", head.etag))?);
        headers.append(VARY, HeaderValue::from_static("authorization, cookie"));
    }
    if let Some(at) = head.modified_at.as_ref().and_then(http_date) {
        headers.insert(LAST_MODIFIED, value(at)?);
    }
    if head.not_modified {
        return Ok(StatusCode::NOT_MODIFIED);
    }
    let kind = if head.content_type.is_empty() { "application/octet-stream" } else { &head.content_type };
    headers.insert(CONTENT_TYPE, value(kind.to_owned())?);
    headers.insert(CONTENT_DISPOSITION, value(disposition(head))?);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, SANDBOX);
    let ranges = if head.size.is_some() { "bytes" } else { "none" };
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static(ranges));
    let (Some(size), Some(length)) = (head.size, head.length) else { return Ok(StatusCode::OK) };
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    if length == size {
        return Ok(StatusCode::OK);
    }
    let last = head.offset.saturating_add(length).saturating_sub(1);
    headers.insert(CONTENT_RANGE, value(format!("bytes {}-{last}/{size}", head.offset))?);
    Ok(StatusCode::PARTIAL_CONTENT)
}

/// The name under which a browser saves the file (RFC 6266), in ASCII and in full.
fn disposition(head: &ByteHead) -> String {
    let how = if head.inline { "inline" } else { "attachment" };
    let name: String = head.file_name.chars().filter(|letter| !letter.is_control()).take(200).collect();
    if name.is_empty() {
        return how.to_owned();
    }
    let simple = |letter: char| letter.is_ascii_alphanumeric() || " -._()".contains(letter);
    let ascii: String = name.chars().map(|letter| if simple(letter) { letter } else { '_' }).collect();
    if ascii == name {
        return format!("{how}; filename=\"{ascii}\"");
    }
    format!("{how}; filename=\"{ascii}\"; filename*=UTF-8''{}", utf8_percent_encode(&name, PLAIN))
}

/// The time as HTTP writes it.
fn http_date(at: &prost_types::Timestamp) -> Option<String> {
    let at = std::time::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(u64::try_from(at.seconds).ok()?))?;
    Some(httpdate::fmt_http_date(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_header() {
        let of = |name: &str| disposition(&ByteHead { file_name: name.to_owned(), ..ByteHead::default() });
        assert_eq!(of("a b.csv"), "attachment; filename=\"a b.csv\"");
        assert_eq!(of(""), "attachment");
        assert_eq!(of("q\"\r\nx: y.csv"), "attachment; filename=\"q_x_ y.csv\"; filename*=UTF-8''q%22x%3A%20y.csv");
        assert_eq!(of("Año.csv"), "attachment; filename=\"A_o.csv\"; filename*=UTF-8''A%C3%B1o.csv");
        assert_eq!(of("../../etc"), "attachment; filename=\".._.._etc\"; filename*=UTF-8''..%2F..%2Fetc");
    }
}
