//! The service `applications`: what the contract leaves to Rust.

mod create_application;
mod create_application_token;
mod key;
mod prove;
mod update_application_key;
mod verify_application_key;

pub(crate) use create_application::create_application;
pub(crate) use create_application_token::create_application_token;
use std::sync::Arc;
use std::time::Duration;
pub(crate) use update_application_key::update_application_key;
pub(crate) use verify_application_key::verify_application_key;

use pavise_kernel::{Call, Consequences, Error, Invariants, Result, Step};

use crate::config::Config;
use crate::contract::v1::{Application, Identity, IdentityRealm};
use crate::grants;
use crate::identity;
use crate::issue::Issuer;
use crate::keys::KeyRing;
use crate::throttle::Throttle;

/// The handler of the service.
#[derive(Debug)]
pub(crate) struct Applications {
    issuer: Issuer,
    throttle: Throttle,
    lifetime: Duration,
}

impl Applications {
    pub(crate) fn new(config: &Config, keys: Arc<KeyRing>) -> Self {
        Self { issuer: Issuer(keys), throttle: Throttle::new(config.free_tries), lifetime: config.access_lifetime }
    }
}

/// The identity that an application shall act for.
async fn principal(call: &Call, id: &str) -> Result<Identity> {
    let identity = call.find::<Identity>(id).await?.ok_or_else(|| Error::not_found("identity", id))?;
    if may_have_applications(&identity) { Ok(identity) } else { Err(identity.realm().lacks("applications")) }
}

fn may_have_applications(identity: &Identity) -> bool {
    matches!(identity.realm(), IdentityRealm::Machine | IdentityRealm::Internal)
}

impl Consequences for Application {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        if let (Some(before), Some(after)) = (&step.before, &step.after)
            && before.owner_id != after.owner_id
        {
            principal(call, &after.owner_id).await?;
            // It may do from now on what it was given and the new owner may: more than before, perhaps.
            grants::may_pass_on(call.caller(), &grants::by_application(&after.permissions))?;
        }
        Ok(())
    }
}

impl Invariants for Application {
    fn check(&self) -> Result<()> {
        identity::fits_into_a_token(&self.permissions, &[])
    }
}
