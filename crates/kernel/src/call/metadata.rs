//! The conditions of a call, which its metadata says.

use std::fmt;
use std::time::{Duration, Instant};

use http::header::{IF_MATCH, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};
use tonic::metadata::MetadataMap;

use crate::call::bytes::upload::Incoming;
use crate::call::trace_context::{self, TRACEPARENT};
use crate::error::{Common, Error, Result};
use crate::time::{Ids, Micros};

/// The deadline of a call whose caller gives none.
const PATIENCE: Duration = Duration::from_secs(30);

/// Letters of the user agent that are kept.
const LONGEST_AGENT: usize = 200;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const MIN_CLOCK: HeaderName = HeaderName::from_static("min-clock");
const VALIDATE_ONLY: HeaderName = HeaderName::from_static("pavise-validate-only");
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// The session's cookies of a browser, under their plain names. The port's own layer sets it; no page of another origin
/// can.
pub const COOKIES: HeaderName = HeaderName::from_static("pavise-cookies");
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");
const CALLERS_AGENT: HeaderName = HeaderName::from_static("pavise-user-agent");

/// A text that is never shown, because it may hold a token.
#[derive(Clone, Default)]
pub(crate) struct Private(pub(crate) String);

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

/// The conditions in the request's metadata.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    pub(crate) idempotency: Option<String>,
    pub(crate) request_digest: String,
    pub(crate) if_match: Option<i64>,
    pub(crate) min_clock: Option<i64>,
    pub(crate) validate_only: bool,
    pub(crate) request_id: String,
    pub(crate) traceparent: String,
    pub(crate) trace_id: String,
    pub(crate) address: String,
    pub(crate) user_agent: String,
    pub(crate) cookies: Private,
    pub(crate) deadline: Option<Instant>,
    /// The file that the call takes.
    pub(crate) incoming: Option<Incoming>,
}

impl Conditions {
    /// Reads the metadata of a request.
    pub(crate) fn read(metadata: &MetadataMap, ids: &Ids, now: Micros) -> Result<Self> {
        let headers = metadata.as_ref();
        // A condition that cannot be read is refused. If it counted as absent, the write would happen without it.
        for name in [IF_MATCH, MIN_CLOCK, VALIDATE_ONLY, TIMEOUT] {
            if headers.get(&name).is_some_and(says_nothing) {
                return Err(bad(&name, "must have a value, of printable ASCII"));
            }
        }
        let if_match = match text(headers, &IF_MATCH) {
            "" | "*" => None,
            tag => Some(version_of(tag).ok_or_else(|| bad(&IF_MATCH, "must be the version from the answer's ETag"))?),
        };
        let validate_only = match text(headers, &VALIDATE_ONLY) {
            "" | "false" => false,
            "true" => true,
            _ => return Err(bad(&VALIDATE_ONLY, "must be true or false")),
        };
        let patience = match text(headers, &TIMEOUT) {
            "" => PATIENCE,
            value => timeout(value).ok_or_else(|| bad(&TIMEOUT, "must be digits and one of H M S m u n"))?,
        };
        let request_id = read_request_id(headers).unwrap_or_else(|| ids.next(now));
        let (traceparent, trace_id) = match trace_context::named_by(headers) {
            Some(trace) => (text(headers, &TRACEPARENT).to_owned(), trace.to_owned()),
            None => trace_context::begin_trace(ids),
        };
        Ok(Self {
            idempotency: read_idempotency_key(headers)?,
            request_digest: String::new(),
            if_match,
            min_clock: read_min_clock(headers)?,
            validate_only,
            request_id,
            traceparent,
            trace_id,
            address: read_address(headers),
            user_agent: read_user_agent(headers),
            cookies: Private(text(headers, &COOKIES).to_owned()),
            deadline: Instant::now().checked_add(patience),
            incoming: None,
        })
    }
}

/// The text of a header; empty if there is none.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim).unwrap_or_default()
}

fn bad(name: &HeaderName, why: &str) -> Error {
    Error::new(Common::InvalidMetadata, format!("{name} {why}")).with("header", name.as_str())
}

fn read_idempotency_key(headers: &HeaderMap) -> Result<Option<String>> {
    let Some(value) = headers.get(IDEMPOTENCY_KEY) else { return Ok(None) };
    match value.to_str() {
        Ok(key) if (1..=128).contains(&key.len()) => Ok(Some(key.to_owned())),
        _ => Err(bad(&IDEMPOTENCY_KEY, "must be 1 to 128 printable ASCII characters")),
    }
}

fn read_min_clock(headers: &HeaderMap) -> Result<Option<i64>> {
    let clock = text(headers, &MIN_CLOCK);
    if clock.is_empty() {
        return Ok(None);
    }
    let clock = clock.parse::<i64>().ok().filter(|clock| *clock >= 0);
    clock.map(Some).ok_or_else(|| bad(&MIN_CLOCK, "must be a clock"))
}

/// The caller's id of the request, if it is well-formed.
fn read_request_id(headers: &HeaderMap) -> Option<String> {
    let id = text(headers, &REQUEST_ID);
    let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    ((1..=64).contains(&id.len()) && is_plain).then(|| id.to_owned())
}

/// Only the last address is trusted: each proxy appends its caller's address, and a caller may invent earlier ones.
fn read_address(headers: &HeaderMap) -> String {
    text(headers, &FORWARDED).rsplit(',').next().unwrap_or_default().trim().chars().take(64).collect()
}

fn read_user_agent(headers: &HeaderMap) -> String {
    let sent = text(headers, &CALLERS_AGENT);
    let agent = if sent.is_empty() { text(headers, &USER_AGENT) } else { sent };
    agent.chars().filter(|letter| !letter.is_control()).take(LONGEST_AGENT).collect()
}

/// Whether a header is present but holds no readable text.
fn says_nothing(value: &HeaderValue) -> bool {
    value.to_str().map_or(true, |text| text.trim().is_empty())
}

/// The version in an ETag: `W/"3"`, `"3"` or `3`.
fn version_of(tag: &str) -> Option<i64> {
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let tag = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag);
    tag.parse().ok().filter(|version| *version > 0)
}

/// A gRPC time-out.
fn timeout(value: &str) -> Option<Duration> {
    let split = value.len().checked_sub(1)?;
    let (digits, unit) = (value.get(..split)?, value.get(split..)?);
    let count = digits.parse::<u64>().ok().filter(|_| digits.len() <= 8)?;
    match unit {
        "H" => Some(Duration::from_secs(count.saturating_mul(3600))),
        "M" => Some(Duration::from_secs(count.saturating_mul(60))),
        "S" => Some(Duration::from_secs(count)),
        "m" => Some(Duration::from_millis(count)),
        "u" => Some(Duration::from_micros(count)),
        "n" => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_without_words_is_none_that_holds() {
        for silent in [&b""[..], b" ", b"\xff"] {
            assert!(says_nothing(&HeaderValue::from_bytes(silent).unwrap()), "{silent:?}");
        }
        assert!(!says_nothing(&HeaderValue::from_static("*")));
    }

    #[test]
    fn etags_in_every_spelling_name_a_version() {
        assert_eq!([r#"W/"3""#, r#""3""#, "3"].map(version_of), [Some(3); 3]);
        assert_eq!(["", "W/", "x", "-1", "0", "\""].map(version_of), [None; 6]);
    }

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        assert_eq!(timeout("250m"), Some(Duration::from_millis(250)));
        assert_eq!(timeout("1H"), Some(Duration::from_secs(3600)));
        assert_eq!(["", "m", "1", "123456789S", "1x", "é"].map(timeout), [None; 6]);
    }
}
