//! All layers that stand around a server, in their order.

use std::time::Duration;

use axum::Router;
use pavise_kernel::time::Ids;
use tower::ServiceBuilder;

use crate::deadline::DeadlineLayer;
use crate::shed::LoadShedLayer;
use crate::trace::{Spans, TraceLayer};

/// How long a call may take when its caller does not say: longer than a journal can be waited for, and than the kernel's
/// own limit, whose refusal says more.
const PATIENCE: Duration = Duration::from_secs(75);

/// Puts tracing, load shedding at `max_in_flight` requests and deadlines around everything that `app` serves. `spans`
/// are told of each request's span.
pub fn guard(app: Router, max_in_flight: usize, spans: Spans) -> Router {
    // The first is the outermost: what is turned away is traced too, and needs no deadline.
    app.layer(
        ServiceBuilder::new()
            .layer(TraceLayer::new(Ids::random()).telling(spans))
            .layer(LoadShedLayer::new(max_in_flight))
            .layer(DeadlineLayer::new(PATIENCE)),
    )
}
