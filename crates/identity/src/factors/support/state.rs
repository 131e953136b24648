//! The state of the service.

use std::sync::Arc;

use pavise_kernel::Kernel;

use super::sent::CodeKey;
use super::site::Site;
use crate::config::Config;
use crate::contract::v1::IdentityRealm;
use crate::shared::keys::Seal;
use crate::shared::notices::Notices;
use crate::shared::password::Passwords;
use crate::shared::throttle::Throttle;

/// The tools of the service's calls; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Factors {
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Arc<Throttle>,
    pub(crate) notices: Notices,
    pub(crate) seal: Seal,
    pub(crate) code_key: CodeKey,
    /// The realms whose sign-ins need a second factor.
    pub(crate) required_in: Vec<IdentityRealm>,
    /// The site that passkeys are made for.
    pub(crate) site: Site,
}

impl Factors {
    pub(crate) fn new(kernel: &Kernel, config: &Config, passwords: Passwords) -> Self {
        Self {
            passwords,
            throttle: Arc::new(Throttle::new(kernel, "factors", config.free_tries)),
            notices: Notices::new(kernel, config),
            seal: Seal::of(config),
            code_key: CodeKey::of(config),
            required_in: config.second_factor_realms.clone(),
            site: Site::new(config),
        }
    }
}
