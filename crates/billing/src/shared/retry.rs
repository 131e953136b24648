//! Repeats of a write that lost against another one.

use std::future::Future;
use std::time::Duration;

use pavise_kernel::{Call, Common, Result};

/// How many attempts are made.
const ATTEMPTS: u32 = 10;

/// Repeats `attempt` while it fails with `CONTENTION`. Each attempt must load its entities again. A random wait between
/// two attempts keeps callers that collided from colliding again.
///
/// # Errors
/// The error of the last attempt.
pub(crate) async fn retry_contention<T, F>(call: &Call, mut attempt: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>>,
{
    for round in 1..ATTEMPTS {
        match attempt().await {
            Err(error) if error.is(Common::Contention) => {
                let micros = call.kernel().ids().bits() % (500 << round);
                tokio::time::sleep(Duration::from_micros(micros)).await;
            }
            other => return other,
        }
    }
    attempt().await
}
