//! Deadlines: neither axum nor tonic in process enforces `grpc-timeout`, so this layer does.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Request, Response};
use http_body::{Body, Frame, SizeHint};
use pavise_kernel::patience::Patience;
use pavise_kernel::{Common, Error, trace_context};
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};
use tower::{BoxError, Layer, Service};

use crate::body::Enclose;
use crate::refusal::Speech;

const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// Bounds the time of each call.
#[derive(Debug, Clone, Copy)]
pub struct DeadlineLayer {
    default: Duration,
    most: Duration,
}

impl DeadlineLayer {
    /// A call may take the time of its `grpc-timeout`, at most an hour, or `default` where it has none. The default
    /// bounds the time to the head of the answer; a deadline of the caller bounds a stream as a whole.
    #[must_use]
    pub fn new(default: Duration) -> Self {
        Self { default, most: Duration::from_secs(3600).max(default) }
    }

    /// Limits every deadline to `most`.
    #[must_use]
    pub fn at_most(mut self, most: Duration) -> Self {
        self.most = most;
        self
    }
}

impl<S> Layer<S> for DeadlineLayer {
    type Service = Deadline<S>;

    fn layer(&self, inner: S) -> Deadline<S> {
        Deadline { inner, rule: *self }
    }
}

/// A service with deadlines.
#[derive(Debug, Clone)]
pub struct Deadline<S> {
    inner: S,
    rule: DeadlineLayer,
}

impl<S, B, R> Service<Request<B>> for Deadline<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: 'static,
    R: Enclose,
    R::Error: Into<BoxError>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let speech = Speech::of(request.headers());
        let trace = trace_context::named_by(request.headers()).unwrap_or_default().to_owned();
        let asked = timeout_of(request.headers());
        let deadline = Instant::now() + asked.unwrap_or(self.rule.default).min(self.rule.most);
        if asked.is_none() {
            let most = Instant::now() + self.rule.most;
            return Box::pin(patiently(self.inner.call(request), (deadline, most), speech, trace));
        }
        let work = self.inner.call(request);
        Box::pin(async move {
            match timeout_at(deadline, work).await {
                Ok(Ok(response)) if speech.has_trailers() => Ok(response.map(|body| bounded(body, deadline, trace))),
                Ok(result) => result,
                Err(_) => Ok(speech.refuse(exceeded(), &trace)),
            }
        })
    }
}

/// A call whose caller names no deadline: the first one counts, unless the call extends it, and the second one in any
/// case.
async fn patiently<R: Enclose, E>(
    work: impl Future<Output = Result<Response<R>, E>>,
    (deadline, most): (Instant, Instant),
    speech: Speech,
    trace: String,
) -> Result<Response<R>, E> {
    let patience = Patience::new(deadline);
    let mut work = pin!(patience.run_within(work));
    loop {
        let end = patience.ends_at().min(most);
        match timeout_at(end, &mut work).await {
            Ok(result) => return result,
            Err(_) if patience.ends_at().min(most) > end => {}
            Err(_) => return Ok(speech.refuse(exceeded(), &trace)),
        }
    }
}

/// The time that a request's `grpc-timeout` gives; `None` where the header is missing or cannot be read.
#[must_use]
pub fn timeout_of(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(TIMEOUT)?.to_str().ok()?;
    let (digits, unit) = value.split_at_checked(value.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
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

/// The refusal of a call whose deadline is over.
pub(crate) fn exceeded() -> Error {
    Error::new(Common::DeadlineExceeded, "the call took longer than the caller waits")
}

fn bounded<R>(body: R, deadline: Instant, trace: String) -> R
where
    R: Enclose,
    R::Error: Into<BoxError>,
{
    if body.is_end_stream() { body } else { R::enclose(Bounded { body: Some(body), deadline, sleep: None, trace }) }
}

/// A body that ends with DEADLINE_EXCEEDED when its deadline is over.
struct Bounded<R> {
    body: Option<R>,
    deadline: Instant,
    /// Made when the body first makes its reader wait. The body of a unary call never does.
    sleep: Option<Pin<Box<Sleep>>>,
    trace: String,
}

impl<R: Enclose> Body for Bounded<R> {
    type Data = Bytes;
    type Error = R::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, R::Error>>> {
        let this = &mut *self;
        let Some(body) = &mut this.body else { return Poll::Ready(None) };
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(context) {
            return Poll::Ready(frame);
        }
        let deadline = this.deadline;
        let sleep = this.sleep.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        ready!(sleep.as_mut().poll(context));
        // Dropping the body tells its writer that nobody reads any more.
        this.body = None;
        let mut trailers = HeaderMap::new();
        let status = exceeded().into_status("pavise", &this.trace);
        Poll::Ready(status.add_header(&mut trailers).is_ok().then(|| Ok(Frame::trailers(trailers))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_as_grpc_writes_them() {
        let of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-timeout", http::HeaderValue::from_str(value).unwrap());
            timeout_of(&headers)
        };
        assert_eq!(of("250m"), Some(Duration::from_millis(250)));
        assert_eq!(of("2H"), Some(Duration::from_secs(7200)));
        assert_eq!(of("1u"), Some(Duration::from_micros(1)));
        for bad in ["", "5", "m", "-1S", "+1S", "123456789n", "1x", "1 S"] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }
}
