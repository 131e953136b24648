//! All layers around a server, in their order.

use std::time::Duration;

use pavise_kernel::time::Ids;
use tower::ServiceBuilder;

use crate::deadline::{Deadline, DeadlineLayer};
use crate::shed::{LoadShed, LoadShedLayer};
use crate::trace::{Spans, Trace, TraceLayer};

/// The deadline of a call whose caller sets none. It is longer than the longest wait for a journal, and than the
/// kernel's own limit, whose refusal says more.
const PATIENCE: Duration = Duration::from_secs(75);

/// A service with all layers around it.
pub type Guarded<S> = Trace<LoadShed<Deadline<S>>>;

/// Puts tracing, load shedding at `max_in_flight` requests and deadlines around all that `app` serves. `spans` makes
/// the span of a request.
pub fn guard<S>(app: S, max_in_flight: usize, spans: Spans) -> Guarded<S> {
    // The first layer is the outermost: refused requests are traced too, and need no deadline.
    ServiceBuilder::new()
        .layer(TraceLayer::new(Ids::random()).with(spans))
        .layer(LoadShedLayer::new(max_in_flight))
        .layer(DeadlineLayer::new(PATIENCE))
        .service(app)
}
