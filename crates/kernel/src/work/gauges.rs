//! Metrics of the entries that this process's workers did not finish.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::kernel::Kernel;

/// Time between two counts.
const PERIOD: Duration = Duration::from_secs(15);

/// Counts the workers' failed and parked entries, until `stop`. Processes with the same database count the same.
pub(crate) async fn watch(kernel: Kernel, workers: Vec<&'static str>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match kernel.store().count_failed().await {
            Err(error) => tracing::debug!(cause = %error, "what workers set aside was not counted"),
            Ok(counts) => {
                for worker in &workers {
                    for (parked, state) in [(true, "parked"), (false, "tried again")] {
                        let count = counts.iter().find(|count| count.worker == *worker && count.parked == parked);
                        let count = count.map_or(0.0, |count| count.count as f64);
                        metrics::gauge!("pavise_worker_entries", "worker" => *worker, "state" => state).set(count);
                    }
                }
                let seconds = kernel.machine_clock().now() / 1_000_000;
                metrics::gauge!("pavise_worker_entries_seconds").set(seconds as f64);
            }
        }
        let _ = stop.run_until_cancelled(tokio::time::sleep(PERIOD)).await;
    }
}
