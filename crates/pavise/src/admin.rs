//! The admin port: liveness, readiness, metrics, and the messages that were not sent by mail.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use pavise_kernel::Kernel;
use pavise_kernel::store::Stored;

use crate::courier::Outbox;

/// How long the readiness check waits for the database.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the server's port is open. It opens when the demonstration's data are loaded.
#[derive(Debug, Clone, Default)]
pub struct Opened(Arc<AtomicBool>);

impl Opened {
    /// Marks the port as open.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The routes of the admin port.
pub fn router(kernel: Kernel, opened: Opened, metrics: PrometheusHandle, outbox: Option<&Outbox>) -> Router {
    let ready = get(|State(kernel): State<Kernel>| async move {
        if !opened.get() {
            return (StatusCode::SERVICE_UNAVAILABLE, "the demonstration's data are not loaded yet\n");
        }
        match answers(kernel.store().ping()).await {
            false => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"),
            true if answers(kernel.store().check_writable()).await => (StatusCode::OK, "ready\n"),
            true => (StatusCode::SERVICE_UNAVAILABLE, "the database takes no writes\n"),
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

/// Whether the database does this in time.
async fn answers(work: impl Future<Output = Stored<()>>) -> bool {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "not ready");
            false
        }
        Err(_) => false,
    }
}
