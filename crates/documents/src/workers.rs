//! The workers of documents.

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    Vec::new()
}
