//! The parts that a domain crate gives to the server.

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
    /// Handlers that move an owner's things, where no call of the contract moves them.
    pub hand_overs: Vec<Arc<dyn HandOver>>,
}
