//! The helpers of the service.

/// The id of the one worker.
pub(crate) const WORKER: &str = "worker";
