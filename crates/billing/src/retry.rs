//! Doing again what somebody else was faster at.

use std::future::Future;
use std::time::Duration;

use pavise_kernel::{Call, Common, Result};

/// How often something is done again.
const ATTEMPTS: u32 = 10;

/// Runs `attempt` until it does not fail because another call changed the same entities first. Each attempt loads anew;
/// between two there is a moment of chance, so that many who meet do not meet again.
///
/// # Errors
/// What the last attempt says.
pub(crate) async fn contended<T, F>(call: &Call, mut attempt: impl FnMut() -> F) -> Result<T>
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
