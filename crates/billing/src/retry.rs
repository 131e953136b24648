//! Doing again what somebody else was faster at.

use std::future::Future;

use pavise_kernel::{Common, Result};

/// How often something is done again.
const ATTEMPTS: u32 = 8;

/// Runs `attempt` until it does not fail because another call changed the same entities first. Each attempt loads anew.
///
/// # Errors
/// What the last attempt says.
pub(crate) async fn contended<T, F>(mut attempt: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    for _ in 1..ATTEMPTS {
        match attempt().await {
            Err(error) if error.is(Common::Contention) => tokio::task::yield_now().await,
            other => return other,
        }
    }
    attempt().await
}
