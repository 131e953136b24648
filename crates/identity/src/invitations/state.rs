//! The state of the service.

use pavise_kernel::Kernel;

use crate::config::Config;
use crate::notices::Notices;
use crate::throttle::Throttle;

/// The tools of the service's calls.
#[derive(Debug)]
pub(crate) struct Invitations {
    pub(super) notices: Notices,
    pub(super) throttle: Throttle,
    pub(super) config: Config,
}

impl Invitations {
    pub(crate) fn new(kernel: &Kernel, config: &Config) -> Self {
        Self {
            notices: Notices::new(kernel, config),
            throttle: Throttle::new(kernel, "invitations", config.free_tries),
            config: config.clone(),
        }
    }
}
