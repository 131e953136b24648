//! Identity: who can sign in, how, and with which tokens.
//!
//! Services: `identities` keeps identities, passwords, sessions and impersonations; `tokens` keeps the signing keys
//! and makes and checks tokens; `applications` keeps the programs that call the platform, and their keys;
//! `application_settings` and `user_state` keep what applications know of their users. A process that does not run
//! this domain checks tokens with [`RemoteKeys`].

mod application_settings;
mod applications;
mod bootstrap;
mod config;
mod factors;
mod grants;
mod identities;
mod identity;
mod identity_merge;
mod invitations;
mod issue;
mod keys;
mod notices;
mod password;
mod resets;
mod sessions;
mod stand_in;
mod throttle;
mod tokens;
mod user_state;
mod workers;

/// The contract of this domain as Rust.
#[allow(
    missing_docs,
    unused_imports,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "generated: which of these apply depends on what the contract declares"
)]
pub mod contract {
    include!(concat!(env!("OUT_DIR"), "/contract.rs"));
}

use std::sync::Arc;

use pavise_kernel::{Domain, Kernel};

pub use bootstrap::{bootstrap, enroll};
pub use config::{Config, FreeTries, HashCost};
pub use keys::{LocalKeys, RemoteKeys};
pub use notices::{Courier, Message, Undelivered};
pub use sessions::{Revocations, SignInApplication};

/// The domain on a kernel.
#[must_use]
pub fn domain(kernel: &Kernel, config: Config) -> Domain {
    let keys = Arc::new(keys::KeyRing::new(kernel.store().clone(), &config));
    let identities = identities::Identities::new(kernel, &config, keys.clone());
    let sessions = sessions::Sessions::new(kernel, &config, keys.clone());
    let tokens = tokens::Tokens::new(kernel, keys.clone());
    let applications = applications::Applications::new(&config, keys);
    let factors = identities.factors.clone();
    let invitations = invitations::Invitations::new(kernel, &config);
    kernel.provide(identities);
    kernel.provide(factors);
    kernel.provide(tokens);
    kernel.provide(applications);
    kernel.provide(invitations);
    kernel.provide(identity_merge::Merges::new(&config));
    kernel.provide(sessions);
    Domain { name: "identity", services: contract::services(kernel), workers: workers::all(config), hand_overs: Vec::new() }
}
