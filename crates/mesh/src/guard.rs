//! All layers that stand around a server, in their order.

use std::time::Duration;

use pavise_kernel::time::Ids;
use tower::ServiceBuilder;

use crate::deadline::{Deadline, DeadlineLayer};
use crate::shed::{LoadShed, LoadShedLayer};
use crate::trace::{Spans, Trace, TraceLayer};

/// How long a call may take when its caller does not say: longer than a journal can be waited for, and than the kernel's
/// own limit, whose refusal says more.
const PATIENCE: Duration = Duration::from_secs(75);

/// A service with all layers around it.
pub type Guarded<S> = Trace<LoadShed<Deadline<S>>>;

/// Puts tracing, load shedding at `max_in_flight` requests and deadlines around everything that `app` serves. `spans`
/// says what the span of a request is like.
pub fn guard<S>(app: S, max_in_flight: usize, spans: Spans) -> Guarded<S> {
    // The first is the outermost: what is turned away is traced too, and needs no deadline.
    ServiceBuilder::new()
        .layer(TraceLayer::new(Ids::random()).with(spans))
        .layer(LoadShedLayer::new(max_in_flight))
        .layer(DeadlineLayer::new(PATIENCE))
        .service(app)
}
