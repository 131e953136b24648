//! The state of the service.

use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::Kernel;
use pavise_kernel::time::{Ids, Micros};

use super::address::Addresses;
use crate::config::Config;
use crate::contract::v1::IdentityRealm;
use crate::shared::issue::Issuer;
use crate::shared::keys::KeyRing;

/// The tools of the service's calls.
#[derive(Debug, Clone)]
pub(crate) struct Sessions {
    pub(crate) issuer: Issuer,
    pub(crate) config: Config,
    pub(crate) addresses: Addresses,
    pub(crate) ids: Ids,
}

impl Sessions {
    pub(crate) fn new(kernel: &Kernel, config: &Config, keys: Arc<KeyRing>) -> Self {
        let addresses = Addresses::new(&config.public_url, &config.applications);
        Self { issuer: Issuer(keys), config: config.clone(), addresses, ids: kernel.ids().clone() }
    }

    /// The longest life of a session of the realm, and its life without use.
    pub(crate) fn session_lifetimes(&self, realm: IdentityRealm) -> (Duration, Duration) {
        match realm {
            IdentityRealm::User | IdentityRealm::GroupAdmin => (self.config.session_lifetime, self.config.session_idle),
            _ => (self.config.staff_session_lifetime, self.config.staff_session_idle),
        }
    }
}

/// A time span as the clock counts.
pub(crate) fn duration_to_micros(duration: Duration) -> Micros {
    Micros::try_from(duration.as_micros()).unwrap_or(Micros::MAX)
}
