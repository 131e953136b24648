//! Identity: who can sign in, how, and with which tokens.
//!
//! Services: `identities` keeps identities, passwords, sessions and impersonations; `tokens` keeps the signing keys
//! and makes and checks tokens; `applications` keeps the programs that call the platform, and their keys;
//! `application_settings` and `user_state` keep what applications know of their users; `platform_workers` shows staff the
//! workers of all domains; `test_clock` moves the days of an installation for trials. A process that does not run this
//! domain checks tokens with [`RemoteKeys`].

mod application_settings;
mod applications;
mod config;
mod data_access;
mod data_keys;
pub mod demo;
mod factors;
mod identities;
mod identity_merge;
mod identity_ties;
mod invitations;
mod platform_workers;
mod sessions;
mod shared;
mod test_clock;
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

use pavise_kernel::domain::{DomainContract, Settings};
use pavise_kernel::worker::{Work, Worker};
use pavise_kernel::{Domain, Error, Kernel, Result, async_trait};

pub use config::{Config, FreeTries, HashCost};
pub use data_access::ReadRecorder;
pub use data_keys::RemoteDataKeys;
pub use sessions::{Revocations, SignInApplication};
pub use shared::bootstrap::{enroll_identity, make_signing_key};
pub use shared::keys::{LocalKeys, RemoteKeys};
pub use shared::password::LeakedPasswords;

/// The domain. It needs a [`Config`] among the settings.
pub const DOMAIN: &dyn Domain = &Identity;

#[derive(Debug)]
struct Identity;

#[async_trait]
impl Domain for Identity {
    fn declared(&self) -> &'static DomainContract {
        &contract::DECLARED
    }

    fn provide(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        let config = config(settings)?;
        let keys = Arc::new(shared::keys::KeyRing::new(kernel.store().clone(), &config));
        let identities = identities::Identities::new(kernel, &config, keys.clone());
        let sessions = sessions::Sessions::new(kernel, &config, keys.clone());
        let tokens = tokens::Tokens::new(kernel, keys.clone());
        let applications = applications::Applications::new(kernel, &config, keys);
        let factors = identities.factors.clone();
        let invitations = invitations::Invitations::new(kernel, &config);
        kernel.provide(identities);
        kernel.provide(factors);
        kernel.provide(tokens);
        kernel.provide(applications);
        kernel.provide(invitations);
        kernel.provide(identity_merge::Merges::new(&config));
        kernel.provide(sessions);
        Ok(())
    }

    fn workers(&self, settings: &Settings) -> Result<Vec<Arc<dyn Worker>>> {
        Ok(workers::list_workers(&config(settings)?))
    }

    async fn bootstrap(&self, kernel: &Kernel, settings: &Settings) -> Result<()> {
        make_signing_key(kernel, &config(settings)?).await
    }

    async fn demo(&self, work: &Work, settings: &Settings) -> Result<()> {
        let secret = settings.get().ok_or_else(|| Error::internal("the demonstration's sign-ins have no secret"))?;
        demo::load_sign_ins(work, &secret).await
    }
}

fn config(settings: &Settings) -> Result<Config> {
    settings.get().ok_or_else(|| Error::internal("the identity domain has no settings"))
}
