//! Places of requests in flight. A request whose body arrives slowly gives its place to another request when there is
//! no room.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body::{Body, Frame, SizeHint};
use metrics::Gauge;
use pavise_kernel::in_flight::InFlightPlace;
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tower::BoxError;

use crate::body::Enclose;

/// The time that every body has for its arrival. After it, the place is given up when another request needs it.
const GRACE: Duration = Duration::from_secs(2);

/// The time of a request's arrival, and a number, because several may arrive at once.
type Key = (Instant, u64);

/// The room for requests in flight.
#[derive(Debug)]
pub(crate) struct Room {
    free: Semaphore,
    in_flight: Gauge,
    count: AtomicU64,
    /// The requests that wait for more of their bodies, the longest in flight first.
    arriving: Mutex<BTreeMap<Key, CancellationToken>>,
}

impl Room {
    pub(crate) fn new(limit: usize) -> Self {
        let in_flight = metrics::gauge!("pavise_requests_in_flight");
        in_flight.set(0.0);
        let free = Semaphore::new(limit.min(Semaphore::MAX_PERMITS));
        Self { free, in_flight, count: AtomicU64::default(), arriving: Mutex::default() }
    }

    /// Admits a request, if there is room, or if a slow body gives its place up.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Place> {
        self.take()?;
        let held = Arc::new(Held { room: Arc::clone(self), is_held: AtomicBool::new(true) });
        Some(Place { held, arrival: None })
    }

    /// Takes a place, if there is one.
    fn take(&self) -> Option<()> {
        match self.free.try_acquire() {
            Ok(permit) => {
                permit.forget();
                self.in_flight.increment(1.0);
                Some(())
            }
            Err(_) => self.take_from_slowest(),
        }
    }

    /// Takes the place of the request that has waited for its body for longest; `None` when none is slow.
    fn take_from_slowest(&self) -> Option<()> {
        let mut arriving = self.arriving();
        let slowest = arriving.first_entry().filter(|slowest| slowest.key().0.elapsed() >= GRACE)?;
        slowest.remove().cancel();
        Some(())
    }

    fn arriving(&self) -> MutexGuard<'_, BTreeMap<Key, CancellationToken>> {
        self.arriving.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a request, which counts as in flight.
pub(crate) struct Place {
    held: Arc<Held>,
    arrival: Option<Arc<Arrival>>,
}

/// A place, as long as its request holds it.
#[derive(Debug)]
struct Held {
    room: Arc<Room>,
    is_held: AtomicBool,
}

impl InFlightPlace for Held {
    fn leave(&self) {
        if self.is_held.swap(false, Ordering::Relaxed) {
            self.room.free.add_permits(1);
            self.room.in_flight.decrement(1.0);
        }
    }

    fn take(&self) -> bool {
        let is_taken = self.room.take().is_some();
        if is_taken {
            self.is_held.store(true, Ordering::Relaxed);
        }
        is_taken
    }
}

impl Place {
    /// The place, for a request that gives it up while it waits.
    pub(crate) fn seat(&self) -> Arc<dyn InFlightPlace> {
        Arc::clone(&self.held) as Arc<dyn InFlightPlace>
    }

    /// Watches the arrival of the request's body. The answer is cancelled when the place goes to another request.
    pub(crate) fn watch<B>(&mut self, request: Request<B>) -> (Request<B>, CancellationToken)
    where
        B: Enclose,
        B::Error: Into<BoxError>,
    {
        let key = (Instant::now(), self.held.room.count.fetch_add(1, Ordering::Relaxed));
        let (room, given_up) = (Arc::clone(&self.held.room), CancellationToken::new());
        let arrival = Arc::new(Arrival { room, key, given_up: given_up.clone(), is_over: AtomicBool::new(false) });
        self.arrival = Some(Arc::clone(&arrival));
        (request.map(|body| B::enclose(Arriving { body, arrival, waits: false })), given_up)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(arrival) = &self.arrival {
            arrival.end();
            // The place belongs to another request already.
            if arrival.given_up.is_cancelled() {
                return;
            }
        }
        self.held.leave();
    }
}

/// The arrival of a body.
struct Arrival {
    room: Arc<Room>,
    key: Key,
    given_up: CancellationToken,
    /// Whether the request has its answer. Changed only while `arriving` is locked.
    is_over: AtomicBool,
}

impl Arrival {
    /// The body makes its reader wait.
    fn wait(&self) {
        let mut arriving = self.room.arriving();
        if !self.is_over.load(Ordering::Relaxed) {
            arriving.insert(self.key, self.given_up.clone());
        }
    }

    /// The body has arrived, or nobody reads it any more.
    fn arrived(&self) {
        self.room.arriving().remove(&self.key);
    }

    /// The request has its answer: its place cannot be taken any more.
    fn end(&self) {
        let mut arriving = self.room.arriving();
        arriving.remove(&self.key);
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// A body that is watched. A body that is there when it is read costs no lock.
struct Arriving<B> {
    body: B,
    arrival: Arc<Arrival>,
    waits: bool,
}

impl<B> Arriving<B> {
    fn arrived(&mut self) {
        if std::mem::take(&mut self.waits) {
            self.arrival.arrived();
        }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Arriving<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Pending if !self.waits => {
                self.waits = true;
                self.arrival.wait();
            }
            // A body that arrives byte by byte is slow, too: it waits until its end.
            Poll::Pending => {}
            Poll::Ready(Some(Ok(_))) if !self.body.is_end_stream() => {}
            Poll::Ready(_) => self.arrived(),
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for Arriving<B> {
    fn drop(&mut self) {
        self.arrived();
    }
}
