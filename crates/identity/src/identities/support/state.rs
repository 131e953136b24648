//! The state of the service.

use std::sync::Arc;

use pavise_kernel::Kernel;

use super::decoy::Decoy;
use crate::config::Config;
use crate::factors::Factors;
use crate::sessions::Sessions;
use crate::shared::addresses::Mail;
use crate::shared::issue::Issuer;
use crate::shared::keys::KeyRing;
use crate::shared::notices::Notices;
use crate::shared::password::Passwords;
use crate::shared::resets::Resets;
use crate::shared::throttle::Throttle;

/// The tools of the service's calls.
#[derive(Debug)]
pub(crate) struct Identities {
    pub(crate) passwords: Passwords,
    pub(crate) throttle: Throttle,
    /// Limits calls without a token that ask for a name or for a new password.
    pub(crate) questions: Throttle,
    /// Limits calls that begin a sign-in with a passkey: each stores a challenge.
    pub(crate) ceremonies: Throttle,
    /// The decoy of the credential that is read for an unknown name.
    pub(crate) credentials: Decoy,
    /// The decoy of the reset that is read for an unknown name.
    pub(crate) asked: Decoy,
    pub(crate) notices: Notices,
    pub(crate) resets: Resets,
    pub(crate) sessions: Sessions,
    pub(crate) issuer: Issuer,
    pub(crate) config: Config,
    pub(crate) factors: Factors,
}

impl Identities {
    /// The tools for letters with codes, and for their limits.
    pub(crate) fn mail(&self) -> Mail<'_> {
        Mail { notices: &self.notices, resets: &self.resets, rate_limit: &self.questions }
    }

    pub(crate) fn new(kernel: &Kernel, config: &Config, keys: Arc<KeyRing>) -> Self {
        let passwords = Passwords::new(config, kernel.ids());
        Self {
            factors: Factors::new(kernel, config, passwords.clone()),
            passwords,
            throttle: Throttle::new(kernel, "sign-in", config.free_tries),
            questions: Throttle::new(kernel, "names", config.free_tries),
            ceremonies: Throttle::new(kernel, "passkeys", config.free_tries),
            credentials: Decoy::default(),
            asked: Decoy::default(),
            notices: Notices::new(kernel, config),
            resets: Resets::new(kernel, config),
            sessions: Sessions::new(kernel, config, keys.clone()),
            issuer: Issuer(keys),
            config: config.clone(),
        }
    }
}
