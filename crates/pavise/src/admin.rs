//! The admin port: liveness, readiness, metrics, and the messages that were not sent by mail.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::{ConnectInfo, State};
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::get;
use axum::{Json, Router};
use metrics_exporter_prometheus::PrometheusHandle;
use pavise_kernel::Kernel;
use pavise_kernel::store::StoreResult;

use crate::channels::Outbox;

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
        let show = move |ConnectInfo(peer): ConnectInfo<SocketAddr>, headers: HeaderMap| async move {
            match is_of_this_machine(peer, &headers) {
                true => Json(outbox.json()).into_response(),
                false => {
                    (StatusCode::FORBIDDEN, "the messages are shown on the server's own machine only\n").into_response()
                }
            }
        };
        router = router.route("/outbox", get(show));
    }
    router
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", ready)
        .route("/metrics", get(move || async move { metrics.render() }))
        .with_state(kernel)
}

/// Whether a request comes from this machine and names it. A page of another site can make a browser on this machine ask,
/// but then the request names that site (DNS rebinding).
fn is_of_this_machine(peer: SocketAddr, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let host = host.parse::<Authority>().ok();
    let name = host.as_ref().map(|host| host.host().trim_matches(['[', ']'])).unwrap_or_default();
    let names_it = name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    peer.ip().to_canonical().is_loopback() && names_it && !headers.contains_key("x-forwarded-for")
}

/// Whether the database does this in time.
async fn answers(work: impl Future<Output = StoreResult<()>>) -> bool {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(Ok(())) => true,
        Ok(Err(error)) => {
            tracing::warn!(cause = %error, "not ready");
            false
        }
        Err(_) => false,
    }
}
