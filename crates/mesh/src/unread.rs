//! Bodies that the app answers without reading them to their end: refusals by method, path, content type or size.
//!
//! Over HTTP/1 the next request of a connection begins where the body ends, so hyper closes a connection with an unread
//! body. Its caller loses each request that is on the way. A small body is therefore read and dropped before the answer.
//! For all others the answer says `connection: close`, and the connection stays open until its caller has read it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Request, Response, Version};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::timeout;

use crate::malformed::Answers;

/// The largest rest of a body that is read and dropped.
const SMALL: u64 = 64 << 10;
/// The time that the rest of a body has for its arrival.
const SOON: Duration = Duration::from_secs(1);

/// The body of a request, which the app may leave unread.
#[derive(Debug)]
pub(crate) struct Unread {
    rest: Rest,
    version: Version,
    /// The caller sends the body only when it is asked for.
    asks_first: bool,
}

/// The place to which an unread body returns.
type Rest = Arc<Mutex<Option<Incoming>>>;

impl Unread {
    /// The request with a body that returns here when it is dropped before its end.
    pub(crate) fn keep(request: Request<Incoming>) -> (Request<Body>, Option<Self>) {
        if request.body().is_end_stream() {
            return (request.map(Body::new), None);
        }
        let (rest, version) = (Rest::default(), request.version());
        let unread = Self { rest: Arc::clone(&rest), version, asks_first: request.headers().contains_key(EXPECT) };
        (request.map(|body| Body::new(Kept { body: Some(body), rest })), Some(unread))
    }

    /// Reads and drops an unread body. If it is too large or late for that, the answer ends the connection of HTTP/1; the
    /// stream of HTTP/2 ends with `NO_ERROR` after the answer.
    pub(crate) async fn finish_reading(self, response: &mut Response<Body>, answers: &Answers) {
        let Some(body) = self.rest.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        if self.version >= Version::HTTP_2 {
            // Its streams do not wait for each other, so the answer need not wait for the body.
            tokio::spawn(drain(body));
        } else if self.asks_first || !drain(body).await {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            answers.linger();
        }
    }
}

/// Reads a body to its end; whether it was small and soon there.
async fn drain(mut body: Incoming) -> bool {
    let mut left = SMALL;
    let read = async {
        while body.size_hint().lower() <= left {
            match body.frame().await {
                None => return true,
                Some(Err(_)) => return false,
                Some(Ok(frame)) => {
                    let read = frame.data_ref().map_or(0, Bytes::len);
                    left = left.saturating_sub(u64::try_from(read).unwrap_or(u64::MAX));
                    if left == 0 {
                        return body.is_end_stream();
                    }
                }
            }
        }
        false
    };
    timeout(SOON, read).await.unwrap_or(false)
}

/// A body that returns to its place when it is dropped before its end.
struct Kept {
    body: Option<Incoming>,
    rest: Rest,
}

impl http_body::Body for Kept {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.body = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Incoming::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Incoming::size_hint)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(body) = self.body.take().filter(|body| !body.is_end_stream()) {
            *self.rest.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        }
    }
}
