//! The settings of the domain.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::contract::v1::IdentityRealm;
use crate::sessions::SignInApplication;
use crate::shared::password::LeakedPasswords;

/// The cost of hashing a password: the parameters of argon2id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashCost {
    /// Memory in KiB; at least 8 per lane.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub passes: u32,
    /// Lanes.
    pub lanes: u32,
}

impl Default for HashCost {
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, passes: 2, lanes: 1 }
    }
}

/// How many wrong attempts are free. Each further one makes the next wait longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeTries {
    /// At the same account.
    pub account: u32,
    /// From the same network address, which many people may share.
    pub address: u32,
}

impl Default for FreeTries {
    fn default() -> Self {
        Self { account: 5, address: 50 }
    }
}

/// The settings of identities and tokens.
#[derive(Clone)]
pub struct Config {
    /// The cost of hashing a password. Hashes with other parameters are renewed at the next sign-in.
    pub hash_cost: HashCost,
    /// How many passwords are hashed at once; a call beyond it is refused at once, to be tried again.
    pub hashes_at_once: usize,
    /// The realms whose sign-ins need a second factor. Who has none gets a session in which they can set one up.
    pub second_factor_realms: Vec<IdentityRealm>,
    /// The passwords that are known from leaks; none of them can be chosen.
    pub leaked_passwords: Option<Arc<LeakedPasswords>>,
    /// How many wrong tries are free.
    pub free_tries: FreeTries,
    /// How long a sign-in's access token is good.
    pub access_lifetime: Duration,
    /// The longest life of a session of members and group administrators. `session_idle` is its life without use.
    pub session_lifetime: Duration,
    /// See `session_lifetime`. Longer than `access_lifetime`.
    pub session_idle: Duration,
    /// The same for every other realm.
    pub staff_session_lifetime: Duration,
    /// See `staff_session_lifetime`. Longer than `access_lifetime`.
    pub staff_session_idle: Duration,
    /// Whether browsers send the session's cookies over TLS only. Without it they travel readably.
    pub secure_cookies: bool,
    /// How long an impersonation's token is good.
    pub impersonation_lifetime: Duration,
    /// Seals the private halves of the signing keys in the database; at least 32 random characters, the same in all
    /// processes that run this domain.
    pub key_encryption_secret: String,
    /// A second secret, which opens what was sealed with it while the first one is being changed.
    pub key_encryption_secret_also: Option<String>,
    /// How long a signing key signs before a new one takes its place.
    pub key_rotation: Duration,
    /// How long a replaced key still verifies; longer than any token is good.
    pub key_overlap: Duration,
    /// How long an invitation can be accepted after it was last sent.
    pub invitation_lifetime: Duration,
    /// How long after a merge of identities it can be undone.
    pub unmerge_retention: Duration,
    /// Where the pages are that messages lead to: `https://pavise.example`.
    pub public_url: String,
    /// The applications that people are sent to sign in from, and back to: a sign-in leads back to no others.
    pub applications: Vec<SignInApplication>,
    /// The domain that passkeys belong to: that of `public_url` or one above it; empty for the former. With another
    /// domain the passkeys that there are sign in no more.
    pub passkey_domain: String,
    /// Further sites of that domain whose pages use passkeys: `https://app.pavise.example`.
    pub passkey_origins: Vec<String>,
}

impl Config {
    /// The defaults with that key-encryption secret.
    #[must_use]
    pub fn new(key_encryption_secret: impl Into<String>) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self {
            hash_cost: HashCost::default(),
            hashes_at_once: cores * 4,
            second_factor_realms: Vec::new(),
            leaked_passwords: None,
            free_tries: FreeTries::default(),
            access_lifetime: Duration::from_secs(15 * 60),
            session_lifetime: Duration::from_secs(30 * 24 * 3600),
            session_idle: Duration::from_secs(7 * 24 * 3600),
            staff_session_lifetime: Duration::from_secs(12 * 3600),
            staff_session_idle: Duration::from_secs(3600),
            secure_cookies: true,
            impersonation_lifetime: Duration::from_secs(15 * 60),
            key_encryption_secret: key_encryption_secret.into(),
            key_encryption_secret_also: None,
            key_rotation: Duration::from_secs(30 * 24 * 3600),
            key_overlap: Duration::from_secs(2 * 24 * 3600),
            invitation_lifetime: Duration::from_secs(30 * 24 * 3600),
            unmerge_retention: Duration::from_secs(30 * 24 * 3600),
            public_url: "http://localhost:8080".to_owned(),
            applications: SignInApplication::default_applications(),
            passkey_domain: String::new(),
            passkey_origins: Vec::new(),
        }
    }

    /// For tests: hashing costs next to nothing, and protects as little.
    #[must_use]
    pub fn for_tests() -> Self {
        let hash_cost = HashCost { memory_kib: 32, passes: 1, lanes: 1 };
        Self { hash_cost, hashes_at_once: 64, ..Self::new("a key-encryption secret for tests only") }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("hash_cost", &self.hash_cost)
            .field("hashes_at_once", &self.hashes_at_once)
            .field("access_lifetime", &self.access_lifetime)
            .field("key_rotation", &self.key_rotation)
            .finish_non_exhaustive()
    }
}
