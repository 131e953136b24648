//! The state of the service.

use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::Kernel;

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
    pub(crate) fn new(kernel: &Kernel, config: &Config, keys: Arc<KeyRing>) -> Self {
        let throttle = Throttle::new(kernel, "applications", config.free_tries);
        Self { issuer: Issuer(keys), throttle, lifetime: config.access_lifetime }
    }
}
