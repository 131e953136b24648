//! The state of the service.

use pavise_kernel::Kernel;

use crate::config::Config;
use crate::shared::notices::Notices;
use crate::shared::throttle::Throttle;

/// The tools of the service's calls.
#[derive(Debug)]
pub(crate) struct Invitations {
    pub(crate) notices: Notices,
    pub(crate) throttle: Throttle,
    pub(crate) config: Config,
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
