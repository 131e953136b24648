//! What a domain crate hands to the server.

use std::sync::Arc;

use crate::holdings::HandOver;
use crate::services::Services;
use crate::worker::Worker;

/// A domain, ready to serve.
#[derive(Debug)]
pub struct Domain {
    /// Its name, as in the proto package.
    pub name: &'static str,
    /// Its services.
    pub services: Services,
    /// Its workers.
    pub workers: Vec<Arc<dyn Worker>>,
    /// How it hands over what no call of its contract moves.
    pub hand_overs: Vec<Arc<dyn HandOver>>,
}
