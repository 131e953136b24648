//! The state of the service.

use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::Kernel;

use crate::config::Config;
use crate::shared::issue::Issuer;
use crate::shared::keys::KeyRing;
use crate::shared::throttle::Throttle;

/// The tools of the service's calls.
#[derive(Debug)]
pub(crate) struct Applications {
    pub(crate) issuer: Issuer,
    pub(crate) throttle: Throttle,
    pub(crate) lifetime: Duration,
}

impl Applications {
    pub(crate) fn new(kernel: &Kernel, config: &Config, keys: Arc<KeyRing>) -> Self {
        let throttle = Throttle::new(kernel, "applications", config.free_tries);
        Self { issuer: Issuer(keys), throttle, lifetime: config.access_lifetime }
    }
}
