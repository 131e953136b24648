//! The service `factors`: what identities prove themselves with besides their passwords.

mod answer;
mod base32;
pub(crate) mod challenge;
mod create;
mod delete;
mod forgetting;
mod kind;
pub(crate) mod passkeys;
mod primary;
mod prove;
pub(crate) mod recovery;
mod refusals;
mod rules;
mod send;
mod sent;
mod set;
mod setup;
mod told;
mod totp;
mod validate;
mod verify;

use std::sync::Arc;

use pavise_kernel::{Call, Consequences, Kernel, Result, Step};

pub(crate) use delete::remove_all;
pub(crate) use forgetting::Forgetting;
pub(crate) use prove::{Answer, Place, proof_in, wrong};
pub(crate) use send::send;
pub(crate) use set::Set;

use crate::config::Config;
use crate::contract::FactorHandler;
use crate::contract::v1;
use crate::contract::v1::{Factor, Passkey};
use crate::keys::Seal;
use crate::notices::Notices;
use crate::password::Passwords;
use crate::throttle::Throttle;

/// The handler of the service; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Factors {
    passwords: Passwords,
    throttle: Arc<Throttle>,
    notices: Notices,
    seal: Seal,
    code_key: sent::CodeKey,
    site: passkeys::Site,
}

impl Factors {
    pub(crate) fn new(kernel: &Kernel, config: &Config, passwords: Passwords) -> Self {
        Self {
            passwords,
            throttle: Arc::new(Throttle::new(config.free_tries)),
            notices: Notices::new(kernel, config),
            seal: Seal::new(&config.key_encryption_secret),
            code_key: sent::CodeKey::new(&config.key_encryption_secret),
            site: passkeys::Site::new(config),
        }
    }
}

impl FactorHandler for Factors {
    async fn create_factor(&self, call: &Call, request: v1::CreateFactorRequest) -> Result<v1::CreateFactorResponse> {
        create::create_factor(self, call, request).await
    }

    async fn verify_factor(&self, call: &Call, request: v1::VerifyFactorRequest) -> Result<v1::Factor> {
        verify::verify_factor(self, call, request).await
    }

    async fn send_factor_code(&self, call: &Call, request: v1::SendFactorCodeRequest) -> Result<v1::SendFactorCodeResponse> {
        send::send_factor_code(self, call, &request).await
    }

    async fn validate_factor(&self, call: &Call, request: v1::ValidateFactorRequest) -> Result<v1::FactorProof> {
        validate::validate_factor(self, call, request).await
    }

    async fn create_recovery_codes(
        &self,
        call: &Call,
        request: v1::CreateRecoveryCodesRequest,
    ) -> Result<v1::CreateRecoveryCodesResponse> {
        recovery::create_recovery_codes(call, &request).await
    }

    async fn begin_passkey_registration(
        &self,
        call: &Call,
        request: v1::BeginPasskeyRegistrationRequest,
    ) -> Result<v1::PasskeyCeremony> {
        passkeys::begin_passkey_registration(self, call, &request).await
    }

    async fn create_passkey(&self, call: &Call, request: v1::CreatePasskeyRequest) -> Result<v1::Passkey> {
        passkeys::create_passkey(self, call, request).await
    }
}

impl Consequences<Factor> for Factors {
    async fn follow(&self, call: &Call, step: &mut Step<'_, Factor>) -> Result<()> {
        match (&step.before, &step.after) {
            (Some(before), None) => delete::goes(self, call, &mut step.unit, before).await,
            (Some(before), Some(after)) if after.primary && !before.primary => {
                primary::takes_over(call, &mut step.unit, after).await
            }
            _ => Ok(()),
        }
    }
}

impl Consequences<Passkey> for Factors {
    async fn follow(&self, call: &Call, step: &mut Step<'_, Passkey>) -> Result<()> {
        match (&step.before, &step.after) {
            (Some(before), None) => passkeys::goes(self, call, &mut step.unit, before).await,
            _ => Ok(()),
        }
    }
}
