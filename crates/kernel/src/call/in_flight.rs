//! The place of a request among those in flight, which it gives up while it waits for others.
//!
//! The server bounds the requests in flight. A read that waits for a journal costs nothing meanwhile, so it should keep
//! nobody out.

use std::sync::Arc;

use crate::error::{Common, Error, Result};

/// The place of a request.
pub trait InFlightPlace: Send + Sync {
    /// Gives the place to others.
    fn leave(&self);

    /// Takes a place again; whether there was one.
    fn take(&self) -> bool;
}

tokio::task_local! {
    static SEAT: Arc<dyn InFlightPlace>;
}

/// Runs a request that has this place.
pub async fn run_in_place<F: Future>(seat: Arc<dyn InFlightPlace>, request: F) -> F::Output {
    SEAT.scope(seat, request).await
}

/// Runs a wait without the request's place.
///
/// # Errors
/// `OVERLOADED` when there is no place after it.
pub async fn wait_outside<F: Future>(wait: F) -> Result<F::Output> {
    let Ok(seat) = SEAT.try_with(Arc::clone) else { return Ok(wait.await) };
    seat.leave();
    let done = wait.await;
    if seat.take() {
        return Ok(done);
    }
    let message = "too many calls at once; try again in 1 s";
    Err(Error::new(Common::Overloaded, message).retry_after(std::time::Duration::from_secs(1)))
}
