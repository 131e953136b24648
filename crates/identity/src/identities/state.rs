//! The state of the service.

use std::sync::Arc;

use pavise_kernel::Kernel;

use crate::addresses::Mail;
use crate::config::Config;
use crate::decoy::Decoy;
use crate::factors::Factors;
use crate::issue::Issuer;
use crate::keys::KeyRing;
use crate::notices::Notices;
use crate::password::Passwords;
use crate::resets::Resets;
use crate::sessions::Sessions;
use crate::throttle::Throttle;

/// The tools of the service's calls.
#[derive(Debug)]
pub(crate) struct Identities {
    pub(super) passwords: Passwords,
    pub(super) throttle: Throttle,
    /// Limits calls without a token that ask for a name or for a new password.
    pub(super) questions: Throttle,
    /// Limits calls that begin a sign-in with a passkey: each stores a challenge.
    pub(super) ceremonies: Throttle,
    /// The decoy of the credential that is read for an unknown name.
    pub(super) credentials: Decoy,
    /// The decoy of the reset that is read for an unknown name.
    pub(super) asked: Decoy,
    pub(super) notices: Notices,
    pub(super) resets: Resets,
    pub(super) sessions: Sessions,
    pub(super) issuer: Issuer,
    pub(super) config: Config,
    pub(crate) factors: Factors,
}

impl Identities {
    /// The tools for letters with codes, and for their limits.
    pub(super) fn mail(&self) -> Mail<'_> {
        Mail { notices: &self.notices, resets: &self.resets, pace: &self.questions }
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
