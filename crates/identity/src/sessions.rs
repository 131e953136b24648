//! Sessions: what a sign-in opens, what a refresh token prolongs, and what ends it.

pub(crate) mod cookie;
mod open;
mod refresh_token;
mod revoke;

use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::Kernel;
use pavise_kernel::time::{Ids, Micros};

pub(crate) use open::SignIn;
pub(crate) use revoke::revoke_all;

use crate::config::Config;
use crate::contract::v1::IdentityRealm;
use crate::issue::Issuer;
use crate::keys::KeyRing;

/// Opens and prolongs sessions.
#[derive(Debug, Clone)]
pub(crate) struct Sessions {
    issuer: Issuer,
    config: Config,
    ids: Ids,
}

impl Sessions {
    pub(crate) fn new(kernel: &Kernel, config: &Config, keys: Arc<KeyRing>) -> Self {
        Self { issuer: Issuer(keys), config: config.clone(), ids: kernel.ids().clone() }
    }

    /// How long a session of the realm lasts at the most, and how long if it is not used.
    fn terms(&self, realm: IdentityRealm) -> (Duration, Duration) {
        match realm {
            IdentityRealm::User | IdentityRealm::GroupAdmin => (self.config.session_lifetime, self.config.session_idle),
            _ => (self.config.staff_session_lifetime, self.config.staff_session_idle),
        }
    }
}

/// A time span as the clock counts.
fn span(duration: Duration) -> Micros {
    Micros::try_from(duration.as_micros()).unwrap_or(Micros::MAX)
}
