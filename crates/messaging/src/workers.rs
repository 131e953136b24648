//! The workers of the domain.

mod escalate_alerts;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![Arc::new(escalate_alerts::EscalateAlerts)]
}
