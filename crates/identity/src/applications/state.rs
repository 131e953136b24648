//! The state of the service.

use std::sync::Arc;
use std::time::Duration;

use crate::config::Config;
use crate::issue::Issuer;
use crate::keys::KeyRing;
use crate::throttle::Throttle;

/// The tools of the service's calls.
#[derive(Debug)]
pub(crate) struct Applications {
    pub(super) issuer: Issuer,
    pub(super) throttle: Throttle,
    pub(super) lifetime: Duration,
}

impl Applications {
    pub(crate) fn new(config: &Config, keys: Arc<KeyRing>) -> Self {
        Self { issuer: Issuer(keys), throttle: Throttle::new(config.free_tries), lifetime: config.access_lifetime }
    }
}
