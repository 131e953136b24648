//! The service `factors`: what identities prove themselves with besides their passwords.

mod answer;
mod base32;
pub(crate) mod challenge;
mod create_factor;
pub(crate) mod create_recovery_codes;
mod delete;
mod forgetting;
mod kind;
pub(crate) mod passkeys;
mod primary;
mod prove;
mod refusals;
mod rules;
mod send_factor_code;
mod sent;
mod set;
mod setup;
mod told;
mod totp;
mod validate_factor;
mod verify_factor;

pub(crate) use create_factor::create_factor;
pub(crate) use create_recovery_codes::create_recovery_codes;
pub(crate) use send_factor_code::send_factor_code;
use std::sync::Arc;
pub(crate) use validate_factor::validate_factor;
pub(crate) use verify_factor::verify_factor;

use pavise_kernel::{Call, Consequences, Kernel, Result, Step};

pub(crate) use delete::remove_all;
pub(crate) use forgetting::Forgetting;
pub(crate) use prove::{Answer, Place, proof_in, wrong};
pub(crate) use send_factor_code::send;
pub(crate) use set::Set;

use crate::config::Config;
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

pub(crate) async fn begin_passkey_registration(
    call: &Call,
    request: v1::BeginPasskeyRegistrationRequest,
) -> Result<v1::PasskeyCeremony> {
    let service = call.provided::<Factors>()?;
    passkeys::begin_passkey_registration(&service, call, &request).await
}

pub(crate) async fn create_passkey(call: &Call, request: v1::CreatePasskeyRequest) -> Result<v1::Passkey> {
    let service = call.provided::<Factors>()?;
    passkeys::create_passkey(&service, call, request).await
}

impl Consequences for Factor {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let service = call.provided::<Factors>()?;
        match (&step.before, &step.after) {
            (Some(before), None) => delete::goes(&service, call, &mut step.unit, before).await,
            (Some(before), Some(after)) if after.primary && !before.primary => {
                primary::takes_over(call, &mut step.unit, after).await
            }
            _ => Ok(()),
        }
    }
}

impl Consequences for Passkey {
    async fn follow(call: &Call, step: &mut Step<'_, Self>) -> Result<()> {
        let service = call.provided::<Factors>()?;
        match (&step.before, &step.after) {
            (Some(before), None) => passkeys::goes(&service, call, &mut step.unit, before).await,
            _ => Ok(()),
        }
    }
}
