//! The admin port: is it alive, is it ready, what does it measure, and what was not sent by mail.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use pavise_kernel::Kernel;

use crate::courier::Outbox;

/// The routes of the admin port.
pub fn router(kernel: Kernel, metrics: PrometheusHandle, outbox: Option<&Outbox>) -> Router {
    let ready = get(|State(kernel): State<Kernel>| async move {
        match tokio::time::timeout(Duration::from_secs(2), kernel.store().ping()).await {
            Ok(Ok(())) => (StatusCode::OK, "ready\n"),
            Ok(Err(_)) | Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"),
        }
    });
    let mut router = Router::new();
    if let Some(outbox) = outbox.cloned() {
        router = router.route("/outbox", get(move || async move { Json(outbox.json()) }));
    }
    router
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", ready)
        .route("/metrics", get(move || async move { metrics.render() }))
        .with_state(kernel)
}
