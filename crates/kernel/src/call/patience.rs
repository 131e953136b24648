//! The time that a server gives a call whose caller names no deadline. A call that takes a file extends it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

tokio::task_local! {
    static PATIENCE: Patience;
}

/// The end of a call's time. Clones are one.
#[derive(Debug, Clone)]
pub struct Patience(Arc<Mutex<Instant>>);

impl Patience {
    /// It ends at that time.
    #[must_use]
    pub fn new(end: Instant) -> Self {
        Self(Arc::new(Mutex::new(end)))
    }

    /// The end as it is now.
    #[must_use]
    pub fn ends_at(&self) -> Instant {
        *self.lock()
    }

    /// Runs a call that may extend it.
    pub async fn run_within<F: Future>(&self, call: F) -> F::Output {
        PATIENCE.scope(self.clone(), call).await
    }

    fn lock(&self) -> MutexGuard<'_, Instant> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives the call around at least that much time from now on. A deadline that the caller named stays.
pub fn extend_time(time: Duration) {
    let _ = PATIENCE.try_with(|patience| {
        let mut end = patience.lock();
        *end = (*end).max(Instant::now() + time);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_call_gets_more_time_and_never_less() {
        let patience = Patience::new(Instant::now() + Duration::from_secs(75));
        let first = patience.ends_at();
        patience.run_within(async { extend_time(Duration::from_secs(10)) }).await;
        assert_eq!(patience.ends_at(), first);
        patience.run_within(async { extend_time(Duration::from_secs(100)) }).await;
        assert_eq!(patience.ends_at(), first + Duration::from_secs(25));
        extend_time(Duration::from_secs(100));
    }
}
