//! What a domain crate hands to the server.

use std::sync::Arc;

use tonic::service::Routes;

use crate::worker::Worker;

/// A domain, ready to serve.
#[derive(Debug)]
pub struct Domain {
    /// Its name, as in the proto package.
    pub name: &'static str,
    /// Its gRPC services.
    pub routes: Routes,
    /// Its workers.
    pub workers: Vec<Arc<dyn Worker>>,
}
