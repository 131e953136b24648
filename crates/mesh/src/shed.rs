//! Load shedding: past a number of requests in flight, more are refused at once instead of queued.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use metrics::Gauge;
use pavise_kernel::{Common, Error, trace_context};
use tokio::sync::Semaphore;
use tower::{BoxError, Layer, Service};

use crate::body::Enclose;
use crate::refusal::Speech;

/// The back-off that a refused caller is told.
const COME_BACK: Duration = Duration::from_secs(1);
/// Health calls are always admitted: a load balancer without an answer assumes the worst.
const EXEMPT: &str = "/grpc.health.v1.Health/";

/// Bounds the requests in flight. A request counts until the head of its answer is there, so that a stream which stays
/// open for hours does not count.
#[derive(Debug, Clone)]
pub struct LoadShedLayer(Arc<Room>);

/// The room that is left for requests in flight.
#[derive(Debug)]
struct Room {
    free: Semaphore,
    in_flight: Gauge,
}

impl LoadShedLayer {
    /// At most `limit` requests at once, over all services inside this layer.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let in_flight = metrics::gauge!("pavise_requests_in_flight");
        in_flight.set(0.0);
        Self(Arc::new(Room { free: Semaphore::new(limit.min(Semaphore::MAX_PERMITS)), in_flight }))
    }
}

impl<S> Layer<S> for LoadShedLayer {
    type Service = LoadShed<S>;

    fn layer(&self, inner: S) -> LoadShed<S> {
        LoadShed { inner, room: Arc::clone(&self.0) }
    }
}

impl Room {
    /// Admits a request, if there is room.
    fn enter(self: &Arc<Self>) -> Option<InFlight> {
        self.free.try_acquire().ok()?.forget();
        self.in_flight.increment(1.0);
        Some(InFlight(Arc::clone(self)))
    }
}

/// A request that counts as in flight.
struct InFlight(Arc<Room>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.free.add_permits(1);
        self.0.in_flight.decrement(1.0);
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
        match self.room.enter() {
            Some(counted) => {
                let work = self.inner.call(request);
                Box::pin(async move {
                    let _counted = counted;
                    work.await
                })
            }
            None => {
                metrics::counter!("pavise_shed_total").increment(1);
                let error =
                    Error::new(Common::Overloaded, "too many calls at once; try again in 1 s").retry_after(COME_BACK);
                let trace_id = trace_context::named_by(request.headers()).unwrap_or_default();
                let response = Speech::of(request.headers()).refuse(error, trace_id);
                Box::pin(async move { Ok(response) })
            }
        }
    }
}
