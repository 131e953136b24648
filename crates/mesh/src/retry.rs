//! A call over the network: within its deadline, and repeated where that is safe and may help.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use pavise_kernel::peers::Once;
use pavise_kernel::time::Ids;
use pavise_kernel::{Error, trace_context};
use tokio::time::{Instant, timeout_at};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tower::retry::backoff::{Backoff, ExponentialBackoffMaker, MakeBackoff};
use tower::retry::budget::{Budget, TpsBudget};
use tower::util::rng::Rng;
use tower::{Service, ServiceExt};

use crate::deadline::{exceeded, timeout_of};
use crate::endpoint::Endpoint;

/// The back-off between attempts grows from the first to the second of these, and half as much again by chance. All
/// attempts together stay well below the second within which callers go on after a fault; the budget spares the peer.
const WAITS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(100));

/// Whether the call at a path is a read.
type Reads = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// A call that was given up sooner says nothing about its connection.
const TELLING: Duration = Duration::from_millis(200);

/// A connection, and the time at which it was last heard.
struct Line {
    channel: Channel,
    number: u64,
    heard: Instant,
    /// The next call gets another connection.
    doubtful: bool,
}

/// A domain in another process.
#[derive(Clone)]
pub(crate) struct Remote {
    connect: Arc<dyn Fn() -> Channel + Send + Sync>,
    line: Arc<Mutex<Line>>,
    reads: Reads,
    budget: Arc<TpsBudget>,
    timeout: Duration,
    attempts: u32,
    dice: Ids,
}

/// Chance, in the form that the back-off needs.
#[derive(Debug, Clone)]
struct Dice(Ids);

impl Rng for Dice {
    fn next_u64(&mut self) -> u64 {
        self.0.bits()
    }
}

impl Remote {
    pub(crate) fn new(
        connect: impl Fn() -> Channel + Send + Sync + 'static,
        endpoint: &Endpoint,
        reads: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        // Repeats are at most twenty of a hundred calls, so that a peer in trouble gets no extra load. The first ten
        // repeats a second are free.
        let budget = TpsBudget::new(Duration::from_secs(10), 10, 0.2);
        let line = Line { channel: connect(), number: 0, heard: Instant::now(), doubtful: false };
        Self {
            connect: Arc::new(connect),
            line: Arc::new(Mutex::new(line)),
            reads: Arc::new(reads),
            budget: Arc::new(budget),
            timeout: endpoint.timeout,
            attempts: endpoint.attempts.max(1),
            dice: endpoint.dice.clone(),
        }
    }

    /// The answer, or a gRPC status in its place.
    pub(crate) async fn call(&self, request: Request<Body>) -> Response<Body> {
        let deadline = Instant::now() + timeout_of(request.headers()).unwrap_or(self.timeout);
        let trace = trace_context::named_by(request.headers()).unwrap_or_default().to_owned();
        let is_once = request.extensions().get::<Once>().is_some();
        let answer = if is_once {
            self.attempt(request, deadline).await
        } else if request.headers().contains_key("idempotency-key") || (self.reads)(request.uri().path()) {
            self.repeatable(request, deadline).await
        } else {
            self.attempt(request, deadline).await
        };
        answer.unwrap_or_else(|error| error.into_status("pavise", &trace).into_http())
    }

    async fn repeatable(&self, request: Request<Body>, deadline: Instant) -> Result<Response<Body>, Error> {
        let (head, body) = request.into_parts();
        let body = timeout_at(deadline, body.collect()).await.map_err(|_| exceeded())?;
        let body = body.map_err(|error| Error::unavailable("the caller", error))?.to_bytes();
        self.budget.deposit();
        let waits = ExponentialBackoffMaker::new(WAITS.0, WAITS.1, 0.5, Dice(self.dice.clone()));
        let mut waits = waits.map(|mut waits| waits.make_backoff()).ok();
        let mut left = self.attempts;
        loop {
            left -= 1;
            let result = self.attempt(again(&head, body.clone()), deadline).await;
            if left == 0 || !hopeful(&result) || !self.budget.withdraw() {
                return result;
            }
            let Some(waits) = &mut waits else { return result };
            if timeout_at(deadline, waits.next_backoff()).await.is_err() {
                return result;
            }
        }
    }

    async fn attempt(&self, mut request: Request<Body>, deadline: Instant) -> Result<Response<Body>, Error> {
        pass_on(request.headers_mut(), deadline);
        let (mut channel, mut unanswered) = self.line_of_now();
        let work = async {
            let ready = channel.ready().await?;
            ready.call(request).await
        };
        match timeout_at(deadline, work).await {
            Err(_) => Err(exceeded()),
            Ok(Ok(response)) => {
                unanswered.answered();
                Ok(response)
            }
            // The channel reads the deadline too, and may notice its end first.
            Ok(Err(error)) if Instant::now() >= deadline || timed_out(&error) => Err(exceeded()),
            Ok(Err(error)) => {
                let status = Status::from_error(Box::new(error));
                // The peer's keep-alive or our own ended the connection, or there was none.
                Err(Error::unavailable("a part of the platform", format!("{status:?}")))
            }
        }
    }
}

impl Remote {
    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line_of_now(&self) -> (Channel, Unanswered<'_>) {
        let mut line = self.line();
        if line.doubtful {
            let number = line.number.wrapping_add(1);
            *line = Line { channel: (self.connect)(), number, heard: Instant::now(), doubtful: false };
        }
        (line.channel.clone(), Unanswered { remote: self, number: line.number, began: Instant::now(), over: false })
    }
}

/// A call in flight. When the call is given up, by itself or by its caller, and no other call was answered meanwhile,
/// its connection may be dead. New calls then get a new connection; calls in flight stay where they are.
struct Unanswered<'a> {
    remote: &'a Remote,
    number: u64,
    began: Instant,
    over: bool,
}

impl Unanswered<'_> {
    fn answered(&mut self) {
        self.over = true;
        let mut line = self.remote.line();
        if line.number == self.number {
            line.heard = Instant::now();
        }
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if self.over || self.began.elapsed() < TELLING {
            return;
        }
        let mut line = self.remote.line();
        line.doubtful |= line.number == self.number && line.heard < self.began;
    }
}

fn timed_out(error: &tonic::transport::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(one) = cause {
        if one.is::<tonic::TimeoutExpired>() {
            return true;
        }
        cause = one.source();
    }
    false
}

/// Tells the peer how much of the deadline is left.
fn pass_on(headers: &mut HeaderMap, deadline: Instant) {
    let left = deadline.saturating_duration_since(Instant::now());
    let micros = left.as_micros();
    let text =
        if micros <= 99_999_999 { format!("{micros}u") } else { format!("{}m", left.as_millis().min(99_999_999)) };
    if let Ok(value) = HeaderValue::try_from(text) {
        headers.insert("grpc-timeout", value);
    }
}

fn again(head: &http::request::Parts, body: Bytes) -> Request<Body> {
    let mut request = Request::new(Body::new(Full::new(body)));
    *request.method_mut() = head.method.clone();
    *request.uri_mut() = head.uri.clone();
    *request.version_mut() = head.version;
    request.headers_mut().clone_from(&head.headers);
    request
}

/// Whether another attempt may succeed: nobody was there, or the peer said so.
fn hopeful(result: &Result<Response<Body>, Error>) -> bool {
    match result {
        Err(error) => error.code() == Code::Unavailable,
        Ok(response) => match Status::from_header_map(response.headers()) {
            Some(status) => status.code() == Code::Unavailable,
            None => {
                let gone = [StatusCode::BAD_GATEWAY, StatusCode::SERVICE_UNAVAILABLE, StatusCode::GATEWAY_TIMEOUT];
                gone.contains(&response.status())
            }
        },
    }
}
