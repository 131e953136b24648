//! Load shedding: past a number of requests in flight, more are refused at once instead of queued.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use pavise_kernel::in_flight::run_in_place;
use pavise_kernel::{Common, Error, trace_context};
use tower::{BoxError, Layer, Service};

use crate::arriving::Room;
use crate::body::Enclose;
use crate::refusal::Speech;

/// The back-off that a refused caller is told.
const COME_BACK: Duration = Duration::from_secs(1);
/// Health calls are always admitted: a load balancer without an answer assumes the worst.
const EXEMPT: &str = "/grpc.health.v1.Health/";

/// Bounds the requests in flight. A request counts until the head of its answer is there, so that a stream which stays
/// open for hours does not count. A request whose body arrives slowly is refused when another one needs its place, so
/// that slow senders keep nobody out.
#[derive(Debug, Clone)]
pub struct LoadShedLayer(Arc<Room>);

impl LoadShedLayer {
    /// At most `limit` requests at once, over all services inside this layer.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self(Arc::new(Room::new(limit)))
    }
}

impl<S> Layer<S> for LoadShedLayer {
    type Service = LoadShed<S>;

    fn layer(&self, inner: S) -> LoadShed<S> {
        LoadShed { inner, room: Arc::clone(&self.0) }
    }
}

/// A service that refuses requests above the limit.
#[derive(Debug, Clone)]
pub struct LoadShed<S> {
    inner: S,
    room: Arc<Room>,
}

impl<S, B, R> Service<Request<B>> for LoadShed<S>
where
    S: Service<Request<B>, Response = Response<R>>,
    S::Future: Send + 'static,
    S::Error: Send,
    B: Enclose,
    B::Error: Into<BoxError>,
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
        if request.uri().path().starts_with(EXEMPT) {
            return Box::pin(self.inner.call(request));
        }
        let Some(mut place) = self.room.enter() else {
            let response = refuse(&Caller::of(&request), "too many calls at once; try again in 1 s");
            return Box::pin(async move { Ok(response) });
        };
        if request.body().is_end_stream() {
            let work = self.inner.call(request);
            return Box::pin(async move { run_in_place(place.seat(), work).await });
        }
        let caller = Caller::of(&request);
        let (request, given_up) = place.watch(request);
        let work = self.inner.call(request);
        Box::pin(async move {
            tokio::select! {
                biased;
                answer = run_in_place(place.seat(), work) => answer,
                () = given_up.cancelled() => {
                    Ok(refuse(&caller, "the request's body arrived slowly, and others needed its place; try again"))
                }
            }
        })
    }
}

/// The protocol and the trace of a request, for its refusal.
struct Caller {
    speech: Speech,
    trace_id: String,
}

impl Caller {
    fn of<B>(request: &Request<B>) -> Self {
        let trace_id = trace_context::named_by(request.headers()).unwrap_or_default().to_owned();
        Self { speech: Speech::of(request.headers()), trace_id }
    }
}

fn refuse<R: Enclose>(caller: &Caller, why: &str) -> Response<R> {
    metrics::counter!("pavise_shed_total").increment(1);
    let error = Error::new(Common::Overloaded, why).retry_after(COME_BACK);
    caller.speech.clone().refuse(error, &caller.trace_id)
}
