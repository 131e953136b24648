//! What the workers of this process left undone, as metrics.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::kernel::Kernel;

/// How often it is counted.
const PERIOD: Duration = Duration::from_secs(15);

/// Counts what these workers set aside, until `stop`. Every process with the same database counts the same.
pub(crate) async fn watch(kernel: Kernel, workers: Vec<&'static str>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match kernel.store().count_aside().await {
            Err(error) => tracing::debug!(cause = %error, "what workers set aside was not counted"),
            Ok(counts) => {
                for worker in &workers {
                    for (parked, state) in [(true, "parked"), (false, "tried again")] {
                        let count = counts.iter().find(|count| count.worker == *worker && count.parked == parked);
                        let count = count.map_or(0.0, |count| count.count as f64);
                        metrics::gauge!("pavise_worker_entries", "worker" => *worker, "state" => state).set(count);
                    }
                }
                let seconds = kernel.clock().now() / 1_000_000;
                metrics::gauge!("pavise_worker_entries_seconds").set(seconds as f64);
            }
        }
        let _ = stop.run_until_cancelled(tokio::time::sleep(PERIOD)).await;
    }
}
