//! The service `applications`: what the contract leaves to Rust.

mod create;
mod key;
mod prove;
mod token;
mod update_key;
mod verify;

use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::{Call, Consequences, Error, Invariants, Result, Step};

use crate::config::Config;
use crate::contract::ApplicationHandler;
use crate::contract::v1;
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

impl ApplicationHandler for Applications {
    async fn create_application(&self, call: &Call, request: v1::CreateApplicationRequest) -> Result<v1::IssuedApplicationKey> {
        create::create_application(call, request).await
    }

    async fn update_application_key(
        &self,
        call: &Call,
        request: v1::UpdateApplicationKeyRequest,
    ) -> Result<v1::IssuedApplicationKey> {
        update_key::update_application_key(call, &request).await
    }

    async fn verify_application_key(
        &self,
        call: &Call,
        request: v1::VerifyApplicationKeyRequest,
    ) -> Result<v1::VerifyApplicationKeyResponse> {
        verify::verify_application_key(self, call, &request).await
    }

    async fn create_application_token(&self, call: &Call, request: v1::CreateApplicationTokenRequest) -> Result<v1::AccessToken> {
        token::create_application_token(self, call, &request).await
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

impl Consequences<Application> for Applications {
    async fn follow(&self, call: &Call, step: &mut Step<'_, Application>) -> Result<()> {
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
