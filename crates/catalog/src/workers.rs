//! The workers of the catalog.

mod expire_names;

use std::sync::Arc;

use pavise_kernel::worker::Worker;

/// The workers of this domain.
pub(crate) fn list_workers() -> Vec<Arc<dyn Worker>> {
    vec![Arc::new(expire_names::ExpireNames)]
}
