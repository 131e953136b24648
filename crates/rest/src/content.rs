//! Reads the body of a request, up to a limit.

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http::request::Parts;
use http_body::Body as _;
use http_body_util::BodyExt;
use pavise_kernel::{Common, Error, Result};

/// The body of a request.
#[derive(Debug)]
pub(crate) enum Content {
    /// There is none.
    Nothing,
    /// UTF-8 that is declared as JSON.
    Json(Bytes),
}

/// Reads a body of at most `limit` bytes.
///
/// # Errors
/// `UNSUPPORTED_MEDIA_TYPE`, `BODY_TOO_LARGE`, `MALFORMED_JSON`.
pub(crate) async fn read(parts: &Parts, body: Body, limit: usize) -> Result<Content> {
    if is_empty(parts, &body) {
        return Ok(Content::Nothing);
    }
    let encoding = parts.headers.get(CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(unsupported("an encoded body"));
    }
    match media_type(parts) {
        Some(media) if media.is_json() => {}
        Some(media) => return Err(unsupported(media.text)),
        // A streaming client may end without sending anything: only the end shows it.
        None => {
            let bytes = collect(parts, body, limit).await?;
            return if bytes.is_empty() {
                Ok(Content::Nothing)
            } else {
                Err(unsupported("a body without a content type"))
            };
        }
    }
    let bytes = collect(parts, body, limit).await?;
    if bytes.is_empty() {
        return Ok(Content::Nothing);
    }
    match std::str::from_utf8(&bytes) {
        Ok(_) => Ok(Content::Json(bytes)),
        Err(error) => {
            let message = format!("the body is not UTF-8 at byte {}", error.valid_up_to());
            Err(Error::new(Common::MalformedJson, message))
        }
    }
}

fn is_empty(parts: &Parts, body: &Body) -> bool {
    body.is_end_stream() || declared_length(parts) == Some(0)
}

fn declared_length(parts: &Parts) -> Option<u64> {
    parts.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

pub(crate) async fn collect(parts: &Parts, mut body: Body, limit: usize) -> Result<Bytes> {
    let most = u64::try_from(limit).unwrap_or(u64::MAX);
    if declared_length(parts).is_some_and(|length| length > most) {
        return Err(too_large(limit));
    }
    let mut first: Option<Bytes> = None;
    let mut several = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|cause| Error::new(Common::MalformedJson, "the body breaks off").because(cause))?;
        let Ok(chunk) = frame.into_data() else { continue };
        let so_far = first.as_ref().map_or(several.len(), Bytes::len);
        if so_far.saturating_add(chunk.len()) > limit {
            return Err(too_large(limit));
        }
        match first.take() {
            // Most bodies come in one piece, which is not copied.
            None if several.is_empty() => first = Some(chunk),
            None => several.extend_from_slice(&chunk),
            Some(earlier) => {
                several.extend_from_slice(&earlier);
                several.extend_from_slice(&chunk);
            }
        }
    }
    Ok(first.unwrap_or_else(|| several.freeze()))
}

/// The refusal of a body that is longer than `limit` bytes.
pub(crate) fn too_large(limit: usize) -> Error {
    let size = match limit {
        bytes if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        bytes if bytes >= 1 << 10 => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} bytes"),
    };
    Error::new(Common::BodyTooLarge, format!("the body is larger than {size}")).with("limit", limit.to_string())
}

fn unsupported(what: &str) -> Error {
    let shown: String = what.chars().take(60).collect();
    Error::new(Common::UnsupportedMediaType, format!("send application/json, not {shown}"))
}

struct MediaType<'a> {
    text: &'a str,
    essence: &'a str,
    parameters: &'a str,
}

fn media_type(parts: &Parts) -> Option<MediaType<'_>> {
    let text = parts.headers.get(CONTENT_TYPE)?.to_str().unwrap_or("a type that is not ASCII");
    let (essence, parameters) = text.split_once(';').unwrap_or((text, ""));
    Some(MediaType { text, essence: essence.trim(), parameters })
}

impl MediaType<'_> {
    fn is_json(&self) -> bool {
        let mut parameters = self.parameters.split(';').map(str::trim).filter(|parameter| !parameter.is_empty());
        self.essence.eq_ignore_ascii_case("application/json")
            && parameters.all(|parameter| {
                let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
                !name.eq_ignore_ascii_case("charset") || value.trim_matches('"').eq_ignore_ascii_case("utf-8")
            })
    }
}
