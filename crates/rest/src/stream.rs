//! The answer of a call with many messages: a JSON array, one JSON value a line, or server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use axum::body::Body;
use bytes::Bytes;
use futures::Stream;
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Response};
use pavise_transcode::Transcoder;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::answer::{self, JSON};
use crate::refusal::{self, Asked};
use crate::route::Route;
use crate::upstream::Answer;
use crate::wire;

/// The silence after which the JSON array of a watch ends.
const QUIET: Duration = Duration::from_secs(1);

/// The form of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One JSON array, which ends when the stream does.
    Array,
    /// One JSON value a line (`application/x-ndjson`).
    Lines,
    /// Server-sent events (`text/event-stream`).
    Events,
}

/// The settings of a stream besides its messages.
#[derive(Debug, Clone)]
pub(crate) struct Manner {
    pub(crate) shape: Shape,
    /// The transcoder for the details of a refusal within the stream.
    pub(crate) transcoder: Transcoder,
    /// The silence after which a stream sends a heartbeat.
    pub(crate) heartbeat: Duration,
    /// Ends streams that would not end by themselves, so that the server can stop.
    pub(crate) draining: CancellationToken,
}

impl Shape {
    /// The form that the caller prefers.
    pub(crate) fn wanted(headers: &HeaderMap) -> Self {
        let mut best = (Self::Array, 0.0);
        for range in
            headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|line| line.split(','))
        {
            let mut pieces = range.split(';').map(str::trim);
            let shape = match pieces.next().unwrap_or_default().to_ascii_lowercase().as_str() {
                "application/x-ndjson" => Self::Lines,
                "text/event-stream" => Self::Events,
                "application/json" => Self::Array,
                _ => continue,
            };
            let weight =
                pieces.find_map(|piece| piece.strip_prefix("q=")).map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
            if weight > best.1 {
                best = (shape, weight);
            }
        }
        best.0
    }

    fn content_type(self) -> HeaderValue {
        match self {
            Self::Array => JSON,
            Self::Lines => HeaderValue::from_static("application/x-ndjson"),
            Self::Events => HeaderValue::from_static("text/event-stream"),
        }
    }
}

/// Answers with the messages of a call as they come. A finite stream is answered only when its first message is there,
/// so that a refusal has its own HTTP status; a watch may be quiet for hours.
///
/// # Errors
/// The status that the call ended with before its first message.
pub(crate) async fn many(
    route: Arc<Route>,
    mut answer: Answer,
    manner: Manner,
    watch: bool,
    trace_id: String,
) -> Result<Response<Body>, Status> {
    let first = if watch { None } else { answer.next().await? };
    let mut response = Response::new(Body::empty());
    answer::pass_headers(&answer.headers, response.headers_mut());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, manner.shape.content_type());
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let over = !watch && first.is_none();
    *response.body_mut() = match manner.shape {
        Shape::Array if watch => {
            let first = tokio::time::timeout(QUIET, answer.next()).await.unwrap_or(Ok(None))?;
            let over = first.is_none();
            Body::from_stream(array(route, answer, first, over, true))
        }
        Shape::Array => Body::from_stream(array(route, answer, first, over, false)),
        Shape::Lines | Shape::Events => Body::from_stream(lines(route, answer, first, over, manner, trace_id)),
    };
    Ok(response)
}

/// The messages as an array. A failure breaks the body off: the part that was sent is deliberately no valid JSON. The
/// array of a watch ends when no further message comes for a second.
fn array(
    route: Arc<Route>,
    mut answer: Answer,
    first: Option<Bytes>,
    over: bool,
    watch: bool,
) -> impl Stream<Item = Result<Vec<u8>, Status>> {
    stream! {
        let mut next = first;
        let mut mark = b'[';
        while let Some(message) = next {
            let mut out = vec![mark];
            mark = b',';
            if let Err(status) = answer::write(&route, &message, &mut out) {
                yield Err(status);
                return;
            }
            yield Ok(out);
            let coming = answer.next();
            let come = if watch { tokio::time::timeout(QUIET, coming).await.unwrap_or(Ok(None)) } else { coming.await };
            next = match come {
                Ok(next) => next,
                Err(status) => {
                    yield Err(status);
                    return;
                }
            };
        }
        yield Ok(if over { b"[]".to_vec() } else { b"]".to_vec() });
    }
}

/// The messages one by one, with heartbeats while it is quiet. A failure is the last value.
fn lines(
    route: Arc<Route>,
    mut answer: Answer,
    first: Option<Bytes>,
    over: bool,
    manner: Manner,
    trace_id: String,
) -> impl Stream<Item = Result<Vec<u8>, Infallible>> {
    stream! {
        let shape = manner.shape;
        if let Some(message) = first {
            match written(&route, shape, &message) {
                Ok(out) => yield Ok(out),
                Err(status) => {
                    yield Ok(failed(&route, &manner, &status, &trace_id));
                    return;
                }
            }
        }
        if over {
            return;
        }
        loop {
            let next = tokio::select! {
                next = answer.next() => next,
                () = sleep(manner.heartbeat) => {
                    yield Ok(if shape == Shape::Events { b":\n\n".to_vec() } else { b"\n".to_vec() });
                    continue;
                }
                () = manner.draining.cancelled() => return,
            };
            let out = match next {
                Ok(None) => return,
                Ok(Some(message)) => written(&route, shape, &message),
                Err(status) => Err(status),
            };
            match out {
                Ok(out) => yield Ok(out),
                Err(status) => {
                    yield Ok(failed(&route, &manner, &status, &trace_id));
                    return;
                }
            }
        }
    }
}

fn written(route: &Route, shape: Shape, message: &Bytes) -> Result<Vec<u8>, Status> {
    let mut out = Vec::with_capacity(message.len().saturating_mul(2) + 64);
    if shape == Shape::Events {
        if let Some(clock) = route.clock {
            out.extend_from_slice(format!("id: {}\n", wire::integer(message, clock)).as_bytes());
        }
        out.extend_from_slice(b"data: ");
    }
    answer::write(route, message, &mut out)?;
    out.extend_from_slice(if shape == Shape::Events { b"\n\n" } else { b"\n" });
    Ok(out)
}

fn failed(route: &Route, manner: &Manner, status: &Status, trace_id: &str) -> Vec<u8> {
    let asked = Asked {
        conditional: false,
        input: Some(&route.request),
        service: &route.service,
        trace_id,
        transcoder: Some(&manner.transcoder),
    };
    let refusal = refusal::value(status, asked);
    match manner.shape {
        Shape::Events => format!("event: error\ndata: {refusal}\n\n").into_bytes(),
        Shape::Lines | Shape::Array => format!("{}\n", serde_json::json!({"error": refusal})).into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shape_is_what_the_caller_prefers() {
        let wanted = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_str(accept).unwrap());
            Shape::wanted(&headers)
        };
        assert_eq!(wanted("text/event-stream"), Shape::Events);
        assert_eq!(wanted("application/x-ndjson, application/json;q=0.5"), Shape::Lines);
        assert_eq!(wanted("application/x-ndjson;q=0.1, application/json"), Shape::Array);
        assert_eq!(wanted("text/html, */*"), Shape::Array);
        assert_eq!(wanted("text/event-stream;q=0"), Shape::Array);
        assert_eq!(Shape::wanted(&HeaderMap::new()), Shape::Array);
    }
}
